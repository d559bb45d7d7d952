#include "compiler/loops/copies/CheckCopies.h"

#include "compiler/lanes/LaneInterpreter.h"
#include "compiler/loops/copies/CopyRemark.h"

using namespace mlir;

namespace inflight::loops {

CheckCopies::CheckCopies(gpu::GPUFuncOp kernel, const TileLoop &loop) : kernel(kernel), loc(loop.loop->getLoc()) {
  Builder builder(kernel.getContext());
  int64_t label = 0;
  for (const Tile &tile : loop.tiles)
    for (const TileAccess &read : tile.reads)
      read.op->setAttr(checkedRead, builder.getI64IntegerAttr(label++));
  before = kernel.clone();
}

CheckCopies::~CheckCopies() {
  before->erase();
  kernel.walk([](Operation *op) { op->removeAttr(checkedRead); });
}

std::string difference(const ReadTrace &before, const ReadTrace &after) {
  for (const auto &[label, now] : after.reads) {
    const auto known = before.reads.find(label);
    for (size_t lane = 0; lane < now.size(); ++lane) {
      const std::vector<uint64_t> was = known == before.reads.end() ? std::vector<uint64_t>() : known->second[lane];
      const auto [x, y] = std::mismatch(was.begin(), was.end(), now[lane].begin(), now[lane].end());
      if (x != was.end() && y != now[lane].end())
        return "in iteration " + std::to_string(x - was.begin()) + " lane " + std::to_string(lane) +
               " reads other bytes of a tile than the loop as written stores there";
      if (was.size() != now[lane].size())
        return "lane " + std::to_string(lane) + " reads a tile " + std::to_string(now[lane].size()) +
               " times instead of " + std::to_string(was.size());
    }
  }
  if (!std::includes(before.touched.begin(), before.touched.end(), after.touched.begin(), after.touched.end()))
    return "memory is loaded that the loop as written doesn't load";
  return "";
}

LogicalResult CheckCopies::check() {
  static constexpr Sample samples[] = {{0, {0, 0, 0}}, {1, {1, 0, 0}}, {2, {3, 2, 1}},
                                       {3, {2, 5, 0}}, {4, {7, 1, 2}}, {5, {0, 3, 0}}};
  for (const Sample &sample : samples) {
    const ReadTrace was = interpret(before, sample), is = interpret(kernel, sample);
    const std::string &obstacle = was.obstacle.empty() ? is.obstacle : was.obstacle;
    if (!obstacle.empty()) {
      remark(kernel, loc, true, "NotChecked", {{"String", "copies ahead aren't checked: "}, {"Reason", obstacle}});
      return success();
    }
    if (std::string what = difference(was, is); !what.empty())
      return emitError(loc) << "copies ahead are wrong, which is a defect of the compiler: " << what;
  }
  return success();
}

} // namespace inflight::loops
