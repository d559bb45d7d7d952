// Orders of blocks, for analyses that go over them until nothing changes.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include <cstdint>
#include <queue>
#include <vector>

namespace inflight {

/// The blocks, of `count`, that the roots lead to, each before those that it leads to but for back edges; what the
/// first root leads to comes first. `successors(block)` is a range of blocks.
template <typename Successors>
std::vector<uint32_t> reversePostOrder(size_t count, llvm::ArrayRef<uint32_t> roots, Successors successors) {
  using Iterator = decltype(successors(0u).begin());
  struct Level {
    uint32_t block;
    Iterator next, end;
  };
  std::vector<uint32_t> order;
  std::vector<bool> isSeen(count);
  std::vector<Level> stack;
  auto enter = [&](uint32_t block) {
    if (isSeen[block])
      return;
    isSeen[block] = true;
    auto range = successors(block);
    stack.push_back({block, range.begin(), range.end()});
  };
  for (uint32_t root : llvm::reverse(roots)) {
    enter(root);
    while (!stack.empty()) {
      Level &level = stack.back();
      if (level.next != level.end) {
        enter(*level.next++);
        continue;
      }
      order.push_back(level.block);
      stack.pop_back();
    }
  }
  std::reverse(order.begin(), order.end());
  return order;
}

/// By block, of `count`: whether control can come from its end to its beginning by blocks that `isIn` alone.
template <typename IsIn, typename Successors, typename Predecessors>
std::vector<bool> blocksOnCycles(size_t count, IsIn isIn, Successors successors, Predecessors predecessors) {
  std::vector<uint32_t> all;
  for (uint32_t block = 0; block < count; ++block)
    if (isIn(block))
      all.push_back(block);
  // Kosaraju's: what leads back to a block, in the order of the way there, is its component.
  std::vector<bool> onCycle(count), isSeen(count);
  std::vector<uint32_t> component;
  for (uint32_t root :
       reversePostOrder(count, all, [&](uint32_t block) { return llvm::make_filter_range(successors(block), isIn); })) {
    if (isSeen[root])
      continue;
    isSeen[root] = true;
    component.assign(1, root);
    for (size_t i = 0; i < component.size(); ++i)
      for (uint32_t before : predecessors(component[i]))
        if (isIn(before) && !isSeen[before]) {
          isSeen[before] = true;
          component.push_back(before);
        }
    const bool repeats = component.size() > 1 || llvm::is_contained(successors(root), root);
    for (uint32_t block : component)
      onCycle[block] = repeats;
  }
  return onCycle;
}

/// Places in an order that are to be looked at, the first one first. One that waits already isn't added again.
class OrderedWorklist {
public:
  explicit OrderedWorklist(size_t count) : isWaiting(count) {}
  void push(uint32_t place) {
    if (!isWaiting[place]) {
      isWaiting[place] = true;
      places.push(place);
    }
  }
  bool empty() const { return places.empty(); }
  uint32_t pop() {
    const uint32_t place = places.top();
    places.pop();
    isWaiting[place] = false;
    return place;
  }

private:
  std::priority_queue<uint32_t, std::vector<uint32_t>, std::greater<>> places;
  std::vector<bool> isWaiting;
};

} // namespace inflight
