#include "isa/chip/LdsRules.h"

#include "isa/chip/ByChip.h"
#include "isa/chip/DataFile.h"
#include "isa/chip/TargetInfo.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace inflight {

/// "0-3 20-23": marks these lanes as those of `group`; false if one is none or has a group already.
static bool readGroup(StringRef text, uint8_t group, uint8_t (&groupOf)[LdsRule::lanes], uint64_t &seen) {
  SmallVector<StringRef, 8> parts;
  text.split(parts, ' ');
  for (StringRef part : parts) {
    auto [first, last] = part.split('-');
    unsigned begin = 0, end = 0;
    if (first.getAsInteger(10, begin) || last.getAsInteger(10, end) || begin > end || end >= LdsRule::lanes)
      return false;
    for (unsigned lane = begin; lane <= end; ++lane) {
      if (seen >> lane & 1)
        return false;
      seen |= uint64_t(1) << lane;
      groupOf[lane] = group;
    }
  }
  return true;
}

static constexpr StringLiteral names[] = {"read_b32",  "read_b64",  "read_b96",  "read_b128",
                                          "write_b32", "write_b64", "write_b96", "write_b128"};

StringRef LdsRule::name() const { return names[number]; }

Error LdsRules::load(StringRef chip) {
  Expected<json::Value> document = parseNumbers("latency/lds.json");
  if (!document)
    return document.takeError();
  const json::Object *object = document->getAsObject() ? document->getAsObject()->getObject(chip) : nullptr;
  for (unsigned i = 0; i < rules.size(); ++i) {
    const json::Object *entry = object ? object->getObject(names[i]) : nullptr;
    auto bad = [&](StringRef what) {
      return makeError("data/latency/lds.json: " + chip + ", " + names[i] + ": " + what);
    };
    if (!entry || !entry->getString("source"))
      return bad("missing, or without source");
    std::optional<int64_t> banks = entry->getInteger("banks"), lanes = entry->getInteger("lanes_per_cycle"),
                           extra = entry->getInteger("extra_latency");
    const json::Array *groups = entry->getArray("groups");
    if (!banks || *banks <= 0 || *banks > LdsRule::lanes || !lanes || *lanes <= 0 || !extra || !groups ||
        groups->size() > LdsRule::lanes)
      return bad("banks, lanes_per_cycle, extra_latency and groups are needed");
    LdsRule &rule = rules[i];
    rule = {unsigned(*banks), unsigned(*lanes), int(*extra), unsigned(groups->size()), {}, uint8_t(i)};
    uint64_t seen = 0;
    for (unsigned group = 0; group < groups->size(); ++group)
      if (std::optional<StringRef> text = (*groups)[group].getAsString();
          !text || !readGroup(*text, group, rule.groupOf, seen))
        return bad("a group is ranges of lanes, no lane twice");
    if (~seen)
      return bad("a lane without group");
  }
  return Error::success();
}

Expected<const LdsRules *> LdsRules::get(StringRef chip) {
  return byChip<LdsRules>(chip, [&](LdsRules &table) { return table.load(chip); });
}

} // namespace inflight
