#include "machine/check/Findings.h"

#include "support/Diagnostics.h"
#include "llvm/ADT/SmallVector.h"
#include <tuple>

using namespace llvm;

namespace inflight::machine::check {

StringRef kindName(Kind kind) {
  static const char *const names[kindCount] = {"in-flight", "race", "write-after-read", "hazard",
                                               "memory", "buffer-range", "uninitialised", "barrier", "barrier-places", "hazard-advice"};
  return names[unsigned(kind)];
}

Expected<Options> parseOptions(StringRef list, StringRef delivery) {
  Options options;
  SmallVector<StringRef> names;
  list.split(names, ',', -1, false);
  for (StringRef name : names) {
    bool known = false;
    for (unsigned k = 0; k < kindCount; ++k) {
      const bool inAll = name == "all" && !isOnRequest(Kind(k));
      if (inAll || name == kindName(Kind(k)))
        options.enabled[k] = known = true;
    }
    if (!known) {
      std::string all = "all";
      for (unsigned k = 0; k < kindCount; ++k)
        all += (k + 1 == kindCount ? " and " : ", ") + kindName(Kind(k)).str();
      return makeError("there is no check '" + name + "'; there are " + all);
    }
  }
  auto [when, seed] = delivery.split(':');
  options.randomDelivery = when == "random";
  if ((when != "latest" && when != "random") || (!seed.empty() && (when == "latest" || seed.getAsInteger(0, options.seed))))
    return makeError("the delivery is latest or random[:SEED], not '" + delivery + "'");
  return options;
}

bool Findings::isNew(Kind kind, const Op *op, const Op *other) {
  auto it = found.find({op, kind, other});
  if (it == found.end())
    return true;
  ++it->second.count;
  return false;
}

void Findings::add(Finding finding) {
  Key key{finding.op, finding.kind, finding.other};
  found.try_emplace(key, std::move(finding));
}

/// Of several host threads the one with the first workgroup speaks, so that a report doesn't depend on their number.
void Findings::merge(const Findings &other) {
  auto position = [](const Finding &f) { return std::tuple(f.group[2], f.group[1], f.group[0]); };
  for (const auto &[key, finding] : other.found) {
    auto [it, isNew] = found.try_emplace(key, finding);
    if (isNew)
      continue;
    const uint64_t count = it->second.count + finding.count;
    if (position(finding) < position(it->second))
      it->second = finding;
    it->second.count = count;
  }
}

std::vector<Finding> Findings::list() const {
  std::vector<Finding> all;
  for (const auto &[key, finding] : found)
    all.push_back(finding);
  return all;
}

} // namespace inflight::machine::check
