// Floating-point operations of an instruction, as peak rates count them.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace inflight {

struct InstrDesc;

/// Of one lane of a VALU instruction: multiply-add counts two. 0 for integers and matrix instructions.
unsigned laneFlops(const InstrDesc &desc);

/// Of a matrix instruction: 2 K for each element of the result, of which each lane has `resultRegisters`. The depth of
/// a sparse one is that of the dense product.
unsigned matrixFlops(const InstrDesc &desc, unsigned resultRegisters, unsigned lanes);

/// The type of a matrix instruction's factors; F8 for all of f8f6f4.
enum class MatrixType : uint8_t { F4, F8, Bf16, F16, Xf32, F32, F64, I8, Count };
/// `hasNarrowFactors`: f8f6f4, both of four or six bits.
MatrixType matrixType(const InstrDesc &desc, bool hasNarrowFactors = false);
llvm::StringRef name(MatrixType type); ///< "bf16", as in data files

} // namespace inflight
