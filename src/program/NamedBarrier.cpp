#include "program/NamedBarrier.h"

#include "program/Program.h"
#include "llvm/ADT/STLExtras.h"
#include <optional>

using namespace llvm;

namespace inflight {

/// What M0 holds before the instruction, where the same block sets it to a number.
static std::optional<int64_t> knownM0(const Program &program, uint32_t instruction) {
  constexpr RegRange m0{regunit::M0, 1};
  ArrayRef<Block> blocks = program.blocks();
  const auto *next = partition_point(blocks, [&](const Block &b) { return b.begin <= instruction; });
  if (next == blocks.begin())
    return std::nullopt;
  for (uint32_t i = instruction; i-- > (next - 1)->begin;) {
    const Instruction &earlier = program.instructions()[i];
    if (!earlier.desc)
      return std::nullopt;
    if (none_of(program.writes(earlier), [&](RegRange range) { return range.overlaps(m0); }))
      continue;
    const MCInst &inst = program.inst(i);
    const Mnemonic id = earlier.desc->id;
    if ((id != Mnemonic::s_mov_b32 && id != Mnemonic::s_movk_i32) || !inst.getOperand(1).isImm())
      return std::nullopt;
    return inst.getOperand(1).getImm();
  }
  return std::nullopt;
}

BarrierWaves barrierWaves(const Program &program, uint32_t instruction) {
  if (program.instructions()[instruction].desc->id == Mnemonic::s_barrier)
    return BarrierWaves::All;
  // -1 is the workgroup's and -3 the cluster's, named ones count from 1 (LLVM, SIDefines.h, Barrier); M0, which is no
  // operand, has the number in its low six bits, and the members' above (LLVM, SIISelLowering.cpp,
  // amdgcn_s_barrier_signal_var).
  const MCInst &inst = program.inst(instruction);
  if (inst.getNumOperands() == 1 && inst.getOperand(0).isImm()) {
    const int16_t number = int16_t(inst.getOperand(0).getImm());
    return number < 0 ? BarrierWaves::All : number > 0 ? BarrierWaves::Joined : BarrierWaves::Unknown;
  }
  constexpr int64_t numberBits = 0x3f, signBit = 0x20;
  const std::optional<int64_t> m0 = knownM0(program, instruction);
  return m0 && *m0 & numberBits && !(*m0 & signBit) ? BarrierWaves::Joined : BarrierWaves::Unknown;
}

} // namespace inflight
