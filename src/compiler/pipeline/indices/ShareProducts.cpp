// Products of numbers that differ by what all lanes share: of x * n, (x + 8) * n and (x + u) * n, with n and u the same
// in all lanes and x not, the second and third are x * n + 8 * n and x * n + u * n. One product is left for the vector
// unit, where a multiplication takes four times as long as a sum; the others are the scalar unit's. Rows of a tile
// that a lane loads are addressed so.
//
// The numbers are the same as integers wrap, and through an extension where that may be made of a sum's parts.
#include "Extensions.h"
#include "UniformValues.h"

#include "compiler/pipeline/MakePass.h"
#include "compiler/pipeline/PrepareKernels.h"

#include "mlir/IR/Matchers.h"
#include "llvm/ADT/MapVector.h"

#include <map>
#include <tuple>

using namespace mlir;

namespace inflight {

namespace {
/// A sum of a lane's number and, if `more` isn't null, of one that all lanes share, both extended by `extension` if
/// there is one.
struct Split {
  Value lane;
  Value more;
  Operation *extension = nullptr;
};

struct Member {
  LLVM::MulOp product;
  Value factor;
  Split sum;
};

class Sharer {
public:
  void run(Operation *root);

private:
  Split split(Value value);
  void add(LLVM::MulOp product, Value sum, Value factor);
  void share(ArrayRef<Member> members);

  using Key = std::tuple<Block *, void *, void *, StringRef>; ///< of the product; factor, lane's number, its extension
  llvm::MapVector<Key, SmallVector<Member>, std::map<Key, unsigned>> groups;
  /// Products with what takes their places once all groups have been looked at: they may be parts of each other.
  SmallVector<std::pair<LLVM::MulOp, Value>> replaced;
  UniformValues uniform;
};
} // namespace

Split Sharer::split(Value value) {
  Operation *extension = value.getDefiningOp();
  if (!isExtension(extension))
    extension = nullptr;
  const Value narrow = extension ? extension->getOperand(0) : value;
  Operation *sum = narrow.getDefiningOp();
  const bool isSum =
      isa_and_nonnull<LLVM::AddOp>(sum) || (isa_and_nonnull<LLVM::OrOp>(sum) && cast<LLVM::OrOp>(sum).getIsDisjoint());
  if (isSum && (!extension || extendsByParts(sum, extension)))
    for (unsigned part : {0, 1})
      if (uniform.contains(sum->getOperand(part)) && !uniform.contains(sum->getOperand(1 - part)))
        return {sum->getOperand(1 - part), sum->getOperand(part), extension};
  return {narrow, {}, extension};
}

void Sharer::add(LLVM::MulOp product, Value sum, Value factor) {
  // Constants are for the address' linear form.
  if (!uniform.contains(factor) || uniform.contains(sum) || matchPattern(factor, m_Constant()))
    return;
  const Split parts = split(sum);
  const StringRef extension = parts.extension ? parts.extension->getName().getStringRef() : "";
  groups[{product->getBlock(), factor.getAsOpaquePointer(), parts.lane.getAsOpaquePointer(), extension}].push_back(
      {product, factor, parts});
}

void Sharer::share(ArrayRef<Member> members) {
  const Value factor = members.front().factor;
  LLVM::MulOp first = members.front().product;
  OpBuilder builder(first);
  auto extended = [](OpBuilder &at, Location location, const Split &parts, Value value) {
    return parts.extension ? extendLike(at, location, parts.extension, value)->getResult(0) : value;
  };
  const Split &parts = members.front().sum;
  const Value shared =
      LLVM::MulOp::create(builder, first.getLoc(), extended(builder, first.getLoc(), parts, parts.lane), factor);
  for (const Member &member : members) {
    LLVM::MulOp product = member.product;
    Value result = shared;
    if (member.sum.more) {
      OpBuilder at(product);
      const Location location = product.getLoc();
      const Value more = LLVM::MulOp::create(at, location, extended(at, location, member.sum, member.sum.more), factor);
      result = LLVM::AddOp::create(at, location, shared, more);
    }
    replaced.emplace_back(product, result);
  }
}

void Sharer::run(Operation *root) {
  root->walk([&](LLVM::MulOp product) {
    if (product.getType().isInteger()) {
      add(product, product.getLhs(), product.getRhs());
      add(product, product.getRhs(), product.getLhs());
    }
  });
  for (auto &[key, members] : groups) {
    // Equal products are one for whoever removes copies: of these, two must differ.
    const Value more = members.front().sum.more;
    if (llvm::any_of(members, [&](const Member &member) { return member.sum.more != more; }))
      share(members);
  }
  for (auto [product, result] : replaced)
    product.getResult().replaceAllUsesWith(result);
  for (auto [product, result] : replaced)
    product->erase();
}

std::unique_ptr<Pass> createShareProductsPass() {
  return makePass("inflight-share-products", [](Operation *root) {
    Sharer().run(root);
    return success();
  });
}

} // namespace inflight
