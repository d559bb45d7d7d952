#include "compiler/lanes/LaneArithmetic.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace inflight::lanes {

static int64_t floored(int64_t a, int64_t b) {
  const int64_t quotient = a / b;
  return quotient - (a % b != 0 && (a < 0) != (b < 0));
}

template <bool IsRemainder> static int64_t divideSigned(int64_t a, int64_t b, unsigned) {
  if (b == 0)
    return 0;
  if (b == -1) // the least number has no negative
    return IsRemainder ? 0 : int64_t(-uint64_t(a));
  return IsRemainder ? a % b : a / b;
}

static BinaryFunction comparison(arith::CmpIPredicate predicate) {
  using enum arith::CmpIPredicate;
  switch (predicate) {
  case eq: return [](int64_t a, int64_t b, unsigned) -> int64_t { return a == b; };
  case ne: return [](int64_t a, int64_t b, unsigned) -> int64_t { return a != b; };
  case slt: return [](int64_t a, int64_t b, unsigned) -> int64_t { return a < b; };
  case sle: return [](int64_t a, int64_t b, unsigned) -> int64_t { return a <= b; };
  case sgt: return [](int64_t a, int64_t b, unsigned) -> int64_t { return a > b; };
  case sge: return [](int64_t a, int64_t b, unsigned) -> int64_t { return a >= b; };
  // Copies of the sign don't change the order of natural numbers.
  case ult: return [](int64_t a, int64_t b, unsigned) -> int64_t { return uint64_t(a) < uint64_t(b); };
  case ule: return [](int64_t a, int64_t b, unsigned) -> int64_t { return uint64_t(a) <= uint64_t(b); };
  case ugt: return [](int64_t a, int64_t b, unsigned) -> int64_t { return uint64_t(a) > uint64_t(b); };
  case uge: return [](int64_t a, int64_t b, unsigned) -> int64_t { return uint64_t(a) >= uint64_t(b); };
  }
  return nullptr;
}

BinaryFunction binaryFunction(Operation *op) {
  using Function = BinaryFunction;
  return llvm::TypeSwitch<Operation *, Function>(op)
      .Case([](arith::AddIOp) -> Function {
        return [](int64_t a, int64_t b, unsigned) { return int64_t(uint64_t(a) + uint64_t(b)); };
      })
      .Case([](arith::SubIOp) -> Function {
        return [](int64_t a, int64_t b, unsigned) { return int64_t(uint64_t(a) - uint64_t(b)); };
      })
      .Case([](arith::MulIOp) -> Function {
        return [](int64_t a, int64_t b, unsigned) { return int64_t(uint64_t(a) * uint64_t(b)); };
      })
      .Case([](arith::AndIOp) -> Function { return [](int64_t a, int64_t b, unsigned) { return a & b; }; })
      .Case([](arith::OrIOp) -> Function { return [](int64_t a, int64_t b, unsigned) { return a | b; }; })
      .Case([](arith::XOrIOp) -> Function { return [](int64_t a, int64_t b, unsigned) { return a ^ b; }; })
      .Case([](arith::MinSIOp) -> Function { return [](int64_t a, int64_t b, unsigned) { return std::min(a, b); }; })
      .Case([](arith::MaxSIOp) -> Function { return [](int64_t a, int64_t b, unsigned) { return std::max(a, b); }; })
      .Case([](arith::MinUIOp) -> Function {
        return [](int64_t a, int64_t b, unsigned) { return uint64_t(a) < uint64_t(b) ? a : b; };
      })
      .Case([](arith::MaxUIOp) -> Function {
        return [](int64_t a, int64_t b, unsigned) { return uint64_t(a) < uint64_t(b) ? b : a; };
      })
      .Case([](arith::DivSIOp) -> Function { return divideSigned<false>; })
      .Case([](arith::RemSIOp) -> Function { return divideSigned<true>; })
      .Case([](arith::FloorDivSIOp) -> Function {
        return [](int64_t a, int64_t b, unsigned) {
          return b == 0 || b == -1 ? divideSigned<false>(a, b, 0) : floored(a, b);
        };
      })
      .Case([](arith::CeilDivSIOp) -> Function {
        return [](int64_t a, int64_t b, unsigned) {
          return b == 0 || b == -1 ? divideSigned<false>(a, b, 0) : -floored(-a, b);
        };
      })
      .Case([](arith::DivUIOp) -> Function {
        return [](int64_t a, int64_t b, unsigned bits) {
          return b ? int64_t(naturalOf(a, bits) / naturalOf(b, bits)) : 0;
        };
      })
      .Case([](arith::RemUIOp) -> Function {
        return [](int64_t a, int64_t b, unsigned bits) {
          return b ? int64_t(naturalOf(a, bits) % naturalOf(b, bits)) : 0;
        };
      })
      .Case([](arith::CeilDivUIOp) -> Function {
        return [](int64_t a, int64_t b, unsigned bits) {
          const uint64_t x = naturalOf(a, bits), y = naturalOf(b, bits);
          return y ? int64_t(x / y + (x % y != 0)) : 0;
        };
      })
      .Case([](arith::ShLIOp) -> Function {
        return [](int64_t a, int64_t b, unsigned bits) { return uint64_t(b) < bits ? int64_t(uint64_t(a) << b) : 0; };
      })
      .Case([](arith::ShRUIOp) -> Function {
        return [](int64_t a, int64_t b, unsigned bits) {
          return uint64_t(b) < bits ? int64_t(naturalOf(a, bits) >> b) : 0;
        };
      })
      .Case([](arith::ShRSIOp) -> Function {
        return [](int64_t a, int64_t b, unsigned bits) { return uint64_t(b) < bits ? a >> b : 0; };
      })
      .Case([](arith::CmpIOp compare) -> Function { return comparison(compare.getPredicate()); })
      .Default(Function());
}

int64_t evaluate(AffineExpr expr, ArrayRef<int64_t> dims, ArrayRef<int64_t> symbols) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto dim = dyn_cast<AffineDimExpr>(expr))
    return dims[dim.getPosition()];
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return symbols[symbol.getPosition()];
  auto both = cast<AffineBinaryOpExpr>(expr);
  const int64_t a = evaluate(both.getLHS(), dims, symbols), b = evaluate(both.getRHS(), dims, symbols);
  switch (expr.getKind()) {
  case AffineExprKind::Add: return int64_t(uint64_t(a) + uint64_t(b));
  case AffineExprKind::Mul: return int64_t(uint64_t(a) * uint64_t(b));
  case AffineExprKind::FloorDiv: return b > 0 ? floored(a, b) : 0;
  case AffineExprKind::CeilDiv: return b > 0 ? -floored(-a, b) : 0;
  case AffineExprKind::Mod: return b > 0 ? a - floored(a, b) * b : 0;
  default: return 0;
  }
}

} // namespace inflight::lanes
