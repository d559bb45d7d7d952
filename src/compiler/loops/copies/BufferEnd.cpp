// A lane's index is U + c: U is what is the same in all lanes, c the lane's own constant, from `least` to `most`.
//
// In the first index, which is to be less than the limit L, U is replaced by U' from -s to e = L - min(least, 0):
//   s = 0 if U is never negative, else max(most, 0);  U' = min(U + s, e + s) - s, as natural numbers.
// U' = U from -s to e. Below -s no lane's index is natural, above e none is less than L: there U' = e, and e + c >= L.
// So indices within the memory stay, and all others are negative or L and more, from least - s to e + most. Where the
// others are from 0 to their own `highest`, the sum of all is less than 0 or not less than the memory's elements. It is
// shown to be so, and as a number of bytes not to come round to the memory again in 32 bits.
#include "compiler/loops/copies/BufferEnd.h"

#include "compiler/lanes/MemorySpaces.h"
#include "compiler/pipeline/Attributes.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"

using namespace mlir;

namespace inflight::loops {

bool hasBounds(Value memref) {
  auto cast = memref.getDefiningOp<amdgpu::FatRawBufferCastOp>();
  return cast && cast->hasAttr(attr::endsWithMemRef) && cast.getResult().getType().getLayout().isIdentity();
}

static bool isSameInLanes(const LaneForm::Term &term) { return term.factor.isSame() && !term.varies; }

/// The highest index of a dimension but the first, if none is negative; with a clamp where the highest isn't known.
/// Indices beyond `elements` lie beyond the memory whatever the others are.
static std::optional<int64_t> highest(const LaneForm &form, int64_t elements, Ranges &ranges,
                                      std::optional<Clamp> &clamp) {
  constexpr int64_t large = int64_t(1) << 32;
  const Range terms = ranges.ofTerms(form);
  const auto [least, most] = form.constant.range();
  if (least <= -large || most >= large || terms.least < 0 || terms.least + least < 0)
    return std::nullopt;
  if (terms.most < large)
    return terms.most + most;
  if (!llvm::all_of(form.terms, isSameInLanes))
    return std::nullopt;
  // Lanes with negative constants, too, keep what leads beyond.
  const int64_t end = elements + std::max<int64_t>(-least, 0);
  clamp = Clamp{0, end};
  return end + most;
}

std::optional<Clamps> clampsOf(const Guard &guard, const Access &from, ArrayRef<LaneForm> indices, Ranges &ranges) {
  const MemRefType type = from.memrefType();
  const LaneForm &first = indices.front();
  const std::optional<int64_t> limit = guard.flag ? std::nullopt : getConstantIntValue(guard.limit);
  if (!limit || !type.hasStaticShape() || *limit != type.getDimSize(0) || *limit <= 0 ||
      guard.number != from.indices.front() || !llvm::all_of(first.terms, isSameInLanes))
    return std::nullopt;
  constexpr int64_t reach = int64_t(1) << 32; // of a buffer's offset
  const auto [least, most] = first.constant.range();
  if (least <= -reach || most >= reach || !type.getNumElements() || type.getNumElements() >= reach)
    return std::nullopt;
  Clamps clamps(indices.size());
  const int64_t shift = ranges.ofTerms(first).least >= 0 ? 0 : std::max<int64_t>(most, 0);
  const int64_t end = *limit - std::min<int64_t>(least, 0);
  if (!first.terms.empty())
    clamps[0] = Clamp{shift, end};
  // In elements.
  const int64_t row = type.getNumElements() / *limit;
  const auto vector = dyn_cast<VectorType>(from.type);
  __int128 others = vector ? vector.getNumElements() : 1; // one more than those of the last lane's piece
  int64_t stride = row;
  for (unsigned dim = 1; dim < indices.size(); ++dim) {
    stride /= type.getDimSize(dim);
    const std::optional<int64_t> index = highest(indices[dim], type.getNumElements() / stride, ranges, clamps[dim]);
    if (!index)
      return std::nullopt;
    others += __int128(*index) * stride;
  }
  const __int128 size = elementBytes(type.getElementType()), lowestRow = least - shift, highestRow = end + most;
  constexpr int64_t widestCopy = 16; // bytes per lane
  const bool isBelow = lowestRow >= 0 || (others <= row && (type.getNumElements() - lowestRow * row) * size <= reach);
  if (!isBelow || (highestRow * row + others) * size + widestCopy > reach)
    return std::nullopt;
  return clamps;
}

} // namespace inflight::loops
