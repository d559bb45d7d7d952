#include "compiler/lanes/LaneExpression.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight::lanes {

namespace {
/// Lanes by two digits of which each has bits of its own: the lower one counts to `length`. 0: by their numbers.
struct Numbering {
  unsigned length = 0, shift = 0;
  uint64_t of(unsigned lane) const {
    if (!length)
      return lane;
    const unsigned shifted = lane + shift;
    return uint64_t(shifted / length) << llvm::Log2_32_Ceil(length) | shifted % length;
  }
};

/// first ^ what each bit of the lane's number contributes.
struct Bits {
  Numbering numbering;
  uint64_t first = 0;
  SmallVector<uint64_t> ofBit;
};

/// Which numbers of a table follow from which bits of the lanes' numbers, with as many of them known as were added.
class BitSolver {
public:
  explicit BitSolver(Bits &bits) : bits(bits) {}
  /// False if the number contradicts those before.
  bool add(uint64_t lane, uint64_t number) {
    if (!count++) {
      firstLane = lane;
      firstNumber = number;
    }
    lane ^= firstLane;
    number ^= firstNumber;
    for (const auto &[from, to] : known)
      if (lane & llvm::bit_floor(from)) {
        lane ^= from;
        number ^= to;
      }
    if (!lane)
      return !number;
    for (auto &[from, to] : known)
      if (from & llvm::bit_floor(lane)) {
        from ^= lane;
        to ^= number;
      }
    known.push_back({lane, number});
    return true;
  }
  /// Bits that no lane has by themselves contribute nothing.
  void finish() {
    bits.first = firstNumber;
    for (const auto &[from, to] : known) {
      const unsigned bit = llvm::Log2_64(from);
      bits.ofBit.resize(std::max<size_t>(bits.ofBit.size(), bit + 1));
      bits.ofBit[bit] = to;
      if (firstLane >> bit & 1)
        bits.first ^= to;
    }
  }

private:
  Bits &bits;
  unsigned count = 0;
  uint64_t firstLane = 0, firstNumber = 0;
  SmallVector<std::pair<uint64_t, uint64_t>, 10> known; ///< the highest bit of each is in no other one
};
} // namespace

/// None if the table isn't one, or isn't natural numbers. The lanes with one bit say what each bit contributes, and
/// each other one is its lowest bit more than a lane before it.
static std::optional<Bits> bitsOf(const LaneTable &table, unsigned lanes) {
  Bits result{{}, uint64_t(table[0]), {}};
  for (unsigned lane = 0; lane < lanes; ++lane) {
    const unsigned rest = lane & (lane - 1), lowest = lane - rest;
    if (table[lane] < 0 || (rest && table[lane] != (table[rest] ^ table[lowest] ^ table[0])))
      return std::nullopt;
    if (lane && !rest)
      result.ofBit.push_back(table[lane] ^ table[0]);
  }
  return result;
}

/// The same of other numbers of the lanes.
static std::optional<Bits> bitsOf(const LaneTable &table, unsigned lanes, Numbering numbering) {
  Bits result{numbering, 0, {}};
  BitSolver solver(result);
  for (unsigned lane = 0; lane < lanes; ++lane)
    if (table[lane] < 0 || !solver.add(numbering.of(lane), table[lane]))
      return std::nullopt;
  solver.finish();
  return result;
}

/// Whether numbers in rows of `length` may follow from two digits with bits of their own, wherever the first row
/// begins: what neighbours in a row differ by follows from the lower digit alone, so that it is the same a row later.
/// Only neighbours of different rows, one pair in each, may differ by something else.
static bool mayRepeat(const LaneTable &table, unsigned lanes, unsigned length) {
  auto step = [&](unsigned lane) { return table[lane] ^ table[lane + 1]; };
  std::optional<unsigned> end; // of rows
  for (unsigned lane = 0; lane + length + 1 < lanes; ++lane)
    if (step(lane) != step(lane + length)) {
      if (end && *end != lane % length)
        return false;
      end = lane % length;
    }
  return true;
}

