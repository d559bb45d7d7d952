#include "isa/timing/TimingSources.h"

#include "isa/chip/LdsRules.h"
#include "isa/chip/TargetInfo.h"
#include "isa/timing/TimingData.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace inflight {

static std::string sourceText(const json::Object *entry) {
  return entry ? (entry->getString("source").value_or("") + ": " + entry->getString("ref").value_or("")).str() : "";
}

Expected<std::vector<TimingSource>> timingSources(StringRef chip, const InstrDesc &desc, Results results) {
  Expected<timing::UsualTiming> usual = timing::UsualTiming::load(chip);
  if (!usual)
    return usual.takeError();
  const timing::TimingData &data = usual->data;
  Expected<json::Value> own = parseData(("latency/" + chip + ".json").str());
  if (!own)
    return own.takeError();
  Expected<json::Value> lds = parseData("latency/lds.json");
  if (!lds)
    return lds.takeError();
  auto timingBy = [&](const timing::TimingData &numbers) {
    Timing timing = LatencyTable(numbers, usual->device).timing(desc);
    timing.latency *= results.areVector;
    timing.scalarLatency *= results.areScalar;
    return timing;
  };
  const Timing timing = timingBy(data);
  std::vector<TimingSource> sources;
  if (desc.isMfma)
    sources.push_back({"latency/matrix.json", data.passes->sourceOf(desc.mnemonic).str()});
  if (const LdsRule *rule = LatencyTable::ldsRule(desc, data))
    sources.push_back({("latency/lds.json, " + rule->name()).str(),
                       sourceText(lds->getAsObject()->getObject(chip)->getObject(rule->name()))});
  for (const timing::TimingEntry &entry : timing::timingEntries()) {
    // What the times change with is what they come from.
    timing::TimingData other = data;
    ++(other.*entry.value);
    if (timingBy(other) != timing)
      sources.push_back({entry.name, sourceText(own->getAsObject()->getObject(entry.name))});
  }
  return sources;
}

} // namespace inflight
