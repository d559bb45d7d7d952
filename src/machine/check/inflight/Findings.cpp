#include "machine/check/inflight/Findings.h"

#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <tuple>

using namespace llvm;

namespace inflight::machine::check {

static constexpr struct {
  const char *name;
  bool isInAll;
} kinds[] = {
#define FINDING(KIND, NAME, IN_ALL) {NAME, IN_ALL},
#include "machine/check/inflight/Findings.def"
};

StringRef kindName(Kind kind) { return kinds[unsigned(kind)].name; }

std::string kindNames(bool inAll) {
  std::string names;
  for (const auto &kind : kinds)
    if (kind.isInAll == inAll)
      names += (names.empty() ? "" : ", ") + std::string(kind.name);
  return names;
}

Expected<Options> parseOptions(StringRef list, StringRef delivery) {
  Options options;
  SmallVector<StringRef> names;
  list.split(names, ',', -1, false);
  for (StringRef name : names) {
    bool known = false;
    for (unsigned k = 0; k < kindCount; ++k) {
      if ((name == "all" && kinds[k].isInAll) || name == kinds[k].name)
        options.enabled[k] = known = true;
    }
    if (!known) {
      std::string all = "all";
      for (unsigned k = 0; k < kindCount; ++k)
        all += (k + 1 == kindCount ? " and " : ", ") + std::string(kinds[k].name);
      return makeError("there is no check '" + name + "'; there are " + all);
    }
  }
  auto [when, seed] = delivery.split(':');
  options.randomDelivery = when == "random";
  if ((when != "latest" && when != "random") ||
      (!seed.empty() && (when == "latest" || seed.getAsInteger(0, options.seed))))
    return makeError("the delivery is latest or random[:SEED], not '" + delivery + "'");
  return options;
}

Findings::Key Findings::keyOf(Kind kind, const Op *op, const Op *other) {
  const bool isUnordered = kind == Kind::Race || kind == Kind::WriteAfterRead;
  return isUnordered && other < op ? Key{other, kind, op} : Key{op, kind, other};
}

bool Findings::isNew(Kind kind, const Op *op, const Op *other) {
  auto it = found.find(keyOf(kind, op, other));
  if (it == found.end())
    return true;
  ++it->second.count;
  return false;
}

void Findings::add(Finding &&finding) {
  const Key key = keyOf(finding.kind, finding.op, finding.other);
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
  auto isRaced = [&](const Op *load) {
    return load && any_of(found, [&](const auto &entry) {
             const Finding &f = entry.second;
             return (f.kind == Kind::Race || f.kind == Kind::WriteAfterRead || f.kind == Kind::InFlight) &&
                    (f.op == load || f.other == load);
           });
  };
  for (const auto &[key, finding] : found)
    if (finding.kind != Kind::Uninitialised || !isRaced(finding.cause))
      all.push_back(finding);
  llvm::stable_sort(all, [](const Finding &a, const Finding &b) {
    return std::tuple(a.op, a.kind, a.other) < std::tuple(b.op, b.kind, b.other);
  });
  return all;
}

} // namespace inflight::machine::check
