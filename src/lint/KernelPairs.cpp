#include "lint/KernelPairs.h"

#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cmath>

using namespace llvm;

namespace inflight::lint {

namespace {

class Pairing {
public:
  Pairing(ArrayRef<KernelFigures> before, ArrayRef<KernelFigures> after)
      : before(before), after(after), partners(after.size()), isTaken(before.size()) {}

  Error give(const std::pair<std::string, std::string> &names) {
    bool isDone = false;
    for (bool ofOneChip : {true, false})
      for (size_t a = 0; a < after.size(); ++a)
        for (size_t b = 0; b < before.size(); ++b)
          if (isFree(b, a) && before[b].name == names.first && after[a].name == names.second &&
              (!ofOneChip || before[b].chip == after[a].chip))
            isDone = take(b, a);
    return isDone ? Error::success() : makeError("no kernels to pair '" + names.first + "' and '" + names.second + "'");
  }

  /// Equal names.
  void takeNames(bool ofOneChip) {
    for (size_t a = 0; a < after.size(); ++a)
      for (size_t b = 0; b < before.size(); ++b)
        if (isFree(b, a) && before[b].name == after[a].name && (!ofOneChip || before[b].chip == after[a].chip))
          take(b, a);
  }

  /// The most similar ones first. False where there are too many for it.
  bool takeSimilar() {
    constexpr size_t mostPairs = 200000;
    constexpr double least = 0.6;
    const size_t free = count(isTaken, false);
    if (free * size_t(count(partners, std::nullopt)) > mostPairs)
      return false;
    struct Candidate {
      double likeness;
      size_t b, a;
    };
    std::vector<Candidate> candidates;
    for (size_t a = 0; a < after.size(); ++a)
      for (size_t b = 0; b < before.size(); ++b)
        if (isFree(b, a))
          if (const double likeness = likenessOf(before[b], after[a]); likeness >= least)
            candidates.push_back({likeness, b, a});
    stable_sort(candidates, [](const Candidate &x, const Candidate &y) { return x.likeness > y.likeness; });
    for (const Candidate &candidate : candidates)
      if (isFree(candidate.b, candidate.a))
        take(candidate.b, candidate.a);
    return true;
  }

  std::vector<KernelPair> pairs() const {
    std::vector<KernelPair> all;
    for (size_t a = 0; a < after.size(); ++a)
      all.push_back({partners[a] ? &before[*partners[a]] : nullptr, &after[a]});
    for (size_t b = 0; b < before.size(); ++b)
      if (!isTaken[b])
        all.push_back({&before[b], nullptr});
    return all;
  }

private:
  /// Of names, 1 for equal ones; instructions and chips decide between names that are as near.
  static double likenessOf(const KernelFigures &b, const KernelFigures &a) {
    const size_t longer = std::max(a.name.size(), b.name.size());
    const double names = 1 - double(StringRef(b.name).edit_distance(a.name)) / double(std::max<size_t>(longer, 1));
    auto instructions = [](const KernelFigures &kernel) {
      auto found = kernel.values.find("instructions");
      return found == kernel.values.end() ? 1 : std::max(1.0, found->second);
    };
    const double sizes = std::fabs(std::log(instructions(a) / instructions(b)));
    return names - 0.01 * std::min(1.0, sizes) - (a.chip == b.chip ? 0 : 0.01);
  }
  bool isFree(size_t b, size_t a) const { return !isTaken[b] && !partners[a]; }
  bool take(size_t b, size_t a) {
    partners[a] = b;
    return isTaken[b] = true;
  }

  ArrayRef<KernelFigures> before, after;
  std::vector<std::optional<size_t>> partners; ///< of each after
  std::vector<bool> isTaken;                   ///< of each before
};

} // namespace

Expected<KernelPairs> pairKernels(ArrayRef<KernelFigures> before, ArrayRef<KernelFigures> after, KernelMatch match,
                                  ArrayRef<std::pair<std::string, std::string>> given) {
  Pairing pairing(before, after);
  for (const auto &names : given)
    if (Error error = pairing.give(names))
      return std::move(error);
  pairing.takeNames(/*ofOneChip=*/true);
  KernelPairs made;
  if (match == KernelMatch::Similar) {
    pairing.takeNames(/*ofOneChip=*/false);
    made.areTooMany = !pairing.takeSimilar();
  }
  made.pairs = pairing.pairs();
  return made;
}

} // namespace inflight::lint
