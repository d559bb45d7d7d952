#include "values/Operation.h"

using namespace llvm;

namespace inflight::values {

/// An integer comparison, if it is one that is followed.
static Operation compareOf(const Comparison &comparison, Do what) {
  Operation op;
  op.relation = comparison.relation;
  if (comparison.bits == 32) {
    op.what = what;
    op.isSigned = comparison.isSigned;
  }
  const bool isEquality = op.relation == Relation::Equal || op.relation == Relation::NotEqual;
  if (comparison.bits == 64 && !comparison.isSigned && what == Do::Compare && isEquality)
    op.what = Do::Compare64;
  return op;
}

static Do bitwiseOf32(Bitwise operation) {
  switch (operation) {
  case Bitwise::Copy: return Do::Move;
  case Bitwise::Not: return Do::Not;
  case Bitwise::And: return Do::And;
  case Bitwise::Or: return Do::Or;
  case Bitwise::Xor: return Do::Xor;
  case Bitwise::AndNot: return Do::AndNot;
  case Bitwise::OrNot: return Do::OrNot;
  case Bitwise::NotAnd: return Do::NotAnd;
  case Bitwise::NotOr: return Do::NotOr;
  case Bitwise::NotXor: return Do::NotXor;
  default: return Do::Nothing;
  }
}

static Do bitwiseOf64(Bitwise operation) {
  switch (operation) {
  case Bitwise::Copy: return Do::Move64;
  case Bitwise::And: return Do::And64;
  case Bitwise::Or: return Do::Or64;
  case Bitwise::Xor: return Do::Xor64;
  case Bitwise::AndNot: return Do::AndNot64;
  case Bitwise::OrNot: return Do::OrNot64;
  default: return Do::Nothing;
  }
}

static Do scalarArithmeticOf(Mnemonic id) {
  using enum Mnemonic;
  switch (id) {
  case s_add_u32:
  case s_add_i32: return Do::Add;
  case s_sub_u32:
  case s_sub_i32: return Do::Sub;
  case s_mul_i32: return Do::Multiply;
  case s_mul_hi_u32: return Do::MultiplyHigh;
  case s_mul_hi_i32: return Do::MultiplyHighSigned;
  case s_lshl_b32: return Do::ShiftLeft;
  case s_lshr_b32: return Do::ShiftRight;
  case s_ashr_i32: return Do::ShiftRightSigned;
  case s_bfe_u32: return Do::FieldPacked;
  case s_bfm_b32: return Do::FieldMask;
  case s_min_u32: return Do::Min;
  case s_max_u32: return Do::Max;
  case s_min_i32: return Do::MinSigned;
  case s_max_i32: return Do::MaxSigned;
  case s_pack_ll_b32_b16: return Do::PackLow;
  case s_cselect_b32: return Do::Select;
  case s_cselect_b64: return Do::Select64;
  default: return Do::Nothing;
  }
}

static Operation scalarOf(const InstrDesc &desc) {
  using enum Mnemonic;
  Operation op;
  op.immediateSource = desc.format == Format::Sopk;
  if (desc.comparison) {
    op = compareOf(*desc.comparison, Do::Compare);
    op.immediateSource = desc.format == Format::Sopk;
    return op;
  }
  switch (desc.id) {
  case s_movk_i32: op.what = Do::Move; return op;
  case s_addk_i32: op.what = Do::Add; return op;
  case s_mulk_i32: op.what = Do::Multiply; return op;
  case s_lshl1_add_u32:
  case s_lshl2_add_u32:
  case s_lshl3_add_u32:
  case s_lshl4_add_u32:
    op.what = Do::ShiftedAdd;
    op.amount = uint8_t(1 + unsigned(desc.id) - unsigned(s_lshl1_add_u32));
    return op;
  case s_bitcmp0_b32:
  case s_bitcmp1_b32:
    op.what = Do::TestBit;
    op.amount = desc.id == s_bitcmp1_b32;
    return op;
  default: break;
  }
  op.immediateSource = false;
  if (desc.savesExec) {
    op.what = Do::SaveExec;
    switch (desc.bitwise) {
    case Bitwise::And:
    case Bitwise::Or:
    case Bitwise::Xor:
    case Bitwise::AndNot: op.amount = uint8_t(bitwiseOf32(desc.bitwise)); break;
    default: op.amount = uint8_t(Do::Nothing);
    }
    return op;
  }
  if (desc.replacesExec)
    return op;
  op.what = desc.bitwise == Bitwise::None ? scalarArithmeticOf(desc.id)
            : desc.is64Bit                ? bitwiseOf64(desc.bitwise)
                                          : bitwiseOf32(desc.bitwise);
  return op;
}

static Do vectorArithmeticOf(Mnemonic id) {
  using enum Mnemonic;
  switch (id) {
  case v_mov_b32: return Do::Move;
  case v_mov_b64: return Do::Move64;
  case v_add_u32:
  case v_add_i32:
  case v_add_co_u32:
  case v_add_u16: return Do::Add;
  case v_sub_u32:
  case v_sub_i32:
  case v_sub_co_u32:
  case v_sub_u16: return Do::Sub;
  case v_subrev_u32:
  case v_subrev_co_u32:
  case v_subrev_u16: return Do::SubReverse;
  case v_mul_lo_u32:
  case v_mul_lo_u16: return Do::Multiply;
  case v_mul_hi_u32: return Do::MultiplyHigh;
  case v_mul_hi_i32: return Do::MultiplyHighSigned;
  case v_mul_u32_u24: return Do::Multiply24;
  case v_mul_i32_i24: return Do::Multiply24Signed;
  case v_mad_i32_i24: return Do::MultiplyAdd24Signed;
  case v_mad_u32_u24: return Do::MultiplyAdd24;
  case v_lshlrev_b32:
  case v_lshlrev_b16: return Do::ShiftLeftReverse;
  case v_lshrrev_b32:
  case v_lshrrev_b16: return Do::ShiftRightReverse;
  case v_ashrrev_i32: return Do::ShiftRightSignedReverse;
  case v_and_b32: return Do::And;
  case v_or_b32: return Do::Or;
  case v_xor_b32: return Do::Xor;
  case v_xnor_b32: return Do::NotXor;
  case v_not_b32: return Do::Not;
  case v_lshl_add_u32: return Do::ShiftLeftAdd;
  case v_add_lshl_u32: return Do::AddShiftLeft;
  case v_lshl_or_b32: return Do::ShiftLeftOr;
  case v_and_or_b32: return Do::AndOr;
  case v_or3_b32: return Do::Or3;
  case v_add3_u32: return Do::Add3;
  case v_xad_u32: return Do::XorAdd;
  case v_bitop3_b32: return Do::BitwiseAny;
  case v_lshl_add_u64: return Do::ShiftLeftAdd64;
  case v_mad_u64_u32: return Do::MultiplyAdd64;
  case v_bfe_u32: return Do::FieldUnsigned;
  case v_bfi_b32: return Do::FieldInsert;
  case v_bfm_b32: return Do::FieldMask;
  case v_min_u32: return Do::Min;
  case v_max_u32: return Do::Max;
  case v_min_i32: return Do::MinSigned;
  case v_max_i32: return Do::MaxSigned;
  case v_mbcnt_lo_u32_b32: return Do::LaneCountLow;
  case v_mbcnt_hi_u32_b32: return Do::LaneCountHigh;
  case v_readfirstlane_b32: return Do::FirstLane;
  case v_readlane_b32: return Do::ReadLane;
  case v_cndmask_b32: return Do::ByMask;
  case v_permlane16_swap_b32:
  case v_permlane32_swap_b32: return Do::SwapRows;
  default: return Do::Nothing;
  }
}

static Operation vectorOf(const InstrDesc &desc) {
  if (desc.comparison)
    return compareOf(*desc.comparison, Do::CompareVector);
  Operation op;
  op.narrow = desc.isWord;
  op.what = vectorArithmeticOf(desc.id);
  if (op.what == Do::SwapRows)
    op.amount = desc.id == Mnemonic::v_permlane16_swap_b32 ? 16 : 32;
  return op;
}

Operation operationOf(const InstrDesc &desc) {
  if (desc.isDpp)
    return {};
  if (desc.isSalu())
    return scalarOf(desc);
  if (desc.isValu())
    return vectorOf(desc);
  Operation op;
  if (desc.isSmem() && desc.mayLoad && desc.access.space == MemoryAccess::Space::Memory && !desc.isAtomic())
    op.what = Do::Load;
  return op;
}

LdsShape ldsShapeOf(const Isa &isa, const InstrDesc &desc) {
  using Kind = LdsShape::Kind;
  LdsShape shape;
  const MemoryAccess &access = desc.access;
  const unsigned lanes = isa.target().lanesPerWave;
  const MCInstrDesc &mc = isa.instrInfo().get(desc.opcode);
  const bool isDma = desc.isLdsDma, isDs = desc.isDs(), isAsyncCopy = desc.isCountedAsync && !isDs;
  if (desc.isCountedTensor) {
    // Descriptors of up to two dimensions have no more registers; of the others the tile is spread over all four
    // groups.
    constexpr unsigned groups = 2, others = 2;
    shape.kind = mc.getNumOperands() == groups + others && !mc.getNumDefs() ? Kind::Tile : Kind::Anywhere;
    return shape;
  }
  if (desc.isGenericFlat() && !isDma)
    shape.kind = Kind::Anywhere;
  if (!isDma && !isDs && !isAsyncCopy)
    return shape;
  if (access.space == MemoryAccess::Space::None || desc.isGws)
    return shape;
  shape.kind = Kind::Anywhere;
  if (isAsyncCopy) {
    // Each lane has its LDS address in the first operand, of stores from LDS in the last register; the offset is added
    // to it as to the address in memory (LLVM, IntrinsicsAMDGPU.td, of loads to LDS; AITER's kernels take it off
    // before), and the cache policy comes last.
    if (!access.bytes || mc.getNumOperands() < 4 || mc.getNumDefs())
      return shape;
    shape.kind = Kind::Address;
    shape.offsetAt = mc.getNumOperands() - 2;
    shape.addressAt = desc.isLdsStore ? shape.offsetAt - 1 : 0;
    shape.bytes = access.bytes;
    return shape;
  }
  if (isDma) {
    // The last operands: offset, cache policy and, of buffers, a bit of the encoding.
    const unsigned after = desc.format == Format::Flat ? 2 : 3;
    if (access.bytes == 8 || mc.getNumOperands() < after)
      return shape;
    shape.kind = Kind::Dma;
    shape.offsetAt = mc.getNumOperands() - after;
    // Three dwords leave a hole after each lane's.
    const unsigned bytes = std::max<unsigned>(access.bytes, 4), step = bytes == 12 ? 16 : bytes;
    shape.bytes = step * (lanes - 1) + bytes;
    return shape;
  }
  // [destination,] address, data, offsets, GDS: registers have a class, numbers haven't.
  unsigned offsetAt = mc.getNumDefs();
  while (offsetAt < mc.getNumOperands() && mc.operands()[offsetAt].RegClass >= 0)
    ++offsetAt;
  if (offsetAt == mc.getNumOperands())
    return shape;
  shape.offsetAt = offsetAt;
  if (access.address == MemoryAccess::Address::M0 || access.address == MemoryAccess::Address::M0Lanes) {
    shape.kind = access.address == MemoryAccess::Address::M0Lanes ? Kind::M0Lanes : Kind::M0;
    shape.bytes = access.bytes * (shape.kind == Kind::M0Lanes ? lanes : 1);
    return shape;
  }
  shape.bytes = access.bytes;
  if (!shape.bytes || offsetAt == mc.getNumDefs())
    return shape;
  shape.isPair = access.places == 2;
  if (shape.isPair) {
    shape.unit = access.offsetUnit;
    if (offsetAt + 1 >= mc.getNumOperands())
      return shape;
  }
  shape.addressAt = mc.getNumDefs();
  shape.kind = Kind::Address;
  return shape;
}

std::optional<TileRegisters> TileRegisters::of(const Isa &isa, const LdsShape &shape, const MCInst &inst) {
  const unsigned at = shape.addressAt;
  if (shape.kind != LdsShape::Kind::Tile || inst.getNumOperands() < at + 2u || !inst.getOperand(at).isReg() ||
      !inst.getOperand(at + 1).isReg())
    return std::nullopt;
  constexpr unsigned registersOfPlace = 4, registersOfTile = 8;
  const RegRange place = isa.regRange(inst.getOperand(at).getReg()),
                 tile = isa.regRange(inst.getOperand(at + 1).getReg());
  if (place.count != registersOfPlace || tile.count != registersOfTile)
    return std::nullopt;
  auto word = [](RegRange range, unsigned number) { return RegUnit(range.first + number); };
  return TileRegisters{word(place, 0), word(place, 1), word(tile, 0), word(tile, 3), word(tile, 4)};
}

} // namespace inflight::values
