#include "isa/counters/WaitEncoding.h"

#include "isa/counters/Counters.h"
#include "support/Diagnostics.h"

using namespace llvm;

namespace inflight {

Expected<WaitEncoding> WaitEncoding::make(ArrayRef<CounterInfo> counters) {
  WaitEncoding encoding;
  // ISA manuals, S_WAITCNT.
  encoding.fields = {{"vmcnt", 0, 4, 14, 2, {}}, {"expcnt", 4, 3, 0, 0, {}}, {"lgkmcnt", 8, 4, 0, 0, {}}};
  for (const auto &[number, info] : enumerate(counters)) {
    auto *field = find_if(encoding.fields, [&](const Field &field) { return field.name == info.name; });
    if (field == encoding.fields.end() || info.maximum != field->maximum())
      return makeError(nameOf(mnemonic) + " has no counter '" + info.name + "' up to " + std::to_string(info.maximum));
    field->counter = Counter(number);
  }
  for (const Field &field : encoding.fields)
    if (field.counter.has_value() == (field.name == "expcnt"))
      return makeError("the counters of " + nameOf(mnemonic) + " are vmcnt and lgkmcnt");
  return encoding;
}

WaitOperands WaitEncoding::decode(uint16_t immediate) const {
  WaitOperands wait;
  auto part = [&](unsigned at, unsigned bits) { return immediate >> at & ((1u << bits) - 1); };
  for (const Field &field : fields) {
    const unsigned value = part(field.at, field.bits) | part(field.upperAt, field.upperBits) << field.bits;
    field.of(wait) = value < field.maximum() ? WaitCount(value) : WaitCount::none();
  }
  return wait;
}

uint16_t WaitEncoding::encode(const WaitOperands &wait) const {
  unsigned immediate = 0;
  for (const Field &field : fields) {
    const unsigned value = std::min(field.of(wait).valueOr(~0u), field.maximum());
    immediate |= (value & ((1u << field.bits) - 1)) << field.at | value >> field.bits << field.upperAt;
  }
  return immediate;
}

std::string WaitEncoding::operands(const WaitOperands &wait) const {
  std::string text;
  for (const Field &field : fields)
    if (const WaitCount count = field.of(wait); !count.isNone() || wait == WaitOperands())
      text += (Twine(text.empty() ? "" : " ") + field.name + "(" + Twine(count.valueOr(field.maximum())) + ")").str();
  return text;
}

std::optional<WaitOperands> WaitEncoding::read(StringRef &text) const {
  WaitOperands wait;
  bool isAny = false;
  for (const Field &field : fields) {
    StringRef rest = text.ltrim();
    if (!rest.consume_front(field.name))
      continue;
    unsigned value = 0;
    if (!rest.consume_front("(") || rest.consumeInteger(10, value) || !rest.consume_front(")"))
      return std::nullopt;
    field.of(wait) = value < field.maximum() ? WaitCount(value) : WaitCount::none();
    text = rest;
    isAny = true;
  }
  return isAny ? std::optional(wait) : std::nullopt;
}

} // namespace inflight
