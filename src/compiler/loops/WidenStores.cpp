// Stores of 4 or 8 bytes per lane as half as many of twice the width, where lanes a row of lanes apart store side by
// side.
//
// Rows of lanes, of 16 or 32, hold neighbouring columns of a product. Of two stores that are a constant apart, the
// lanes of even rows take the first one's bytes of both rows, those of odd rows the second one's: one exchange of rows
// for each word. The same bytes go to the same places, all at once: no lane's second store may be where another lane's
// first one is, as it has to come later.
#include "compiler/lanes/Accesses.h"
#include "compiler/lanes/LaneExpression.h"
#include "compiler/lanes/LaneForms.h"
#include "compiler/lanes/MemorySpaces.h"
#include "compiler/loops/Loops.h"
#include "compiler/pipeline/MakePass.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace inflight {

namespace {
using lanes::LaneForm;

constexpr unsigned wordBytes = 4, widestBytes = 16;

/// Joins stores of lanes `row` lanes apart: 16 or 32.
class StoreWidener {
public:
  StoreWidener(gpu::GPUFuncOp kernel, unsigned row) : kernel(kernel), forms(kernel), row(row) {}

  void run() {
    if (!forms.hasWholeWaves() || !kernel.getBody().hasOneBlock())
      return;
    SmallVector<Block *> blocks;
    kernel.walk([&](Block *block) { blocks.push_back(block); });
    for (Block *block : blocks) {
      std::optional<Store> open;
      for (Operation &op : llvm::make_early_inc_range(*block)) {
        if (isMemoryEffectFree(&op) || isa<ROCDL::Permlane16SwapOp>(op))
          continue;
        std::optional<Store> store = storeOf(&op);
        if (open && store && mayJoin(*open, *store)) {
          join(*open, *store);
          store.reset();
        }
        open = std::move(store);
      }
    }
  }

private:
  struct Store {
    vector::StoreOp op;
    LaneForm byte; ///< from the memref's start
    unsigned bytes;
  };

  /// A store that two lanes a row apart could do as one.
  std::optional<Store> storeOf(Operation *op) {
    auto store = dyn_cast<vector::StoreOp>(op);
    if (!store || store.getNontemporal() || !lanes::accessOf(op))
      return std::nullopt;
    MemRefType type = store.getMemRefType();
    const unsigned bytes = elementBytes(type.getElementType()) * store.getVectorType().getNumElements();
    if (bytes % wordBytes || bytes * 2 > widestBytes || !isGlobal(store.getBase(), Global::Any) ||
        !forms.isReachedByAll(op))
      return std::nullopt;
    std::optional<LaneForm> byte = forms.byteOf(type, store.getIndices());
    if (!byte)
      return std::nullopt;
    Store result{store, std::move(*byte), bytes};
    for (unsigned lane = 0; lane < forms.lanes(); ++lane)
      if (!(lane & row) && (!result.byte.haveSameTerms(lane, result.byte, lane | row) ||
                            result.byte.constant[lane | row] - result.byte.constant[lane] != bytes))
        return std::nullopt;
    return result;
  }

  /// Whether they are the same distance apart in all lanes, along the last dimension.
  bool mayJoin(const Store &first, const Store &second) {
    vector::StoreOp a = first.op, b = second.op;
    if (a.getBase() != b.getBase() || a.getVectorType() != b.getVectorType() ||
        a.getIndices().drop_back() != b.getIndices().drop_back())
      return false;
    for (unsigned lane = 0; lane < forms.lanes(); ++lane)
      if (!first.byte.haveSameTerms(lane, second.byte, lane) ||
          distance(first, second, lane) != distance(first, second, 0))
        return false;
    return areApart(first, second);
  }
  /// Whether no lane's store overlaps another lane's: all lanes of a wave store in one instruction.
  bool areApart(const Store &first, const Store &second) const {
    for (unsigned wave = 0; wave < forms.lanes(); wave += waveLanes) {
      SmallVector<int64_t, waveLanes> places;
      for (unsigned lane = wave; lane < wave + waveLanes; ++lane) {
        if (!first.byte.haveSameTerms(wave, first.byte, lane))
          return false;
        places.push_back(first.byte.constant[lane]);
      }
      llvm::sort(places);
      const int64_t bytes = first.bytes, apart = distance(first, second, 0);
      for (int64_t place : places) {
        const auto *next = llvm::lower_bound(places, place + apart - bytes + 1);
        if (next != places.end() && *next < place + apart + bytes)
          return false;
      }
    }
    return true;
  }
  static int64_t distance(const Store &first, const Store &second, unsigned lane) {
    return second.byte.constant[lane] - first.byte.constant[lane];
  }

  void join(const Store &first, const Store &second) {
    vector::StoreOp a = first.op, b = second.op;
    OpBuilder builder(b);
    Location loc = b.getLoc();
    const unsigned words = first.bytes / wordBytes;
    Type word = builder.getI32Type();
    auto split = [&](Value value) {
      return vector::BitCastOp::create(builder, loc, VectorType::get({int64_t(words)}, word), value);
    };
    Value left = split(a.getValueToStore()), right = split(b.getValueToStore());
    SmallVector<Value> all(2 * words);
    auto pair = LLVM::LLVMStructType::getLiteral(builder.getContext(), {word, word});
    for (unsigned i = 0; i < words; ++i) {
      Value x = vector::ExtractOp::create(builder, loc, left, i), y = vector::ExtractOp::create(builder, loc, right, i);
      Value swapped = row == 16 ? ROCDL::Permlane16SwapOp::create(builder, loc, pair, x, y, false, false).getResult()
                                : ROCDL::Permlane32SwapOp::create(builder, loc, pair, x, y, false, false).getResult();
      all[i] = LLVM::ExtractValueOp::create(builder, loc, swapped, 0);
      all[words + i] = LLVM::ExtractValueOp::create(builder, loc, swapped, 1);
    }
    Value joined = vector::FromElementsOp::create(builder, loc, VectorType::get({int64_t(2 * words)}, word), all);
    VectorType type = a.getVectorType();
    joined = vector::BitCastOp::create(builder, loc,
                                       VectorType::get({2 * type.getNumElements()}, type.getElementType()), joined);
    // Odd rows: from their own place in the first to the even row's in the second.
    const int64_t shift =
        (distance(first, second, 0) - int64_t(first.bytes)) / int64_t(elementBytes(type.getElementType()));
    auto number = [&](int64_t value) -> Value { return arith::ConstantIndexOp::create(builder, loc, value); };
    Value odd = arith::DivUIOp::create(builder, loc, lanes::emitFlatId(builder, loc, kernel), number(row));
    odd = arith::RemUIOp::create(builder, loc, odd, number(2));
    SmallVector<Value> indices(a.getIndices());
    indices.back() =
        arith::AddIOp::create(builder, loc, indices.back(), arith::MulIOp::create(builder, loc, odd, number(shift)));
    vector::StoreOp::create(builder, loc, joined, a.getBase(), indices);
    a.erase();
    b.erase();
  }

  gpu::GPUFuncOp kernel;
  lanes::LaneForms forms;
  const unsigned row;
};
} // namespace

std::unique_ptr<Pass> createWidenStoresPass() {
  return makePass("inflight-widen-stores", [](Operation *root) {
    root->walk([](gpu::GPUFuncOp kernel) {
      for (unsigned row : {16u, 32u})
        StoreWidener(kernel, row).run();
    });
    return success();
  });
}

} // namespace inflight
