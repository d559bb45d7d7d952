#include "isa/counters/WaitEncoding.h"

#include "isa/counters/Counters.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace inflight {

/// The family's, whichever counters the chip has. Those that wait for more come first.
SmallVector<WaitEncoding::Form, 10> WaitEncoding::formsOf(ArrayRef<CounterInfo> counters) {
  auto has = [&](StringRef name) {
    return any_of(counters, [&](const CounterInfo &info) { return info.name == name; });
  };
  using enum Mnemonic;
  // ISA manuals, S_WAITCNT.
  if (!has("loadcnt") && !has("vscnt"))
    return {{s_waitcnt, Style::Named, {{"vmcnt", 0, 4, 14, 2}, {"expcnt", 4, 3}, {"lgkmcnt", 8, 4}}}};
  // AMD RDNA 3 and 3.5 ISA, S_WAITCNT and S_WAITCNT_*CNT.
  if (!has("loadcnt"))
    return {{s_waitcnt, Style::Named, {{"vmcnt", 10, 6}, {"expcnt", 0, 3}, {"lgkmcnt", 4, 6}}},
            {s_waitcnt_vscnt, Style::Null, {{"vscnt", 0, 16}}},
            {s_waitcnt_vmcnt, Style::Null, {{"vmcnt", 0, 16}}},
            {s_waitcnt_lgkmcnt, Style::Null, {{"lgkmcnt", 0, 16}}},
            {s_waitcnt_expcnt, Style::Null, {{"expcnt", 0, 16}}}};
  // AMD RDNA 4 ISA, S_WAIT_*CNT; LLVM, AMDGPUBaseInfo.cpp, encodeLoadcntDscnt and encodeStorecntDscnt.
  return {{s_wait_loadcnt_dscnt, Style::Number, {{"loadcnt", 8, 6}, {"dscnt", 0, 6}}},
          {s_wait_storecnt_dscnt, Style::Number, {{"storecnt", 8, 6}, {"dscnt", 0, 6}}},
          {s_wait_loadcnt, Style::Number, {{"loadcnt", 0, 16}}},
          {s_wait_storecnt, Style::Number, {{"storecnt", 0, 16}}},
          {s_wait_samplecnt, Style::Number, {{"samplecnt", 0, 16}}},
          {s_wait_bvhcnt, Style::Number, {{"bvhcnt", 0, 16}}},
          {s_wait_dscnt, Style::Number, {{"dscnt", 0, 16}}},
          {s_wait_kmcnt, Style::Number, {{"kmcnt", 0, 16}}},
          {s_wait_expcnt, Style::Number, {{"expcnt", 0, 16}}},
          {s_wait_xcnt, Style::Number, {{"xcnt", 0, 16}}},
          {s_wait_asynccnt, Style::Number, {{"asynccnt", 0, 16}}},
          {s_wait_tensorcnt, Style::Number, {{"tensorcnt", 0, 16}}},
          {s_wait_alu, Style::Alu, {{"va_vdst", 12, 4}, {"vm_vsrc", 2, 3}}}};
}

/// What else S_WAIT_ALU has (LLVM, AMDGPUAsmUtils.cpp, DepCtrInfo). All ones in each field wait for nothing.
namespace {
struct AluField {
  StringRef name;
  unsigned at, bits;
};
} // namespace
static constexpr AluField otherAluFields[] = {
    {"va_sdst", 9, 3}, {"va_ssrc", 8, 1}, {"hold_cnt", 7, 1}, {"va_vcc", 1, 1}, {"sa_sdst", 0, 1}};
static constexpr uint16_t mask(unsigned at, unsigned bits) { return uint16_t(((1u << bits) - 1) << at); }

uint16_t WaitEncoding::othersOf(const Form &form, uint16_t immediate) {
  uint16_t none = 0, followed = 0;
  for (const AluField &field : otherAluFields)
    none |= mask(field.at, field.bits);
  for (const Field &field : form.fields)
    followed |= mask(field.at, field.bits);
  return uint16_t((immediate ^ none) & ~followed);
}

std::string WaitEncoding::aluText(const Form &form, uint16_t immediate) const {
  std::string text;
  uint16_t said = 0;
  auto add = [&](StringRef name, unsigned at, unsigned bits) {
    said |= mask(at, bits);
    if (const unsigned value = immediate >> at & mask(0, bits); value != mask(0, bits))
      text += (Twine(text.empty() ? "" : " ") + "depctr_" + name + "(" + Twine(value) + ")").str();
  };
  for (const Field &field : form.fields)
    add(field.name, field.at, field.bits);
  for (const AluField &field : otherAluFields)
    add(field.name, field.at, field.bits);
  // Bits without a name are said by the number.
  return text.empty() || (immediate & ~said) ? "0x" + utohexstr(immediate, /*LowerCase=*/true) : text;
}