/// By the digits of rows that are no power of two long: those of the lane's number, or of what lanes do in later rounds
/// of a workgroup.
static std::optional<Bits> bitsOfDigits(const LaneTable &table, unsigned lanes) {
  constexpr unsigned mostRounds = 32;
  for (unsigned odd : {3, 5, 7, 9, 11, 13, 15})
    for (unsigned length = odd; length < lanes; length *= 2)
      if (mayRepeat(table, lanes, length))
        for (unsigned round = 0; round < mostRounds; ++round)
          if (std::optional<Bits> bits = bitsOf(table, lanes, {length, round * lanes}))
            return bits;
  return std::nullopt;
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
  return table.isSame() || bitsOf(table, lanes) || digitsOf(table, lanes) || bitsOfDigits(table, lanes);
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
    it->second = {emitLanes(table), table[0]};
  return add(it->second.first, constant(int64_t(uint64_t(table[0]) - uint64_t(it->second.second))));
}

Value LaneExpressions::emitLanes(const LaneTable &table) {
  std::optional<Bits> bits = bitsOf(table, lanes);
  if (!bits && digitsOf(table, lanes))
    return emitDigits(table);
  if (!bits)
    bits = *bitsOfDigits(table, lanes);
  const Numbering &numbering = bits->numbering;
  Value number = flatId;
  if (numbering.length) {
    Value shifted = add(flatId, constant(numbering.shift));
    Value length = constant(numbering.length);
    Value high = arith::MulIOp::create(builder, loc, arith::DivUIOp::create(builder, loc, shifted, length),
                                       constant(int64_t(1) << llvm::Log2_32_Ceil(numbering.length)));
    number = add(high, arith::RemUIOp::create(builder, loc, shifted, length));
  }
  return emitBits(number, numbering.of(lanes - 1), bits->first, bits->ofBit);
}

/// Bits that move by the same distance are moved together.
Value LaneExpressions::emitBits(Value number, uint64_t greatest, uint64_t first, ArrayRef<uint64_t> ofBit) {
  std::map<int, uint64_t> moved; // distance to the left -> bits of the lane's number
  for (unsigned bit = 0; bit < ofBit.size(); ++bit)
    for (unsigned to = 0; to < 63; ++to)
      if (ofBit[bit] >> to & 1)
        moved[int(to) - int(bit)] |= uint64_t(1) << bit;
  // Where two meet they are combined without carry, all others are added: bounds of the sum are exact.
  uint64_t targeted = first, contested = 0;
  for (auto [distance, bits] : moved) {
    const uint64_t target = distance < 0 ? bits >> -distance : bits << distance;
    contested |= targeted & target;
    targeted |= target;
  }
  // Bits between those are combined as well: a bound of the combination has them set.
  const int low = contested ? llvm::countr_zero(contested) : 0;
  if (contested)
    contested = llvm::maskTrailingOnes<uint64_t>(llvm::Log2_64(contested) + 1) & ~llvm::maskTrailingOnes<uint64_t>(low);
  Value sum = constant(first & ~contested), met = constant(int64_t(first & contested) >> low);
  for (auto [distance, bits] : moved) {
    const uint64_t meeting = distance < 0 ? contested << -distance : contested >> distance;
    if (bits & ~meeting)
      sum = add(sum, emitMoved(number, greatest, bits & ~meeting, distance));
    if (bits & meeting)
      met = arith::XOrIOp::create(builder, loc, met, emitMoved(number, greatest, bits & meeting, distance - low));
  }
  if (!contested)
    return sum;
  return add(sum, arith::MulIOp::create(builder, loc, met, constant(int64_t(1) << low)));
}

/// Bits of the number, `distance` to the left.
Value LaneExpressions::emitMoved(Value number, uint64_t greatest, uint64_t bits, int distance) {
  const uint64_t all = llvm::NextPowerOf2(greatest) - 1;
  // The highest bits need no mask when what is lower is shifted out.
  if (distance < 0 && bits == (all & ~((uint64_t(1) << -distance) - 1)))
    return arith::ShRUIOp::create(builder, loc, number, constant(-distance));
  Value part = number;
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
