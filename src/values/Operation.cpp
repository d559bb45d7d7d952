#include "values/Operation.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace inflight::values {

static bool consumeRelation(StringRef &name, Relation &relation) {
  static constexpr std::pair<const char *, Relation> names[] = {{"eq_", Relation::Equal},  {"lg_", Relation::NotEqual}, {"ne_", Relation::NotEqual},
                                                                {"lt_", Relation::Less},   {"le_", Relation::LessEqual}, {"gt_", Relation::Greater},
                                                                {"ge_", Relation::GreaterEqual}};
  for (auto [text, value] : names)
    if (name.consume_front(text)) {
      relation = value;
      return true;
    }
  return false;
}

static Operation compareOf(StringRef type, Operation op, Do what) {
  if (type == "u32" || type == "i32") {
    op.what = what;
    op.isSigned = type == "i32";
  }
  if (type == "u64" && what == Do::Compare && (op.relation == Relation::Equal || op.relation == Relation::NotEqual))
    op.what = Do::Compare64;
  return op;
}

static Operation scalarOf(StringRef name) {
  Operation op;
  StringRef rest = name;
  if (rest.consume_front("s_cmpk_") && consumeRelation(rest, op.relation)) {
    op.immediateSource = true;
    return compareOf(rest, op, Do::Compare);
  }
  if (rest.consume_front("s_cmp_") && consumeRelation(rest, op.relation))
    return compareOf(rest, op, Do::Compare);
  if (name == "s_movk_i32" || name == "s_addk_i32" || name == "s_mulk_i32") {
    op.immediateSource = true;
    op.what = name == "s_movk_i32" ? Do::Move : name == "s_addk_i32" ? Do::Add : Do::Multiply;
    return op;
  }
  rest = name;
  if (rest.consume_front("s_lshl") && rest.size() == 9 && rest.ends_with("_add_u32") && isDigit(rest[0])) {
    op.what = Do::ShiftedAdd;
    op.amount = rest[0] - '0';
    return op;
  }
  if (name.ends_with("_saveexec_b64")) {
    op.what = Do::SaveExec;
    op.amount = uint8_t(StringSwitch<Do>(name)
                            .Case("s_and_saveexec_b64", Do::And)
                            .Case("s_or_saveexec_b64", Do::Or)
                            .Case("s_xor_saveexec_b64", Do::Xor)
                            .Case("s_andn2_saveexec_b64", Do::AndNot)
                            .Default(Do::Nothing));
    return op;
  }
  op.what = StringSwitch<Do>(name)
                .Case("s_mov_b32", Do::Move)
                .Cases({"s_add_u32", "s_add_i32"}, Do::Add)
                .Cases({"s_sub_u32", "s_sub_i32"}, Do::Sub)
                .Case("s_mul_i32", Do::Multiply)
                .Case("s_mul_hi_u32", Do::MultiplyHigh)
                .Case("s_mul_hi_i32", Do::MultiplyHighSigned)
                .Case("s_lshl_b32", Do::ShiftLeft)
                .Case("s_lshr_b32", Do::ShiftRight)
                .Case("s_ashr_i32", Do::ShiftRightSigned)
                .Case("s_and_b32", Do::And)
                .Case("s_or_b32", Do::Or)
                .Case("s_xor_b32", Do::Xor)
                .Case("s_andn2_b32", Do::AndNot)
                .Case("s_orn2_b32", Do::OrNot)
                .Case("s_nand_b32", Do::NotAnd)
                .Case("s_nor_b32", Do::NotOr)
                .Case("s_xnor_b32", Do::NotXor)
                .Case("s_not_b32", Do::Not)
                .Case("s_bfe_u32", Do::FieldPacked)
                .Case("s_bfm_b32", Do::FieldMask)
                .Case("s_min_u32", Do::Min)
                .Case("s_max_u32", Do::Max)
                .Case("s_min_i32", Do::MinSigned)
                .Case("s_max_i32", Do::MaxSigned)
                .Case("s_pack_ll_b32_b16", Do::PackLow)
                .Case("s_cselect_b32", Do::Select)
                .Case("s_cselect_b64", Do::Select64)
                .Case("s_mov_b64", Do::Move64)
                .Case("s_and_b64", Do::And64)
                .Case("s_or_b64", Do::Or64)
                .Case("s_xor_b64", Do::Xor64)
                .Case("s_andn2_b64", Do::AndNot64)
                .Case("s_orn2_b64", Do::OrNot64)
                .Default(Do::Nothing);
  return op;
}

