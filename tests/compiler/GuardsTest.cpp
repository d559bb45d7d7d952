// Guards of masked loads and of loads in branches against what each element's mask is in every lane.
#include "compiler/lanes/Guards.h"
#include "RandomArithmetic.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "gtest/gtest.h"

using namespace inflight;
using namespace inflight::lanes;
using namespace inflight::testing;

namespace {
using Number = RandomArithmetic::Number;

/// A mask as MLIR, and what it is: element by element, or not defined.
struct Mask {
  std::string name;
  std::function<std::optional<bool>(unsigned element, unsigned lane, const Uniforms &)> in;
};

class Masks {
public:
  Masks(RandomArithmetic &arithmetic, unsigned elements)
      : arithmetic(arithmetic),
        elements(elements),
        type("vector<" + std::to_string(elements) + "xi1>"),
        numbers("vector<" + std::to_string(elements) + "xindex>") {}

  Mask make(unsigned depth = 0) {
    switch (arithmetic.pick(depth < 2 ? 4 : 3)) {
    case 0: return created();
    case 1: return compared();
    case 2: return splat();
    default: return both(make(depth + 1), make(depth + 1));
    }
  }
  /// Of a comparison.
  RandomArithmetic::Value flag() {
    const auto a = index(), b = index();
    const bool isSigned = arithmetic.pick(2);
    return arithmetic.add("arith.cmpi " + std::string(isSigned ? "slt" : "ult") + ", " + a.name + ", " + b.name +
                              " : index",
                          1, [=](unsigned lane, const Uniforms &given) -> Number {
                            const Number x = a.in(lane, given), y = b.in(lane, given);
                            return x && y ? Number(-int64_t(isLess(*x, *y, isSigned))) : std::nullopt;
                          });
  }
  std::string lines; ///< those of vectors

private:
  static bool isLess(int64_t x, int64_t y, bool isSigned) { return isSigned ? x < y : uint64_t(x) < uint64_t(y); }

  /// Mostly a multiple of the elements.
  RandomArithmetic::Value index() {
    RandomArithmetic::Value value;
    do
      value = arithmetic.values[arithmetic.pick(arithmetic.values.size())];
    while (value.bits != 64);
    if (!arithmetic.pick(4))
      return value;
    const auto factor = arithmetic.constant(elements, 64);
    return arithmetic.add("arith.muli " + value.name + ", " + factor.name + " : index", 64,
                          [=, this](unsigned lane, const Uniforms &given) -> Number {
                            const Number x = value.in(lane, given);
                            return x ? Number(uint64_t(*x) * elements) : x;
                          });
  }
  Mask line(const std::string &operation, decltype(Mask::in) in) {
    const std::string name = "%m" + std::to_string(count++);
    lines += "    " + name + " = " + operation + "\n";
    return {name, std::move(in)};
  }
  Mask created() {
    const auto limit = index(), first = index();
    const auto left = arithmetic.add("arith.subi " + limit.name + ", " + first.name + " : index", 64,
                                     [=](unsigned lane, const Uniforms &given) -> Number {
                                       const Number x = limit.in(lane, given), y = first.in(lane, given);
                                       return x && y ? Number(uint64_t(*x) - uint64_t(*y)) : std::nullopt;
                                     });
    return line("vector.create_mask " + left.name + " : " + type,
                [=](unsigned element, unsigned lane, const Uniforms &given) -> std::optional<bool> {
                  const Number x = left.in(lane, given);
                  return x ? std::optional(int64_t(element) < *x) : std::nullopt;
                });
  }
  Mask compared() {
    const auto first = index(), limit = index();
    const bool isSigned = arithmetic.pick(2);
    const std::string id = std::to_string(count);
    lines += "    %f" + id + " = vector.broadcast " + first.name + " : index to " + numbers + "\n    %s" + id +
             " = vector.step : " + numbers + "\n    %n" + id + " = arith.addi %f" + id + ", %s" + id + " : " + numbers +
             "\n    %l" + id + " = vector.broadcast " + limit.name + " : index to " + numbers + "\n";
    return line("arith.cmpi " + std::string(isSigned ? "slt" : "ult") + ", %n" + id + ", %l" + id + " : " + numbers,
                [=](unsigned element, unsigned lane, const Uniforms &given) -> std::optional<bool> {
                  const Number x = first.in(lane, given), y = limit.in(lane, given);
                  return x && y ? std::optional(isLess(uint64_t(*x) + element, *y, isSigned)) : std::nullopt;
                });
  }
  Mask splat() {
    const auto one = flag();
    return line("vector.broadcast " + one.name + " : i1 to " + type,
                [=](unsigned, unsigned lane, const Uniforms &given) -> std::optional<bool> {
                  const Number x = one.in(lane, given);
                  return x ? std::optional(*x != 0) : std::nullopt;
                });
  }
  Mask both(const Mask &a, const Mask &b) {
    return line("arith.andi " + a.name + ", " + b.name + " : " + type,
                [=](unsigned element, unsigned lane, const Uniforms &given) -> std::optional<bool> {
                  const std::optional<bool> x = a.in(element, lane, given), y = b.in(element, lane, given);
                  return x && y ? std::optional(*x && *y) : std::nullopt;
                });
  }

