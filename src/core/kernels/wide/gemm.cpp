#include "core/kernels/gemm_tiles.h"

namespace eco {

void gemm_wide(std::size_t rows, const GemmOperands& operands, Epilogue epilogue) {
  GemmTiles<simd::F16>::run(rows, operands, epilogue);
}

}  // namespace eco
