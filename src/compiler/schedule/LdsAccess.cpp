#include "compiler/schedule/LdsAccess.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace inflight::lir {

/// N of "KEYN" among the modifiers, 0 without one.
static unsigned modifierValue(StringRef modifiers, StringRef key) {
  SmallVector<StringRef, 4> words;
  modifiers.split(words, ' ', -1, false);
  unsigned value = 0;
  for (StringRef word : words)
    if (word.consume_front(key))
      (void)word.getAsInteger(10, value);
  return value;
}

bool LdsAccess::overlaps(const LdsAccess &other) const {
  if (!(base == other.base))
    return true;
  for (const Range &a : ranges)
    for (const Range &b : other.ranges)
      if (a.offset < b.offset + b.size && b.offset < a.offset + a.size)
        return true;
  return false;
}

std::optional<LdsAccess> ldsAccess(const Inst &inst) {
  StringRef name = inst.mnemonic;
  bool reads = name.consume_front("ds_read"), writes = !reads && name.consume_front("ds_write");
  if (!reads && !writes)
    return std::nullopt;
  unsigned addressIndex = reads ? 1 : 0;
  if (inst.operands.size() <= addressIndex || !inst.operands[addressIndex].isReg())
    return std::nullopt;
  LdsAccess access;
  access.base = inst.operands[addressIndex].reg;
  if (name.consume_front("2")) {
    unsigned scale = name.consume_front("st64") ? 64 : 1;
    unsigned size = StringSwitch<unsigned>(name).Case("_b32", 4).Case("_b64", 8).Default(0);
    if (!size)
      return std::nullopt;
    for (StringRef key : {"offset0:", "offset1:"})
      access.ranges.push_back({modifierValue(inst.modifiers, key) * scale * size, size});
    return access;
  }
  unsigned size = StringSwitch<unsigned>(name)
                      .Cases({"_u8", "_i8", "_b8", "_u8_d16", "_u8_d16_hi", "_i8_d16", "_i8_d16_hi", "_b8_d16_hi"}, 1)
                      .Cases({"_u16", "_i16", "_b16", "_u16_d16", "_u16_d16_hi", "_b16_d16_hi"}, 2)
                      .Case("_b32", 4)
                      .Case("_b64", 8)
                      .Case("_b96", 12)
                      .Case("_b128", 16)
                      .Default(0);
  if (!size)
    return std::nullopt;
  access.ranges.push_back({modifierValue(inst.modifiers, "offset:"), size});
  return access;
}

} // namespace inflight::lir
