#include "values/EarlierConditions.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::values {

void EarlierConditions::follow(Asked &of) {
  of.isFollowed = true;
  SmallVector<uint32_t, 32> found;
  DenseSet<uint32_t> isFound;
  auto reach = [&](uint32_t block) {
    if (isFound.insert(block).second)
      found.push_back(block);
  };
  for_each(of.places, reach);
  for (size_t i = 0; i < found.size(); ++i)
    for (const PhaseEdge &edge : blocks[found[i]].successors)
      if (edge.kind != EdgeKind::Call && edge.kind != EdgeKind::Return)
        reach(edge.block);
  const auto [first, last] = std::minmax_element(found.begin(), found.end());
  of.first = *first;
  of.behind.resize(*last - *first + 1);
  for (uint32_t block : found)
    of.behind.set(block - of.first);
}

bool EarlierConditions::ask(SymbolId symbol, uint32_t block) {
  const auto known = asked.find(symbol);
  if (known == asked.end())
    return false;
  Asked &of = known->second;
  if (!of.isFollowed)
    follow(of);
  return block >= of.first && block - of.first < of.behind.size() && of.behind[block - of.first];
}

} // namespace inflight::values