static Operation vectorOf(StringRef name) {
  Operation op;
  StringRef rest = name;
  if (rest.consume_front("v_cmp_") && consumeRelation(rest, op.relation))
    return compareOf(rest, op, Do::CompareVector);
  op.narrow = name.ends_with("_u16") || name.ends_with("_b16");
  op.what = StringSwitch<Do>(name)
                .Case("v_mov_b32", Do::Move)
                .Cases({"v_add_u32", "v_add_co_u32", "v_add_u16"}, Do::Add)
                .Cases({"v_sub_u32", "v_sub_co_u32", "v_sub_u16"}, Do::Sub)
                .Cases({"v_subrev_u32", "v_subrev_co_u32", "v_subrev_u16"}, Do::SubReverse)
                .Cases({"v_mul_lo_u32", "v_mul_lo_u16"}, Do::Multiply)
                .Case("v_mul_hi_u32", Do::MultiplyHigh)
                .Case("v_mul_hi_i32", Do::MultiplyHighSigned)
                .Case("v_mul_u32_u24", Do::Multiply24)
                .Case("v_mul_i32_i24", Do::Multiply24Signed)
                .Case("v_mad_i32_i24", Do::MultiplyAdd24Signed)
                .Case("v_mad_u32_u24", Do::MultiplyAdd24)
                .Cases({"v_lshlrev_b32", "v_lshlrev_b16"}, Do::ShiftLeftReverse)
                .Cases({"v_lshrrev_b32", "v_lshrrev_b16"}, Do::ShiftRightReverse)
                .Case("v_ashrrev_i32", Do::ShiftRightSignedReverse)
                .Case("v_and_b32", Do::And)
                .Case("v_or_b32", Do::Or)
                .Case("v_xor_b32", Do::Xor)
                .Case("v_xnor_b32", Do::NotXor)
                .Case("v_not_b32", Do::Not)
                .Case("v_lshl_add_u32", Do::ShiftLeftAdd)
                .Case("v_add_lshl_u32", Do::AddShiftLeft)
                .Case("v_lshl_or_b32", Do::ShiftLeftOr)
                .Case("v_and_or_b32", Do::AndOr)
                .Case("v_or3_b32", Do::Or3)
                .Case("v_add3_u32", Do::Add3)
                .Case("v_xad_u32", Do::XorAdd)
                .Case("v_bitop3_b32", Do::BitwiseAny)
                .Case("v_lshl_add_u64", Do::ShiftLeftAdd64)
                .Case("v_mad_u64_u32", Do::MultiplyAdd64)
                .Case("v_bfe_u32", Do::FieldUnsigned)
                .Case("v_bfi_b32", Do::FieldInsert)
                .Case("v_bfm_b32", Do::FieldMask)
                .Case("v_min_u32", Do::Min)
                .Case("v_max_u32", Do::Max)
                .Case("v_min_i32", Do::MinSigned)
                .Case("v_max_i32", Do::MaxSigned)
                .Case("v_mbcnt_lo_u32_b32", Do::LaneCountLow)
                .Case("v_mbcnt_hi_u32_b32", Do::LaneCountHigh)
                .Case("v_readfirstlane_b32", Do::FirstLane)
                .Case("v_readlane_b32", Do::ReadLane)
                .Case("v_cndmask_b32", Do::ByMask)
                .Default(Do::Nothing);
  return op;
}

Operation operationOf(const InstrDesc &desc) {
  if (desc.isDpp)
    return {};
  if (desc.isSalu())
    return scalarOf(desc.mnemonic);
  if (desc.isValu())
    return vectorOf(desc.mnemonic);
  Operation op;
  if (desc.isSmem() && StringRef(desc.mnemonic).contains("_load_"))
    op.what = Do::Load;
  return op;
}

/// Bytes that a DS instruction moves for a lane at one place; 0 where its name doesn't say.
static unsigned bytesOf(StringRef name) {
  // The type is the last part that is one: "ds_read_u8_d16_hi", "ds_add_rtn_u32", "ds_read_b64_tr_b16".
  if (name.contains("_tr_"))
    return name.starts_with("ds_read_b96") ? 12 : 8;
  SmallVector<StringRef, 8> parts;
  name.split(parts, '_');
  for (StringRef part : reverse(parts)) {
    unsigned bits;
    if (part == "bf16" || part == "pkbf16" || part == "f16")
      return 4; // pairs
    if (part.size() > 1 && StringRef("bufi").contains(part[0]) && !part.drop_front().getAsInteger(10, bits))
      return bits / 8;
  }
  return 0;
}

LdsShape ldsShapeOf(const Isa &isa, const InstrDesc &desc) {
  using Kind = LdsShape::Kind;
  LdsShape shape;
  StringRef name = desc.mnemonic;
  const unsigned lanes = isa.target().lanesPerWave;
  const MCInstrDesc &mc = isa.instrInfo().get(desc.opcode);
  const bool isDma = desc.isLdsDma, isDs = desc.isDs();
  if (desc.isGenericFlat() && !isDma)
    shape.kind = Kind::Anywhere;
  if (!isDma && !isDs)
    return shape;
  if (name.starts_with("ds_bpermute") || name.starts_with("ds_permute") || name.starts_with("ds_swizzle") || name.starts_with("ds_gws") ||
      name == "ds_nop")
    return shape;
  shape.kind = Kind::Anywhere;
  if (isDma) {
    // The last operands: offset, cache policy and, of buffers, a bit of the encoding.
    const unsigned behind = desc.format == Format::Flat ? 2 : 3;
    if (name.contains("x2") || mc.getNumOperands() < behind)
      return shape;
    shape.kind = Kind::Dma;
    shape.offsetAt = mc.getNumOperands() - behind;
    // Three dwords leave a hole behind each lane's.
    const unsigned bytes = name.contains("x3") ? 12 : name.contains("x4") ? 16 : 4, step = bytes == 12 ? 16 : bytes;
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
  if (name == "ds_append" || name == "ds_consume" || name.contains("addtid")) {
    shape.kind = name.contains("addtid") ? Kind::M0Lanes : Kind::M0;
    shape.bytes = name.contains("addtid") ? 4 * lanes : 4;
    return shape;
  }
  shape.bytes = bytesOf(name);
  if (!shape.bytes || offsetAt == mc.getNumDefs())
    return shape;
  shape.isPair = name.contains("read2") || name.contains("write2") || name.contains("xchg2");
  if (shape.isPair) {
    shape.unit = shape.bytes * (name.contains("st64") ? 64 : 1);
    if (offsetAt + 1 >= mc.getNumOperands())
      return shape;
  }
  shape.addressAt = mc.getNumDefs();
  shape.kind = Kind::Address;
  return shape;
}

} // namespace inflight::values
