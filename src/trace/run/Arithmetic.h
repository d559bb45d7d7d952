// What a vector instruction computes, by its text, in the kinds that the counters of ROCm Compute Profiler tell apart.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace inflight::trace {

/// In the order of panel 10.2, then matrix instructions by the type of their factors.
enum class Arithmetic : uint8_t {
  None,
  Int32,
  Int64,
  F16Add,
  F16Mul,
  F16Fma,
  F16Trans,
  F32Add,
  F32Mul,
  F32Fma,
  F32Trans,
  F64Add,
  F64Mul,
  F64Fma,
  F64Trans,
  Conversion,
  MatrixF8,
  MatrixBf16,
  MatrixF16,
  MatrixXf32,
  MatrixF32,
  MatrixF64,
  MatrixI8,
  Count
};

/// Of an instruction of the VALU.
Arithmetic vectorArithmetic(llvm::StringRef instruction);
/// Of a matrix instruction.
Arithmetic matrixArithmetic(llvm::StringRef instruction);
/// buffer_load_dword and the like, which the counters know apart from the other vector memory instructions.
bool isBufferInstruction(llvm::StringRef instruction);

} // namespace inflight::trace
