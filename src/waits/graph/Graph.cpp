#include "waits/graph/Graph.h"

#include "support/BlockOrder.h"
#include "values/flow/WaveBranches.h"
#include "waits/graph/Partners.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::waits {

Overlap overlapOf(const LdsBytes *lds, Region a, Region b, bool isNoalias, Between between, Facts facts) {
  const Overlap known = lds ? lds->overlapOn(a, b, between, facts) : Overlap::Unknown;
  return known == Overlap::Unknown && isNoalias ? Overlap::No : known;
}

const std::shared_ptr<const values::WaveBranches> &Graph::branches() const {
  if (!theBranches)
    theBranches = std::make_shared<values::WaveBranches>(*program);
  return theBranches;
}

const Partners *Graph::partners() const {
  if (!arePartnersFound()) {
    thePartners = Partners::find(*this, *program, *branches());
    havePartnersBeenSought = true;
  }
  return thePartners.get();
}

uint32_t Graph::blockOf(uint32_t op) const {
  const auto found = upper_bound(blocks, op, [](uint32_t at, const GraphBlock &block) { return at < block.end; });
  assert(found != blocks.end() && op >= found->begin && "blocks are sorted");
  return found - blocks.begin();
}

std::vector<uint32_t> Graph::order() const {
  std::vector<uint32_t> roots;
  for (uint32_t b = 0; b < blocks.size(); ++b)
    if (blocks[b].isEntry || blocks[b].hasUnknownCaller)
      roots.push_back(b);
  return reversePostOrder(blocks.size(), roots, [&](uint32_t b) { return ArrayRef(blocks[b].successors); });
}

std::vector<uint32_t> Graph::placesIn(ArrayRef<uint32_t> order) const {
  std::vector<uint32_t> places(blocks.size(), ~0u);
  for (uint32_t i = 0; i < order.size(); ++i)
    places[order[i]] = i;
  return places;
}

} // namespace inflight::waits
