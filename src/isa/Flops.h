// Floating-point operations of an instruction, as peak rates count them.
#pragma once

namespace inflight {

struct InstrDesc;

/// Of one lane of a VALU instruction: multiply-add counts two. 0 for integers and matrix instructions.
unsigned laneFlops(const InstrDesc &desc);

/// Of a matrix instruction: 2 K for each element of the result, of which each lane has `resultRegisters`. The depth of
/// a sparse one is that of the dense product.
unsigned matrixFlops(const InstrDesc &desc, unsigned resultRegisters, unsigned lanes);

} // namespace inflight
