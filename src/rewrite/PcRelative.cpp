#include "rewrite/PcRelative.h"

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight {

namespace {
constexpr uint32_t wordSize = 4; ///< bytes

Error failAt(const Program &program, uint32_t instruction, const Twine &message) {
  return errorAt({program.name().str()},
                 "0x" + Twine::utohexstr(program.instructions()[instruction].address) + ": " + message);
}

/// What is known of an SGPR.
struct Value {
  enum class Kind : uint8_t { Unknown, Computed, Constant, PcLow, PcHigh, Pointer } kind = Kind::Unknown;
  uint32_t value = 0;    ///< of a constant
  uint32_t source = ~0u; ///< the instruction that holds it; PcLow, PcHigh: the s_getpc_b64
  bool isNegated = false, isAbsolute = false, isRelocated = false;
};

/// Follows the scalar registers through one block.
class BlockReader {
public:
  BlockReader(const Program &program, const CodeLayout &layout, const std::function<bool(uint32_t)> &relocated,
              std::vector<PcReference> &found)
      : program(program), layout(layout), relocated(relocated), found(found) {}
  Error read(const Block &block);

private:
  struct Sum { ///< of the lower half, whose carry is still to be added
    uint32_t getpc, instruction;
    Value constant;
    bool isSubtracted;
  };
  const Instruction &instruction(uint32_t i) const { return program.instructions()[i]; }
  uint32_t word(uint32_t i, unsigned index = 0) const {
    return support::endian::read32le(layout.oldBytesOf(i) + size_t(wordSize) * index);
  }
  Value operand(uint32_t i, unsigned code) const;
  /// Fields of SOP1, SOP2 and SOPK (ISA manuals, "Microcode formats").
  struct Fields {
    unsigned source0, source1, destination, immediate;
  };
  struct Result {
    Value low;
    std::optional<Value> high; ///< of the next register
  };
  void forget(const Instruction &current);
  std::optional<Result> resultOf(uint32_t i, const Fields &fields);
  Error stepSum(uint32_t i, const Fields &fields);
  Error stepOther(uint32_t i);
  Error step(uint32_t i);
  Error add(uint32_t i, const Value &a, const Value &b, bool isSubtraction, Value &result);
  Error addHigh(uint32_t i, const Value &a, const Value &b, bool isSubtraction, Value &result);
  Value *find(RegUnit unit) {
    auto it = values.find(unit);
    return it == values.end() ? nullptr : &it->second;
  }
  Error notUnderstood(uint32_t i) const {
    return failAt(program, i,
                  "'" + program.text(i) +
                      "' uses the address of an s_getpc_b64 in a way that can't be followed when code moves");
  }

  const Program &program;
  const CodeLayout &layout;
  const std::function<bool(uint32_t)> &relocated;
  std::vector<PcReference> &found;
  SmallDenseMap<RegUnit, Value, 16> values;
  SmallVector<Sum, 2> pending;
};

/// A scalar source's value (ISA manuals, "Scalar operands").
Value BlockReader::operand(uint32_t i, unsigned code) const {
  constexpr unsigned zero = 128, minusOne = 193, minusSixteen = 208, literal = 255;
  Value value;
  if (auto it = values.find(RegUnit(code)); code < zero && it != values.end())
    return it->second;
  auto constant = [&](uint32_t number) {
    value.kind = Value::Kind::Constant;
    value.value = number;
    return value;
  };
  if (code >= zero && code < minusOne)
    return constant(code - zero);
  if (code >= minusOne && code <= minusSixteen)
    return constant(minusOne - 1 - code);
  if (code == literal && instruction(i).length == 2 * wordSize) {
    value.source = i;
    value.isRelocated = relocated(i);
    return constant(word(i, 1));
  }
  return value;
}

Error BlockReader::add(uint32_t i, const Value &a, const Value &b, bool isSubtraction, Value &result) {
  const bool aIsPc = a.kind == Value::Kind::PcLow, bIsPc = b.kind == Value::Kind::PcLow;
  const bool constants = a.kind == Value::Kind::Constant && b.kind == Value::Kind::Constant;
  if (constants) {
    result.kind = Value::Kind::Constant;
    result.value = isSubtraction ? a.value - b.value : a.value + b.value;
    const bool ofB = a.source == ~0u;
    const Value &from = ofB ? b : a;
    // With two sources there is no telling which one to change; absolute values don't distribute over sums.
    if ((a.source != ~0u && b.source != ~0u) || from.isAbsolute)
      result.kind = Value::Kind::Computed;
    result.source = from.source;
    result.isRelocated = from.isRelocated;
    result.isNegated = from.isNegated != (isSubtraction && ofB);
    return Error::success();
  }
  result.kind = Value::Kind::Computed;
  if (!aIsPc && !bIsPc)
    return Error::success();
  const Value &constant = aIsPc ? b : a;
  if (constant.kind != Value::Kind::Constant || (isSubtraction && !aIsPc))
    return notUnderstood(i);
  const uint32_t getpc = (aIsPc ? a : b).source;
  llvm::erase_if(pending, [&](const Sum &sum) { return sum.getpc == getpc; });
  pending.push_back({getpc, i, constant, isSubtraction});
  result.kind = Value::Kind::Pointer;
  return Error::success();
}

Error BlockReader::addHigh(uint32_t i, const Value &a, const Value &b, bool isSubtraction, Value &result) {
  const bool aIsPc = a.kind == Value::Kind::PcHigh, bIsPc = b.kind == Value::Kind::PcHigh;
  result.kind = Value::Kind::Computed;
  if (!aIsPc && !bIsPc)
    return Error::success();
  const Value &constant = aIsPc ? b : a;
  const uint32_t getpc = (aIsPc ? a : b).source;
  auto sum = llvm::find_if(pending, [&](const Sum &s) { return s.getpc == getpc; });
  if (constant.kind != Value::Kind::Constant || constant.isAbsolute || constant.isNegated || sum == pending.end() ||
      sum->isSubtracted != isSubtraction || (isSubtraction && !aIsPc))
    return notUnderstood(i);
  PcReference reference;
  reference.kind = PcReference::Kind::Sum;
  reference.base = getpc;
  reference.low = sum->constant.source;
  reference.lowValue = sum->constant.value;
  reference.isNegated = sum->constant.isNegated;
  reference.isAbsolute = sum->constant.isAbsolute;
  reference.isSubtracted = isSubtraction;
  reference.isRelocated = sum->constant.isRelocated;
  reference.high = constant.source;
  reference.fixedHigh = constant.value;
  const uint64_t distance = uint64_t(constant.value) << 32 | sum->constant.value;
  const uint64_t from = layout.addressOf(getpc) + instruction(getpc).length;
  reference.target = isSubtraction ? from - distance : from + distance;
  if (constant.isRelocated && !reference.isRelocated)
    return notUnderstood(i);
  found.push_back(reference);
  pending.erase(sum);
  result.kind = Value::Kind::Pointer;
  return Error::success();
}

/// Registers that aren't known to hold anything any more.
void BlockReader::forget(const Instruction &current) {
  for (RegRange range : program.writes(current))
    for (RegUnit unit = range.first; unit < range.first + range.count; ++unit)
      values.erase(unit);
}

/// What an instruction other than a sum leaves in its destination, if that is followed.
std::optional<BlockReader::Result> BlockReader::resultOf(uint32_t i, const Fields &fields) {
  using enum Mnemonic;
  Value result;
  switch (instruction(i).desc->id) {
  case s_getpc_b64: {
    result.kind = Value::Kind::PcLow;
    result.source = i;
    Value high = result;
    high.kind = Value::Kind::PcHigh;
    return Result{result, high};
  }
  case s_mov_b32: return Result{operand(i, fields.source0), std::nullopt};
  case s_sext_i32_i16:
    // gfx12 leaves out the sign of the 48 bits that an address has.
    result = operand(i, fields.source0);
    return result.kind == Value::Kind::PcHigh ? std::optional(Result{result, std::nullopt}) : std::nullopt;
  case s_mov_b64:
    if (fields.source0 >= 128)
      return std::nullopt;
    return Result{operand(i, fields.source0), operand(i, fields.source0 + 1)};
  case s_movk_i32:
    result.kind = Value::Kind::Constant;
    result.value = SignExtend32<16>(fields.immediate);
    result.source = i;
    return Result{result, std::nullopt};
  case s_abs_i32: {
    result = operand(i, fields.source0);
    if (result.kind != Value::Kind::Constant)
      return std::nullopt;
    if (int32_t(result.value) < 0) {
      result.value = -result.value;
      result.isNegated = !result.isNegated;
    }
    result.isAbsolute = true;
    return Result{result, std::nullopt};
  }
  case s_ashr_i32: {
    // The sign of a distance, as its upper half.
    const Value value = operand(i, fields.source0), by = operand(i, fields.source1);
    if (value.kind != Value::Kind::Constant || by.kind != Value::Kind::Constant || by.value != 31)
      return std::nullopt;
    result.kind = Value::Kind::Constant;
    result.value = int32_t(value.value) < 0 ? ~0u : 0;
    return Result{result, std::nullopt};
  }
  default: return std::nullopt;
  }
}

Error BlockReader::stepSum(uint32_t i, const Fields &fields) {
  using enum Mnemonic;
  const Mnemonic id = instruction(i).desc->id;
  const bool isLow = id == s_add_u32 || id == s_add_i32 || id == s_sub_u32 || id == s_sub_i32;
  const bool subtracts = id == s_sub_u32 || id == s_sub_i32 || id == s_subb_u32;
  const Value a = operand(i, fields.source0), b = operand(i, fields.source1);
  const Value::Kind wrong = isLow ? Value::Kind::PcHigh : Value::Kind::PcLow;
  if (a.kind == wrong || b.kind == wrong)
    return notUnderstood(i);
  Value result;
  if (Error error = isLow ? add(i, a, b, subtracts, result) : addHigh(i, a, b, subtracts, result))
    return error;
  forget(instruction(i));
  values[fields.destination] = result;
  return Error::success();
}

/// Steps over what isn't followed: it must leave the address of an s_getpc_b64 alone.
Error BlockReader::stepOther(uint32_t i) {
  const Instruction &current = instruction(i);
  const InstrDesc &desc = *current.desc;
  for (RegRange range : program.reads(current))
    for (RegUnit unit = range.first; unit < range.first + range.count; ++unit)
      if (Value *value = find(unit); value && (value->kind == Value::Kind::PcLow || value->kind == Value::Kind::PcHigh))
        return notUnderstood(i);
  if (desc.id == Mnemonic::s_setpc_b64 || desc.id == Mnemonic::s_swappc_b64)
    if (Value *value = find(word(i) & 0xff); value && value->kind == Value::Kind::Computed)
      return failAt(program, i,
                    "'" + program.text(i) +
                        "' goes to an address that is computed: where it goes when code moves can't be told");
  // Sums and products as opposed to pointers that are chosen from others or were spilled.
  const bool isScalarMath = (desc.format == Format::Sop2 || desc.format == Format::Sopk) && desc.isScalarArithmetic;
  Value computed;
  computed.kind = Value::Kind::Computed;
  for (RegRange range : program.writes(current))
    for (RegUnit unit = range.first; unit < range.first + range.count; ++unit) {
      if (isScalarMath && isScalar(unit))
        values[unit] = computed;
      else
        values.erase(unit);
    }
  return Error::success();
}

Error BlockReader::step(uint32_t i) {
  using enum Mnemonic;
  const Instruction &current = instruction(i);
  const InstrDesc &desc = *current.desc;
  if (desc.format != Format::Sop1 && desc.format != Format::Sop2 && desc.format != Format::Sopk)
    return stepOther(i);
  const uint32_t encoded = word(i);
  const Fields fields{encoded & 0xff, encoded >> 8 & 0xff, encoded >> 16 & 0x7f, encoded & 0xffff};
  if (is_contained({s_add_u32, s_add_i32, s_sub_u32, s_sub_i32, s_addc_u32, s_subb_u32}, desc.id))
    return stepSum(i, fields);
  std::optional<Result> result = resultOf(i, fields);
  if (!result)
    return stepOther(i);
  forget(current);
  values[fields.destination] = result->low;
  if (result->high)
    values[fields.destination + 1] = *result->high;
  return Error::success();
}

Error BlockReader::read(const Block &block) {
  values.clear();
  pending.clear();
  SmallVector<uint32_t, 2> made;
  const size_t before = found.size();
  for (uint32_t i = block.begin; i < block.end; ++i) {
    const Instruction &current = instruction(i);
    const InstrDesc &desc = *current.desc;
    if (desc.isBranch && (desc.format == Format::Sopp || desc.format == Format::Sopk)) {
      if (desc.id != Mnemonic::s_call_b64 && desc.format == Format::Sopk)
        return failAt(program, i, "'" + program.text(i) + "' can't be followed when code moves");
      PcReference reference;
      reference.base = reference.low = i;
      reference.isRelocated = relocated(i);
      // SIMM16 counts words from the next instruction (ISA manuals, SOPP and S_CALL_B64).
      reference.target = layout.addressOf(i) + wordSize + int64_t(wordSize) * SignExtend64<16>(word(i) & 0xffff);
      found.push_back(reference);
    } else if (desc.isBranch && desc.format == Format::Sop1 && desc.id != Mnemonic::s_setpc_b64 &&
               desc.id != Mnemonic::s_swappc_b64) {
      return failAt(program, i, "'" + program.text(i) + "' can't be followed when code moves");
    }
    if (desc.format == Format::Sop1 && desc.id == Mnemonic::s_getpc_b64)
      made.push_back(i);
    if (Error error = step(i))
      return error;
  }
  for (const auto &[unit, value] : values)
    if (value.kind == Value::Kind::PcLow || value.kind == Value::Kind::PcHigh)
      if (none_of(ArrayRef(found).drop_front(before),
                  [&](const PcReference &r) { return r.kind == PcReference::Kind::Sum && r.base == value.source; }))
        return failAt(program, value.source,
                      "what is added to the address of this s_getpc_b64 can't be followed when code moves");
  if (!pending.empty())
    return notUnderstood(pending.front().instruction);
  return Error::success();
}
} // namespace

Expected<std::vector<PcReference>> findPcReferences(const Program &program, const CodeLayout &layout,
                                                    const std::function<bool(uint32_t)> &relocated) {
  std::vector<PcReference> found;
  BlockReader reader(program, layout, relocated, found);
  for (const Block &block : program.blocks())
    if (Error error = reader.read(block))
      return std::move(error);
  return found;
}

/// Adds `change` to the constant of an instruction.
static Error changeConstant(const Program &program, CodeLayout &layout, uint32_t i, uint32_t change) {
  if (!change)
    return Error::success();
  char *bytes = i == ~0u ? nullptr : layout.bytesOf(i);
  if (!bytes)
    return makeError(program.name() + ": error: a distance is made of constants that can't be changed");
  using namespace support::endian;
  if (program.instructions()[i].length == 2 * wordSize) {
    write32le(bytes + wordSize, read32le(bytes + wordSize) + change);
    return Error::success();
  }
  // s_movk_i32
  const uint32_t value = SignExtend32<16>(read32le(bytes) & 0xffff) + change;
  if (program.instructions()[i].desc->format != Format::Sopk || !isInt<16>(int32_t(value)))
    return failAt(program, i, "the constant of '" + program.text(i) + "' is too small for a distance when code moves");
  write16le(bytes, uint16_t(value));
  return Error::success();
}

Error retarget(const PcReference &reference, const Program &program, CodeLayout &layout) {
  using namespace support::endian;
  const uint64_t to = layout.target(reference.target);
  const uint64_t from = layout.newAddressOf(reference.base) + wordSize;
  if (reference.kind == PcReference::Kind::Branch) {
    const int64_t words = int64_t(to - from) / wordSize;
    if (!isInt<16>(words))
      return failAt(program, reference.base,
                    "'" + program.text(reference.base) + "' is too far from its target when code moves");
    write16le(layout.bytesOf(reference.base), uint16_t(words));
    return Error::success();
  }
  const uint64_t distance = reference.isSubtracted ? from - to : to - from;
  const uint32_t high = distance >> 32, low = uint32_t(distance);
  const bool keepsHigh = high == reference.fixedHigh;
  if (!keepsHigh && reference.high == ~0u)
    return failAt(program, reference.base,
                  "the distance added to this s_getpc_b64 doesn't fit its constants when code moves");
  if (reference.isAbsolute && int32_t(low) < 0)
    return failAt(program, reference.base, "the distance added to this s_getpc_b64 changes its sign when code moves");
  const uint32_t change = low - reference.lowValue;
  if (Error error = changeConstant(program, layout, reference.low, reference.isNegated ? -change : change))
    return error;
  return keepsHigh ? Error::success() : changeConstant(program, layout, reference.high, high - reference.fixedHigh);
}

} // namespace inflight
