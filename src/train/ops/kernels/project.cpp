// Matrix products of a layer, by BLAS.

#include <cblas.h>

#include "train/ops/kernels/kernels.h"

namespace eco::train::kernels {

void project(std::size_t rows, std::size_t inputs, std::size_t outputs, const float* x,
             std::size_t x_stride, const float* weight, bool add, float* y) {
  const int m = static_cast<int>(rows), n = static_cast<int>(outputs), k = static_cast<int>(inputs);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, m, n, k, 1.0F, x, static_cast<int>(x_stride),
              weight, k, add ? 1.0F : 0.0F, y, n);
}

void project_backward(std::size_t rows, std::size_t inputs, std::size_t outputs,
                      const float* weight, const float* grad_y, float* grad_x) {
  const int m = static_cast<int>(rows), n = static_cast<int>(inputs), k = static_cast<int>(outputs);
  cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1.0F, grad_y, k, weight, n, 0.0F,
              grad_x, n);
}

void project_weight_backward(std::size_t rows, std::size_t inputs, std::size_t outputs,
                             const float* x, std::size_t x_stride, const float* grad_y,
                             float* grad_weight) {
  const int m = static_cast<int>(outputs), n = static_cast<int>(inputs), k = static_cast<int>(rows);
  cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, m, n, k, 1.0F, grad_y, m, x,
              static_cast<int>(x_stride), 0.0F, grad_weight, n);
}

}  // namespace eco::train::kernels
