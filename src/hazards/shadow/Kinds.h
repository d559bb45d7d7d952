// An instruction as the rules of data/shadows.json see it.
#pragma once

#include "program/Program.h"

namespace inflight::hazards::shadow {

/// Kinds of instructions, as bits. data/shadows.json names them.
using Kinds = uint32_t;
namespace kind {
inline constexpr Kinds Any = 1 << 0;
inline constexpr Kinds Valu = 1 << 1; ///< vector ALU, matrix instructions included
inline constexpr Kinds VNop = 1 << 2;
inline constexpr Kinds ValuNotNop = 1 << 3;
inline constexpr Kinds Trans = 1 << 4; ///< transcendentals
inline constexpr Kinds ValuNotTrans = 1 << 5;
inline constexpr Kinds Matrix = 1 << 6;    ///< v_wmma_*, v_swmmac_*
inline constexpr Kinds XdlMatrix = 1 << 7; ///< those on the matrix core
inline constexpr Kinds ValuNotMatrix = 1 << 8;
inline constexpr Kinds Memory = 1 << 9;  ///< vector memory, images and LDS
inline constexpr Kinds Direct = 1 << 10; ///< direct loads from LDS
inline constexpr Kinds Export = 1 << 11;
inline constexpr Kinds Salu = 1 << 12;         ///< program control included: some branches read VCC
inline constexpr Kinds WritesScalar = 1 << 13; ///< SALU or VALU that writes an SGPR
inline constexpr Kinds CompareExec = 1 << 14;  ///< v_cmpx_*
inline constexpr Kinds Permlane = 1 << 15;
inline constexpr Kinds SetReg = 1 << 16;
inline constexpr Kinds GetReg = 1 << 17;
inline constexpr Kinds SetVgprMsb = 1 << 18;
inline constexpr Kinds AsyncArrive = 1 << 19;
inline constexpr Kinds Message = 1 << 20; ///< s_sendmsg
inline constexpr Kinds SNop = 1 << 21;
inline constexpr Kinds NotSNop = 1 << 22;
inline constexpr Kinds NotProgramControl = 1 << 23; ///< anything but SOPP: waits, s_nop, branches
inline constexpr Kinds ReadsScratchBase = 1 << 24;
inline constexpr Kinds Smem = 1 << 25;
inline constexpr Kinds Buffers = 1 << 26; ///< vector memory but FLAT, GLOBAL and SCRATCH
inline constexpr Kinds LdsDma = 1 << 28;  ///< between memory and LDS by addresses in VGPRs
inline constexpr Kinds Tensor = 1 << 29;  ///< tiles between memory and LDS
inline constexpr Kinds TakesTime =
    1 << 27; ///< an issue slot of the wave: anything but hints, clauses and s_set_vgpr_msb
} // namespace kind

/// What s_wait_alu (s_waitcnt_depctr) waits for, as bits.
using AluWaits = uint8_t;
namespace aluwait {
inline constexpr AluWaits SaSdst = 1 << 0, VaVcc = 1 << 1, VmVsrc = 1 << 2, HoldCnt = 1 << 3, VaSsrc = 1 << 4,
                          VaSdst = 1 << 5, VaVdst = 1 << 6, All = 0x7f;
}
/// The fields that the immediate has at 0, and back: all others are at their most, which waits for nothing.
AluWaits waitsOf(uint16_t immediate);
uint16_t immediateOf(AluWaits waits);
/// "s_wait_alu depctr_va_vdst(0)" without the mnemonic.
std::string operandsOf(AluWaits waits);

/// What an opcode says.
Kinds kindsOf(const InstrDesc &desc);

/// What an instruction says besides.
struct Use {
  Kinds kinds = 0;
  AluWaits waits = 0;     ///< that it waits for
  uint16_t number = 0;    ///< of the hardware register, or the message
  CounterSet counted = 0; ///< counters that count the operation until it has its result
  CounterSet drained = 0; ///< counters that it waits for to be 0
  uint8_t waitVdst = 15;  ///< of direct loads: WAIT_VDST; 15 waits for nothing
  bool waitsVsrc = false; ///< of direct loads: WAIT_VSRC is 0
};
Use useOf(const Program &program, uint32_t i);

/// What a matrix instruction reads an operand as, as bits.
using MatrixRoles = uint8_t;
namespace matrixrole {
inline constexpr MatrixRoles Factor = 1 << 0; ///< A, B or index
inline constexpr MatrixRoles Scale = 1 << 1, C = 1 << 2;
} // namespace matrixrole
/// Registers that a matrix instruction reads as one of these.
llvm::SmallVector<RegRange, 6> matrixSources(const Program &program, uint32_t i, MatrixRoles roles);
/// How many registers each of A, B, index and scales has.
llvm::SmallVector<unsigned, 4> factorWidths(const Program &program, uint32_t i);

/// The SGPRs that a vector instruction reads as a mask of lanes.
RegRange maskOf(const Program &program, uint32_t i);

/// EXEC, SCC and MODE, which all rules leave out.
inline bool isLeftOut(RegUnit unit) {
  return unit == regunit::ExecLo || unit == regunit::ExecHi || unit == regunit::Scc || unit == regunit::Mode;
}

} // namespace inflight::hazards::shadow
