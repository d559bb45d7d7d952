#include "compiler/lanes/LaneExpression.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight::lanes {

/// The table as an exclusive or of what each bit of the lane's number contributes; none if it isn't one, or isn't
/// natural numbers.
static std::optional<SmallVector<int64_t>> bitContributions(const LaneTable &table, unsigned lanes) {
  SmallVector<int64_t> ofBit;
  for (unsigned bit = 1; bit < lanes; bit *= 2)
    ofBit.push_back(table[bit] ^ table[0]);
  for (unsigned lane = 0; lane < lanes; ++lane) {
    int64_t value = table[0];
    for (unsigned bit = 0; bit < ofBit.size(); ++bit)
      if (lane >> bit & 1)
        value ^= ofBit[bit];
    if (value != table[lane] || value < 0)
      return std::nullopt;
  }
  return ofBit;
}

namespace {
/// What lanes compute wraps, as `index` does: differences and products are modulo 2^64.
struct Digit {
  unsigned divisor, count;
  uint64_t factor;
};

/// first + sum of `factor * ((lane + shift) / divisor % count)`, the last without a remainder.
struct Digits {
  uint64_t first = 0;
  unsigned shift = 0;
  SmallVector<Digit> digits;

  uint64_t at(unsigned lane) const {
    uint64_t sum = first;
    for (const Digit &digit : digits)
      sum += digit.factor * ((lane + shift) / digit.divisor % digit.count);
    return sum;
  }
  bool are(const LaneTable &table, unsigned lanes) const {
    return llvm::all_of(llvm::seq(lanes), [&](unsigned lane) { return at(lane) == uint64_t(table[lane]); });
  }
};
} // namespace

static uint64_t difference(const LaneTable &table, unsigned lane, unsigned from) {
  return uint64_t(table[lane]) - uint64_t(table[from]);
}

/// A table as digits of the lane's number; none if it can't be, with divisors that divide the number of lanes.
static std::optional<Digits> wholeDigits(const LaneTable &table, unsigned lanes) {
  Digits result{uint64_t(table[0]), 0, {}};
  unsigned divisor = 1;
  while (divisor < lanes) {
    const uint64_t factor = difference(table, divisor, 0);
    unsigned count = 1;
    while (count * divisor < lanes && difference(table, count * divisor, 0) == factor * count)
      ++count;
    // A digit that the next one cuts short: the largest count that divides what is left.
    while ((count * divisor < lanes) && lanes % (count * divisor))
      --count;
    if (count < 2)
      return std::nullopt;
    result.digits.push_back({divisor, count, factor});
    divisor *= count;
  }
  return result.are(table, lanes) ? std::optional(std::move(result)) : std::nullopt;
}

/// Runs of lanes with one step, all as long, of which the first and the last may be cut off: rows of three, say.
static std::optional<Digits> runs(const LaneTable &table, unsigned lanes) {
  constexpr unsigned fewest = 4;
  if (lanes < fewest)
    return std::nullopt;
  auto stepTo = [&](unsigned lane) { return difference(table, lane, lane - 1); };
  const uint64_t step = stepTo(1) == stepTo(3) ? stepTo(1) : stepTo(2); // two runs don't begin so close to each other
  unsigned begin = 1;
  while (begin < lanes && stepTo(begin) == step)
    ++begin;
  unsigned next = begin + 1;
  while (next < lanes && stepTo(next) == step)
    ++next;
  const unsigned length = next - begin;
  if (next >= lanes || begin > length)
    return std::nullopt;
  const unsigned shift = length - begin;
  const uint64_t first = uint64_t(table[0]) - step * shift;
  Digits result{first, shift, {{1, length, step}, {length, lanes, uint64_t(table[begin]) - first}}};
  return result.are(table, lanes) ? std::optional(std::move(result)) : std::nullopt;
}

static std::optional<Digits> digitsOf(const LaneTable &table, unsigned lanes) {
  std::optional<Digits> whole = wholeDigits(table, lanes);
  return whole ? whole : runs(table, lanes);
}

Value emitFlatId(OpBuilder &builder, Location loc, gpu::GPUFuncOp kernel) {
  Value flat = gpu::ThreadIdOp::create(builder, loc, gpu::Dimension::x);
  constexpr gpu::Dimension dimensions[] = {gpu::Dimension::x, gpu::Dimension::y, gpu::Dimension::z};
  int64_t before = 1;
  for (auto [dimension, side] : llvm::zip(dimensions, *kernel.getKnownBlockSize())) {
    if (dimension != gpu::Dimension::x && side > 1) {
      Value id = gpu::ThreadIdOp::create(builder, loc, dimension);
      Value apart = arith::ConstantIndexOp::create(builder, loc, before);
      flat = arith::AddIOp::create(builder, loc, flat, arith::MulIOp::create(builder, loc, id, apart));
    }
    before *= side;
  }
  return flat;
}

