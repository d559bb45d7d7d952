#include "compiler/loops/copies/SharedLines.h"

#include "compiler/lanes/Accesses.h"
#include "compiler/lanes/MemorySpaces.h"
#include "compiler/loops/LoopSize.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"
#include <set>

using namespace mlir;

namespace inflight::loops {

using lanes::LaneTable;

namespace {
/// Evaluates index arithmetic of one iteration for all lanes.
class Places {
public:
  Places(scf::ForOp loop, int64_t counter, lanes::LaneForms &forms) : loop(loop), counter(counter), forms(forms) {}
  /// None of what isn't simple arithmetic on ids, the counter and values from outside the loop.
  std::optional<LaneTable> of(Value index) {
    if (index == loop.getInductionVar())
      return LaneTable(counter);
    if (loop.isDefinedOutsideOfLoop(index)) {
      std::optional<lanes::LaneForm> form = forms.of(index);
      return form ? std::optional(form->constant) : std::nullopt;
    }
    Operation *op = index.getDefiningOp();
    if (!op)
      return std::nullopt;
    return llvm::TypeSwitch<Operation *, std::optional<LaneTable>>(op)
        .Case<arith::IndexCastOp, arith::IndexCastUIOp>([&](auto cast) { return of(cast.getIn()); })
        .Case([&](arith::AddIOp) { return both(op, [](int64_t a, int64_t b) { return a + b; }); })
        .Case([&](arith::MulIOp) { return both(op, [](int64_t a, int64_t b) { return a * b; }); })
        .Case<arith::DivUIOp, arith::DivSIOp, arith::FloorDivSIOp>(
            [&](auto) { return both(op, [](int64_t a, int64_t b) { return b > 0 ? a / b : 0; }); })
        .Case<arith::RemUIOp, arith::RemSIOp>(
            [&](auto) { return both(op, [](int64_t a, int64_t b) { return b > 0 ? a % b : 0; }); })
        .Case([&](arith::ShRUIOp) { return both(op, [](int64_t a, int64_t b) { return b < 64 ? a >> b : 0; }); })
        .Default([](Operation *) { return std::nullopt; });
  }

private:
  template <typename F> std::optional<LaneTable> both(Operation *op, F f) {
    const std::optional<LaneTable> a = of(op->getOperand(0)), b = of(op->getOperand(1));
    return a && b ? std::optional(LaneTable::zip(*a, *b, f)) : std::nullopt;
  }

  scf::ForOp loop;
  const int64_t counter;
  lanes::LaneForms &forms;
};

using Line = std::vector<int64_t>;
} // namespace

/// Adds the lines of one load in one iteration. False if they aren't known.
static bool addLines(const lanes::Access &access, Places places, unsigned lanes, unsigned lineBytes,
                     std::set<Line> &lines) {
  std::vector<LaneTable> indices;
  for (Value index : access.indices)
    if (std::optional<LaneTable> place = places.of(index))
      indices.push_back(std::move(*place));
    else
      return false;
  if (indices.empty())
    return false;
  const int64_t bytes = elementBytes(access.memrefType().getElementType());
  for (unsigned lane = 0; lane < lanes; ++lane) {
    Line line;
    for (const LaneTable &index : indices)
      line.push_back(index[lane]);
    line.back() = line.back() * bytes / lineBytes;
    lines.insert(std::move(line));
  }
  return true;
}

SharedLines findSharedLines(scf::ForOp loop, ArrayRef<Operation *> loads, unsigned iterations, unsigned lineBytes,
                            lanes::LaneForms &forms) {
  SharedLines shared;
  const int64_t step = *getConstantIntValue(loop.getStep()),
                first = getConstantIntValue(loop.getLowerBound()).value_or(0);
  for (Operation *op : loads) {
    const std::optional<lanes::Access> access = lanes::accessOf(op);
    if (!access || access->isStore)
      continue;
    std::set<Line> all;
    unsigned apart = 0;
    bool isKnown = true;
    for (unsigned i = 0; i < iterations && isKnown; ++i) {
      std::set<Line> lines;
      isKnown = addLines(*access, Places(loop, first + step * i, forms), forms.lanes(), lineBytes, lines);
      apart += lines.size();
      all.insert(lines.begin(), lines.end());
    }
    if (!isKnown || all.size() == apart)
      continue;
    shared.loads.push_back(op);
    shared.apart += apart;
    shared.together += all.size();
  }
  return shared;
}

} // namespace inflight::loops
