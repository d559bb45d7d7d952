#include "support/report/RuleLevels.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight {

RuleLevels::RuleLevels(ArrayRef<RuleSpec> rules) {
  for (const RuleSpec &rule : rules)
    entries.push_back({rule.name, rule.level});
}

RuleLevels::Entry *RuleLevels::find(StringRef rule) {
  auto entry = find_if(entries, [&](const Entry &e) { return e.name == rule; });
  return entry == entries.end() ? nullptr : &*entry;
}

Error RuleLevels::apply(StringRef flag) {
  if (flag == "error" || flag == "no-error") {
    areErrors = flag == "error";
    return Error::success();
  }
  if (flag == "all") {
    for (Entry &entry : entries)
      entry.level = std::max(entry.level, Level::Warning);
    return Error::success();
  }
  StringRef rule = flag;
  const bool isError = rule.consume_front("error="), isNoError = !isError && rule.consume_front("no-error=");
  const bool isOff = !isError && !isNoError && rule.consume_front("no-");
  Entry *entry = find(rule);
  if (!entry) {
    std::string known;
    for (const Entry &e : entries)
      known += (known.empty() ? "" : ", ") + e.name.str();
    return makeError("no rule '" + rule + "' in -W" + flag + "; there are " + known);
  }
  entry->isNamed = true;
  entry->isFixed = isError || isNoError;
  if (isError)
    entry->level = Level::Error;
  else if (isNoError)
    entry->level = std::min(entry->level, Level::Warning);
  else if (isOff)
    entry->level = Level::Ignored;
  else
    entry->level = std::max(entry->level, Level::Warning);
  return Error::success();
}

bool RuleLevels::isNamed(StringRef rule) const {
  return any_of(entries, [&](const Entry &e) { return e.name == rule && e.isNamed; });
}

Level RuleLevels::of(StringRef rule, Level most) const {
  auto entry = find_if(entries, [&](const Entry &e) { return e.name == rule; });
  if (entry == entries.end())
    return Level::Error;
  const Level level = entry->isFixed ? entry->level : std::min(entry->level, most);
  return areErrors && !entry->isFixed && level == Level::Warning ? Level::Error : level;
}

} // namespace inflight