bool LaneExpressions::canEmit(const LaneTable &table, unsigned lanes) {
  return table.isSame() || bitContributions(table, lanes) || digitsOf(table, lanes);
}

Value LaneExpressions::constant(int64_t value) { return arith::ConstantIndexOp::create(builder, loc, value); }

Value LaneExpressions::add(Value a, Value b) {
  for (auto [value, other] : {std::pair(a, b), std::pair(b, a)})
    if (auto number = value.getDefiningOp<arith::ConstantIndexOp>(); number && number.value() == 0)
      return other;
  return arith::AddIOp::create(builder, loc, a, b);
}

Value LaneExpressions::emit(const LaneTable &table) {
  if (table.isSame())
    return constant(table[0]);
  std::vector<int64_t> differences;
  for (unsigned lane = 0; lane < lanes; ++lane)
    differences.push_back(int64_t(difference(table, lane, 0)));
  auto [it, isNew] = known.try_emplace(std::move(differences));
  if (isNew)
    it->second = {bitContributions(table, lanes) ? emitBits(table) : emitDigits(table), table[0]};
  return add(it->second.first, constant(int64_t(uint64_t(table[0]) - uint64_t(it->second.second))));
}

/// Bits that move by the same distance are moved together.
Value LaneExpressions::emitBits(const LaneTable &table) {
  const SmallVector<int64_t> ofBit = *bitContributions(table, lanes);
  std::map<int, uint64_t> moved; // distance to the left -> bits of the lane's number
  for (unsigned bit = 0; bit < ofBit.size(); ++bit)
    for (unsigned to = 0; to < 63; ++to)
      if (ofBit[bit] >> to & 1)
        moved[int(to) - int(bit)] |= uint64_t(1) << bit;
  // Where two meet they are combined without carry, all others are added: bounds of the sum are exact.
  uint64_t targeted = table[0], contested = 0;
  for (auto [distance, bits] : moved) {
    const uint64_t target = distance < 0 ? bits >> -distance : bits << distance;
    contested |= targeted & target;
    targeted |= target;
  }
  // Bits between those are combined as well: a bound of the combination has them set.
  const int low = contested ? llvm::countr_zero(contested) : 0;
  if (contested)
    contested = llvm::maskTrailingOnes<uint64_t>(llvm::Log2_64(contested) + 1) & ~llvm::maskTrailingOnes<uint64_t>(low);
  Value sum = constant(table[0] & ~contested), met = constant(int64_t(table[0] & contested) >> low);
  for (auto [distance, bits] : moved) {
    const uint64_t meeting = distance < 0 ? contested << -distance : contested >> distance;
    if (bits & ~meeting)
      sum = add(sum, emitMoved(bits & ~meeting, distance));
    if (bits & meeting)
      met = arith::XOrIOp::create(builder, loc, met, emitMoved(bits & meeting, distance - low));
  }
  if (!contested)
    return sum;
  return add(sum, arith::MulIOp::create(builder, loc, met, constant(int64_t(1) << low)));
}

/// Bits of the lane's number, `distance` to the left.
Value LaneExpressions::emitMoved(uint64_t bits, int distance) {
  const uint64_t all = llvm::NextPowerOf2(lanes - 1) - 1;
  // The highest bits need no mask when what is lower is shifted out.
  if (distance < 0 && bits == (all & ~((uint64_t(1) << -distance) - 1)))
    return arith::ShRUIOp::create(builder, loc, flatId, constant(-distance));
  Value part = flatId;
  if (bits != all)
    part = arith::AndIOp::create(builder, loc, part, constant(bits));
  if (distance < 0)
    return arith::ShRUIOp::create(builder, loc, part, constant(-distance));
  return distance ? arith::MulIOp::create(builder, loc, part, constant(int64_t(1) << distance)).getResult() : part;
}

Value LaneExpressions::emitDigits(const LaneTable &table) {
  const Digits number = *digitsOf(table, lanes);
  Value sum = constant(number.first), shifted = add(flatId, constant(number.shift));
  for (const Digit &digit : number.digits) {
    if (!digit.factor)
      continue;
    Value part = shifted;
    if (digit.divisor > 1)
      part = arith::DivUIOp::create(builder, loc, part, constant(digit.divisor));
    if (digit.divisor * digit.count < lanes + number.shift)
      part = arith::RemUIOp::create(builder, loc, part, constant(digit.count));
    if (digit.factor != 1)
      part = arith::MulIOp::create(builder, loc, part, constant(digit.factor));
    sum = add(sum, part);
  }
  return sum;
}

} // namespace inflight::lanes
