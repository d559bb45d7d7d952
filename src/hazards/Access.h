// An instruction as the hazard rules see it: what kinds it belongs to and which registers it uses in which role.
#pragma once

#include "isa/Isa.h"
#include "llvm/ADT/SmallVector.h"

namespace inflight::hazards {

/// Kinds of instructions, as bits. data/hazards.json names them.
using Kinds = uint64_t;
namespace kind {
inline constexpr Kinds Valu = 1 << 0, ///< vector ALU, matrix instructions included
    PlainValu = 1 << 1,               ///< vector ALU but matrix instructions
    NonDot = 1 << 2,                  ///< PlainValu but dot products
    NonTrans = 1 << 3,                ///< Valu but transcendentals
    Trans = 1 << 4,                   ///< transcendentals
    ShiftsResult = 1 << 5,            ///< op_sel or SDWA puts the result elsewhere than into the low bits
    Dot = 1 << 6,                     ///< dot products
    Dpp = 1 << 7,
                       LaneAccess = 1 << 8, ///< v_readlane, v_readfirstlane, v_writelane
    DivFmas = 1 << 9,
                       Permlane = 1 << 10, ///< v_permlane*
    FmaF64 = 1 << 11,                      ///< v_fma_f64, v_fmac_f64
    Matrix = 1 << 12,
                       Xdl = 1 << 13, ///< matrix instructions on narrow types; on gfx90a all but FP64
    Sgemm = 1 << 14,                  ///< FP32 ones where they are not XDL
    Dgemm = 1 << 15,                  ///< FP64 ones
    Dgemm4x4 = 1 << 16, Dgemm16x16 = 1 << 17, Salu = 1 << 18, SetReg = 1 << 19, GetReg = 1 << 20, SetVskip = 1 << 21,
                       SetRegVskip = 1 << 22, ///< s_setreg of MODE's vskip bit
    SetRegTrapsts = 1 << 23,                  ///< s_setreg of TRAPSTS
    Rfe = 1 << 24,                            ///< s_rfe*
    Message = 1 << 25,                        ///< s_sendmsg*, s_ttracedata, GDS and GWS
    LdsByM0 = 1 << 26,                        ///< LDS DMA, buffer_store_lds and the add-TID accesses
    MoveRel = 1 << 27,                        ///< s_movrel*
    Vmem = 1 << 28,                           ///< MUBUF, MTBUF, FLAT, GLOBAL, SCRATCH
    Memory = 1 << 29,                         ///< Vmem or LDS
    Vector = 1 << 30,                         ///< Valu or Memory
    WideStore = 1ull << 31,                   ///< more than 64 bits of data, and no SGPR offset of a buffer instruction
    WideStoreByOffset = 1ull << 32,           ///< more than 64 bits of data, a buffer instruction with an SGPR offset
    PackedSingle = 1ull << 33,                ///< v_pk_*_f32
    NonLaneAccess = 1ull << 34;               ///< Valu but LaneAccess
} // namespace kind

/// What an instruction does with a register, as bits. data/hazards.json names them.
using Roles = uint32_t;
namespace role {
inline constexpr Roles ScalarResult = 1 << 0, ///< written SGPR, VCC or other scalar register but EXEC and SCC
    ExecResult = 1 << 1, M0Result = 1 << 2, VectorResult = 1 << 3,
                       StoreData = 1 << 4, ///< of a WideStore or WideStoreByOffset
    HwReg = 1 << 5,                        ///< of s_setreg and s_getreg
    ScalarSource = 1 << 6,                 ///< any scalar register read but EXEC and SCC
    Constant = 1 << 7,                     ///< scalar register as a vector instruction's value for all lanes
    LaneSelect = 1 << 8,
                       Mask = 1 << 9, ///< of v_cndmask and v_div_fmas: a bit a lane (a carry-in is none of these)
    ZeroFlag = 1 << 10,               ///< VCCZ or EXECZ as a value; the register is VCC or EXEC
    ExecConstant = 1 << 11,           ///< EXEC as a value
    M0Source = 1 << 12,
                       VectorSource = 1 << 13, ///< any vector register read
    LaneSource = 1 << 14,                      ///< the register that v_readlane and v_readfirstlane pick from
    Factor = 1 << 15,      ///< A, B, index and scale of matrix instructions, A and B of dot products
    Accumulator = 1 << 16, ///< C of matrix instructions and dot products
    DppSource = 1 << 17,   ///< the register whose lanes DPP moves, its first source
    DppOther = 1 << 18;    ///< any other vector register that a DPP instruction reads
} // namespace role

struct Access {
  struct Operand {
    RegRange range;
    Roles roles;
  };
  Kinds kinds = 0;
  llvm::SmallVector<Operand, 6> operands;
  unsigned waitStates = 1; ///< it provides to what follows
  Mnemonic id = Mnemonic::none;
  unsigned passes = 0; ///< of matrix instructions
  // Bit sets of the chip's rules, filled by HazardTable::match.
  uint64_t producerRules = 0, consumerRules = 0;
  unsigned reach = 0; ///< wait states after which it can't be the first of a pair
};

/// Hardware registers stand above the register units in ranges of role HwReg.
inline RegRange hwRegRange(unsigned id) { return {RegUnit(regunit::Count + id), 1}; }

/// Conversions to FP8 with stochastic rounding and to FP4 select the byte they write by the last two bits of op_sel;
/// those that are both need a wait state for any choice (LLVM, getDstSelForwardingOperand).
bool conversionShifts(const InstrDesc &desc, unsigned opSel);

/// What an opcode says of its operands.
struct OperandUse {
  bool isMatrix = false, isSparse = false, isDot = false;
  bool picksLane = false;   ///< the first source is a register of which one lane is read
  bool selectsLane = false; ///< the second source says which
  bool takesCarry = false;  ///< the third source or an implicit one
  bool takesMask = false;   ///< the third source
  bool mayHaveData = false; ///< stores and atomics
  bool isBuffer = false;
  bool isDpp = false;
  OperandUse() = default;
  explicit OperandUse(const InstrDesc &desc);
};

/// What an opcode says without its operands.
struct OpcodeFacts {
  Kinds kinds = 0, kindsShifted = 0; ///< the second if it moves its result
  OperandUse use;
  bool isNop = false;
  OpcodeFacts() = default;
  OpcodeFacts(const Isa &isa, const InstrDesc &desc);
};

/// One operand in the assembler's order, for assignRoles.
struct PlainOperand {
  RegRange range; ///< empty for constants
  bool isDef = false;
  bool isImplicit = false;
  bool isZeroFlag = false;
};

/// Fills `operands` (and WideStore, WideStoreByOffset) from what the instruction is and its operands, source modifiers
/// left out.
void assignRoles(Access &access, const OperandUse &use, llvm::ArrayRef<PlainOperand> operands);

/// The access without its passes and rules.
Access plainAccess(const Isa &isa, const OpcodeFacts &facts, const llvm::MCInst &inst);

} // namespace inflight::hazards