Expected<WaitEncoding> WaitEncoding::make(ArrayRef<CounterInfo> counters) {
  WaitEncoding encoding;
  CounterSet known = 0;
  for (Form &form : formsOf(counters)) {
    for (Field &field : form.fields) {
      field.limit = field.maximum();
      for (const auto &[number, info] : enumerate(counters)) {
        if (field.name != info.name)
          continue;
        if (info.maximum > field.maximum() || (form.style == Style::Named && info.maximum != field.maximum()))
          return makeError(nameOf(form.mnemonic) + " has no counter '" + info.name + "' up to " +
                           std::to_string(info.maximum));
        field.counters |= setOf(Counter(number));
        field.limit = info.maximum;
        known |= setOf(Counter(number));
      }
    }
    const bool isComplete =
        all_of(form.fields, [](const Field &f) { return (f.counters != 0) != (f.name == "expcnt"); });
    if (isComplete)
      encoding.forms.push_back(std::move(form));
    else if (form.style == Style::Named)
      return makeError("the counters of " + nameOf(form.mnemonic) + " are vmcnt and lgkmcnt");
  }
  for (const auto &[number, info] : enumerate(counters))
    if (!(known & setOf(Counter(number))))
      return makeError("no instruction waits for '" + info.name + "'");
  return encoding;
}

WaitOperands WaitEncoding::decode(Mnemonic mnemonic, uint16_t immediate) const {
  WaitOperands wait;
  const Form *form = formOf(mnemonic);
  if (!form)
    return wait;
  auto part = [&](unsigned at, unsigned bits) { return immediate >> at & ((1u << bits) - 1); };
  for (const Field &field : form->fields)
    field.set(wait, field.count(part(field.at, field.bits) | part(field.upperAt, field.upperBits) << field.bits));
  if (form->style == Style::Alu)
    wait.others = othersOf(*form, immediate);
  return wait;
}

uint16_t WaitEncoding::encode(const Form &form, const WaitOperands &wait) {
  unsigned immediate = form.style == Style::Alu ? othersOf(form, wait.others) : 0;
  for (const Field &field : form.fields) {
    const unsigned value = std::min(field.of(wait).valueOr(~0u), field.maximum());
    immediate |= (value & ((1u << field.bits) - 1)) << field.at | value >> field.bits << field.upperAt;
  }
  return immediate;
}

SmallVector<WaitInstruction, 2> WaitEncoding::instructions(const WaitOperands &wait) const {
  SmallVector<WaitInstruction, 2> result;
  WaitOperands left = wait;
  for (const Form &form : forms) {
    auto isWanted = [&](const Field &field) { return !field.of(left).isNone(); };
    // s_waitcnt may leave a counter out; those for pairs mean both.
    const bool isAny = any_of(form.fields, isWanted) || (form.style == Style::Alu && left.others);
    if (form.style == Style::Named || form.style == Style::Alu ? !isAny : !all_of(form.fields, isWanted))
      continue;
    result.push_back({form.mnemonic, encode(form, left)});
    for (const Field &field : form.fields)
      field.set(left, WaitCount::none());
  }
  return result;
}

std::string WaitEncoding::text(WaitInstruction instruction) const {
  const Form *form = formOf(instruction.mnemonic);
  if (form && form->style == Style::Named)
    return (nameOf(instruction.mnemonic) + " " + operands(decode(instruction.mnemonic, instruction.immediate))).str();
  if (form && form->style == Style::Alu)
    return (nameOf(instruction.mnemonic) + " " + aluText(*form, instruction.immediate)).str();
  return (nameOf(instruction.mnemonic) + (form && form->style == Style::Null ? " null, 0x" : " 0x") +
          Twine(utohexstr(instruction.immediate, /*LowerCase=*/true)))
      .str();
}

SmallVector<std::string, 2> WaitEncoding::texts(const WaitOperands &wait) const {
  SmallVector<std::string, 2> result;
  for (WaitInstruction instruction : instructions(wait))
    result.push_back(text(instruction));
  if (result.empty() && !isSplit())
    result.push_back(text(WaitInstruction{mnemonic, encode(wait)}));
  return result;
}

std::string WaitEncoding::text(const WaitOperands &wait) const { return join(texts(wait), ", "); }

std::string WaitEncoding::operands(const WaitOperands &wait) const {
  std::string text;
  for (const Field &field : forms.front().fields)
    if (const WaitCount count = field.of(wait); !count.isNone() || wait == WaitOperands())
      text += (Twine(text.empty() ? "" : " ") + field.name + "(" + Twine(count.valueOr(field.maximum())) + ")").str();
  return text;
}

std::optional<WaitOperands> WaitEncoding::read(StringRef &text) const {
  WaitOperands wait;
  bool isAny = false;
  for (const Field &field : forms.front().fields) {
    StringRef rest = text.ltrim();
    if (!rest.consume_front(field.name))
      continue;
    unsigned value = 0;
    if (!rest.consume_front("(") || rest.consumeInteger(10, value) || !rest.consume_front(")"))
      return std::nullopt;
    field.set(wait, field.count(value));
    text = rest;
    isAny = true;
  }
  return isAny ? std::optional(wait) : std::nullopt;
}

} // namespace inflight
