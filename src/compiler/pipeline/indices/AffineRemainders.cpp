// Affine sums in terms of remainders: x * 2 - (x floordiv 32) * 64 is (x mod 32) * 2.
//
// Producers write remainders as differences. What is never negative fits the unsigned offset of an address; a
// difference needs a 64-bit sum of its own. Both are the same number: x = c * (x floordiv c) + x mod c for every x and
// c > 0.
#include "compiler/pipeline/MakePass.h"
#include "compiler/pipeline/PrepareKernels.h"

#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Pass/Pass.h"

using namespace mlir;

namespace inflight {

namespace {
/// A sum of multiples of expressions that are no sums.
struct Sum {
  SmallVector<std::pair<AffineExpr, int64_t>> terms;
  int64_t constant = 0;

  int64_t &coefficient(AffineExpr expr) {
    for (auto &[term, factor] : terms)
      if (term == expr)
        return factor;
    return terms.emplace_back(expr, 0).second;
  }
  int64_t find(AffineExpr expr) const {
    for (const auto &[term, factor] : terms)
      if (term == expr)
        return factor;
    return 0;
  }
  AffineExpr build(MLIRContext *context) const {
    AffineExpr result = getAffineConstantExpr(0, context);
    for (const auto &[term, factor] : terms)
      if (factor)
        result = result + term * factor;
    return result + constant;
  }
};

AffineExpr inRemainders(AffineExpr expr);

void addTo(Sum &sum, AffineExpr expr, int64_t factor) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr)) {
    sum.constant += factor * constant.getValue();
    return;
  }
  auto binary = dyn_cast<AffineBinaryOpExpr>(expr);
  if (binary && binary.getKind() == AffineExprKind::Add) {
    addTo(sum, binary.getLHS(), factor);
    addTo(sum, binary.getRHS(), factor);
    return;
  }
  auto multiplier = binary && binary.getKind() == AffineExprKind::Mul ? dyn_cast<AffineConstantExpr>(binary.getRHS())
                                                                      : AffineConstantExpr();
  if (multiplier) {
    addTo(sum, binary.getLHS(), factor * multiplier.getValue());
    return;
  }
  if (binary)
    expr = getAffineBinaryOpExpr(binary.getKind(), inRemainders(binary.getLHS()), inRemainders(binary.getRHS()));
  sum.coefficient(expr) += factor;
}

/// Takes one difference out of the sum, if it has one.
bool takeDifference(Sum &sum) {
  for (auto [quotient, factor] : sum.terms) {
    auto binary = dyn_cast<AffineBinaryOpExpr>(quotient);
    if (factor >= 0 || !binary || binary.getKind() != AffineExprKind::FloorDiv)
      continue;
    auto divisor = dyn_cast<AffineConstantExpr>(binary.getRHS());
    if (!divisor || divisor.getValue() <= 0)
      continue;
    const int64_t c = divisor.getValue();
    AffineExpr dividend = binary.getLHS();
    // One expression: x * s + (x floordiv c) * k is (x mod c) * s + (x floordiv c) * (s * c + k).
    if (int64_t scale = sum.find(dividend); scale > 0 && scale * c + factor >= 0) {
      sum.coefficient(quotient) += scale * c;
      sum.coefficient(dividend) = 0;
      sum.coefficient(dividend % c) += scale;
      return true;
    }
    // A sum, of which the difference has each part.
    if (factor % c)
      continue;
    const int64_t scale = -factor / c;
    Sum parts;
    addTo(parts, dividend, scale);
    if (parts.terms.size() < 2 && parts.constant == 0)
      continue;
    if (!llvm::all_of(parts.terms, [&](const auto &part) { return sum.find(part.first) == part.second; }))
      continue;
    for (const auto &[part, scaled] : parts.terms)
      sum.coefficient(part) -= scaled;
    sum.constant -= parts.constant;
    sum.coefficient(quotient) = 0;
    sum.coefficient(dividend % c) += scale;
    return true;
  }
  return false;
}

AffineExpr inRemainders(AffineExpr expr) {
  Sum sum;
  addTo(sum, expr, 1);
  while (takeDifference(sum))
    ;
  return sum.build(expr.getContext());
}

AffineMap inRemainders(AffineMap map) {
  SmallVector<AffineExpr> results;
  for (AffineExpr result : map.getResults())
    results.push_back(inRemainders(result));
  return AffineMap::get(map.getNumDims(), map.getNumSymbols(), results, map.getContext());
}
} // namespace

std::unique_ptr<Pass> createAffineRemaindersPass() {
  return makePass("inflight-affine-remainders", [](Operation *root) {
    root->walk([](Operation *op) {
      if (auto apply = dyn_cast<affine::AffineApplyOp>(op))
        apply.setMap(inRemainders(apply.getMap()));
      else if (auto minimum = dyn_cast<affine::AffineMinOp>(op))
        minimum.setMap(inRemainders(minimum.getMap()));
      else if (auto maximum = dyn_cast<affine::AffineMaxOp>(op))
        maximum.setMap(inRemainders(maximum.getMap()));
    });
    return success();
  });
}

} // namespace inflight
