// Matrix products of a layer. Those that read the weights are oneDNN's, which needs no pass to
// clear the result and less copying: with 100 rows 10 to 20% faster than OpenBLAS. For the gradient
// of a wide layer's weights OpenBLAS is faster.

#include <cblas.h>
#include <dnnl.h>
#include <omp.h>

#include <new>

#include "train/ops/kernels/kernels.h"

namespace eco::train::kernels {

namespace {

// c [rows, columns] = a b, or c += a b. oneDNN runs OpenMP threads, whose number belongs to the
// calling thread.
void multiply(char transpose_b, std::size_t rows, std::size_t columns, std::size_t inner,
              const float* a, std::size_t a_stride, const float* b, std::size_t b_stride, bool add,
              float* c, std::size_t c_stride) {
  thread_local bool alone = false;
  if (!alone) {
    omp_set_num_threads(1);
    alone = true;
  }
  const auto size = [](std::size_t n) { return static_cast<dnnl_dim_t>(n); };
  const dnnl_status_t status =
      dnnl_sgemm('N', transpose_b, size(rows), size(columns), size(inner), 1.0F, a, size(a_stride),
                 b, size(b_stride), add ? 1.0F : 0.0F, c, size(c_stride));
  if (status != dnnl_success) throw std::bad_alloc();  // the one thing that can go wrong
}

}  // namespace

void project(std::size_t rows, std::size_t inputs, std::size_t outputs, const float* x,
             std::size_t x_stride, const float* weight, bool add, float* y) {
  multiply('T', rows, outputs, inputs, x, x_stride, weight, inputs, add, y, outputs);
}

void project_backward(std::size_t rows, std::size_t inputs, std::size_t outputs,
                      const float* weight, const float* grad_y, bool add, float* grad_x,
                      std::size_t grad_x_stride) {
  multiply('N', rows, inputs, outputs, grad_y, outputs, weight, inputs, add, grad_x, grad_x_stride);
}

void project_weight_backward(std::size_t rows, std::size_t inputs, std::size_t outputs,
                             const float* x, std::size_t x_stride, const float* grad_y, bool add,
                             float* grad_weight) {
  const int m = static_cast<int>(outputs), n = static_cast<int>(inputs), k = static_cast<int>(rows);
  cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, m, n, k, 1.0F, grad_y, m, x,
              static_cast<int>(x_stride), add ? 1.0F : 0.0F, grad_weight, n);
}

}  // namespace eco::train::kernels
