// What the instructions that addresses are computed with do, and which bytes of LDS an instruction touches.
#pragma once

#include "isa/Isa.h"
#include "llvm/ADT/DenseMap.h"

namespace inflight::values {

enum class Do : uint8_t {
  Nothing, ///< isn't followed: what it writes is unknown
  Move,
  Add,
  Sub,
  SubReverse,
  Multiply,
  MultiplyHigh,
  MultiplyHighSigned,
  Multiply24,
  Multiply24Signed,
  ShiftLeft,
  ShiftRight,
  ShiftRightSigned,
  ShiftLeftReverse,
  ShiftRightReverse,
  ShiftRightSignedReverse,
  And,
  Or,
  Xor,
  AndNot,
  OrNot,
  NotAnd,
  NotOr,
  NotXor,
  Not,
  ShiftLeftAdd,
  AddShiftLeft,
  ShiftLeftOr,
  AndOr,
  Or3,
  Add3,
  XorAdd,
  MultiplyAdd24,
  MultiplyAdd24Signed,
  FieldUnsigned,
  FieldPacked,
  FieldInsert,
  FieldMask,
  Min,
  Max,
  MinSigned,
  MaxSigned,
  PackLow,
  LaneCountLow,
  LaneCountHigh,
  FirstLane,
  ReadLane,
  ByMask,
  SwapRows,   ///< v_permlaneN_swap_b32, N = `amount`: odd rows of N lanes of the first with even ones of the second
  ShiftedAdd, ///< s_lshlN_add_u32, N = `amount`
  TestBit,    ///< s_bitcmp: `amount` is what the bit has to be
  BitwiseAny, ///< v_bitop3_b32: a truth table
  ShiftLeftAdd64,
  MultiplyAdd64, ///< the lower half of the result is known
  Select,
  Compare,
  Compare64,
  CompareVector,
  Move64,
  And64,
  Or64,
  Xor64,
  AndNot64,
  OrNot64,
  Select64, ///< two halves by themselves
  SaveExec, ///< destination = EXEC, EXEC = source `amount` EXEC
  Load,     ///< scalar, of memory that doesn't change
};

struct Operation {
  Do what = Do::Nothing;
  bool narrow = false; ///< 16 bits
  bool isSigned = false;
  bool immediateSource = false; ///< SOPK: the last source is 16 bits
  Relation relation = Relation::Equal;
  uint8_t amount = 0;
};

/// The operation of an opcode.
Operation operationOf(const InstrDesc &desc);

/// How an opcode touches LDS.
struct LdsShape {
  enum class Kind : uint8_t { None, Address, Dma, M0Lanes, M0, Tile, Anywhere };
  Kind kind = Kind::None;
  bool isPair = false;
  uint8_t offsetAt = 0;  ///< operand; a pair's second one follows
  uint8_t addressAt = 0; ///< operand; Tile: the SGPRs that say where, and after it those that say what
  uint16_t bytes = 0;    ///< of a lane at one place; DMA: of all lanes together
  uint16_t unit = 1;     ///< bytes that offsets count
};
LdsShape ldsShapeOf(const Isa &isa, const InstrDesc &desc);
/// Whether it has a shape other than None, perhaps.
inline bool mayTouchLds(const InstrDesc &desc) {
  return desc.isDs() || desc.isLdsDma || desc.isCountedAsync || desc.isCountedTensor;
}

/// Of a descriptor of up to two dimensions (Triton 3.9, TDMUtility.cpp, createTDMDescriptor).
struct TileRegisters {
  RegUnit kind;    ///< bit 31: rows are gathered or scattered
  RegUnit address; ///< in LDS
  /// Bits 0 to 15: workgroups of the cluster that get it; 16, 17: size of elements; 18: tells a barrier; 19: repeats;
  /// 20: padded, as from bit 22 on.
  RegUnit flags;
  RegUnit extents;     ///< upper half: of the first dimension
  RegUnit moreExtents; ///< of the second and third

  /// None where the instruction has another kind of descriptor.
  static std::optional<TileRegisters> of(const Isa &isa, const LdsShape &shape, const llvm::MCInst &inst);
  std::array<RegUnit, 5> all() const { return {kind, address, flags, extents, moreExtents}; }
};

} // namespace inflight::values