  RandomArithmetic &arithmetic;
  const unsigned elements;
  const std::string type, numbers;
  unsigned count = 0;
};

/// None: not defined.
std::optional<bool> holds(const Guard &guard, unsigned lane, const Uniforms &given, const ArithmeticKernel &kernel,
                          const RandomArithmetic &arithmetic) {
  auto in = [&](mlir::Value value) { return arithmetic.values[kernel.numberOf.lookup(value)].in(lane, given); };
  if (guard.flag) {
    const Number flag = in(guard.flag);
    return flag ? std::optional(*flag != 0) : std::nullopt;
  }
  if (guard.left) {
    const Number left = in(guard.left);
    return left ? std::optional(*left > 0) : std::nullopt;
  }
  const Number number = in(guard.number);
  const auto constant = mlir::dyn_cast<mlir::Attribute>(guard.limit);
  const Number limit = constant ? mlir::cast<mlir::IntegerAttr>(constant).getValue().getSExtValue()
                                : in(mlir::cast<mlir::Value>(guard.limit));
  if (!number || !limit)
    return std::nullopt;
  return guard.isSigned ? *number < *limit : uint64_t(*number) < uint64_t(*limit);
}
} // namespace

TEST(Guards, AreTheMasksOfAllElements) {
  unsigned understood = 0, guards = 0;
  for (unsigned seed = 0; seed < 600; ++seed) {
    RandomArithmetic arithmetic(seed, seed % 2 ? Workgroup{{64, 1, 1}} : Workgroup{{16, 8, 1}});
    for (unsigned i = 0; i < 8; ++i)
      arithmetic.step();
    const unsigned elements = 1u << (1 + seed % 3);
    const std::string type = "vector<" + std::to_string(elements) + "xf16>";
    Masks masks(arithmetic, elements);
    const Mask mask = masks.make();
    const bool isInBranch = seed % 4 == 0;
    const auto branch = masks.flag();
    const std::string load = "vector.maskedload %m[%a0], " + mask.name + ", %zeros : memref<4096xf16>, " +
                             type.substr(0, type.find('x')) + "xi1>, " + type + " into " + type + "\n";
    std::string more = masks.lines + "    %zeros = arith.constant dense<0.0> : " + type + "\n";
    more += isInBranch
                ? "    %r = scf.if " + branch.name + " -> " + type + " {\n    %l = " + load +
                      "    scf.yield %l : " + type + "\n    } else {\n    scf.yield %zeros : " + type + "\n    }\n"
                : "    %r = " + load;
    more += "    vector.store %r, %m[%a1] : memref<4096xf16>, " + type + "\n";
    ArithmeticKernel kernel(arithmetic, more);
    ASSERT_TRUE(kernel.module) << arithmetic.text << more;
    mlir::Value stored;
    kernel.module->walk([&](mlir::vector::StoreOp store) { stored = store.getValueToStore(); });
    LaneForms forms(kernel.function);
    Ranges ranges(forms);
    std::string why;
    const std::optional<GuardedLoad> found = guardedLoad(stored, forms, ranges, why);
    if (!found) {
      EXPECT_NE(why, "") << arithmetic.text << more;
      continue;
    }
    ++understood;
    guards += found->guards.size();
    for (unsigned draw = 0; draw < 4; ++draw) {
      const Uniforms given = arithmetic.pickUniforms();
      for (unsigned lane = 0; lane < forms.lanes(); ++lane) {
        std::optional<bool> wanted = true;
        for (const Guard &guard : found->guards)
          if (const std::optional<bool> one = holds(guard, lane, given, kernel, arithmetic); !one || !wanted)
            wanted = std::nullopt;
          else
            wanted = *wanted && *one;
        const Number taken = branch.in(lane, given);
        for (unsigned element = 0; element < elements && wanted && (taken || !isInBranch); ++element)
          if (const std::optional<bool> masked = mask.in(element, lane, given))
            ASSERT_EQ(*masked && (!isInBranch || *taken), *wanted)
                << "seed " << seed << ", lane " << lane << ", element " << element << "\n"
                << arithmetic.text << more;
      }
    }
  }
  EXPECT_GT(understood, 200u);
  EXPECT_GT(guards, understood);
}
