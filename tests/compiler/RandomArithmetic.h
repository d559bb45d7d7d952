// Random index arithmetic on ids, constants and arguments: as MLIR, and what it comes to in a lane by host arithmetic.
#pragma once

#include "compiler/driver/Session.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <vector>

namespace inflight::testing {

/// A workgroup, and what is the same in all its lanes.
struct Workgroup {
  unsigned sizes[3] = {64, 1, 1};
  unsigned lanes() const { return sizes[0] * sizes[1] * sizes[2]; }
};
using Uniforms = std::vector<int64_t>; ///< what the arguments hold

class RandomArithmetic {
public:
  /// None: not defined, as a division by zero.
  using Number = std::optional<int64_t>;
  struct Value {
    std::string name;
    unsigned bits;
    std::function<Number(unsigned lane, const Uniforms &)> in; ///< as a signed number
  };

  static constexpr unsigned argumentCount = 3; ///< %a0, %a1, ... of type index

  RandomArithmetic(unsigned seed, Workgroup group) : random(seed), group(group) {
    for (unsigned i = 0; i < argumentCount; ++i)
      values.push_back({"%a" + std::to_string(i), 64, [i](unsigned, const Uniforms &given) { return given[i]; }});
    const char *const dims[] = {"x", "y", "z"};
    for (unsigned dim = 0; dim < 3; ++dim)
      add(std::string("gpu.thread_id ") + dims[dim], 64,
          [this, dim](unsigned lane, const Uniforms &) { return int64_t(idOf(lane, dim)); });
    add("gpu.lane_id", 64, [](unsigned lane, const Uniforms &) { return int64_t(lane % 64); });
  }

  unsigned pick(unsigned count) { return random() % count; }
  int64_t pickNumber() {
    const int64_t small = int64_t(pick(70)) - 3;
    return pick(3) ? small : pick(4) ? int64_t(1) << pick(12) : int64_t(random());
  }
  Uniforms pickUniforms() {
    Uniforms given;
    for (unsigned i = 0; i < argumentCount; ++i)
      given.push_back(pickNumber());
    return given;
  }

  /// Adds an operation on what there is.
  const Value &step() {
    const Value a = values[pick(values.size())];
    switch (pick(4)) {
    case 0: return constant(pickNumber(), a.bits);
    case 1: return convert(a);
    default: return binary(a);
    }
  }

  const Value &constant(int64_t number, unsigned bits) {
    number = llvm::SignExtend64(number, bits);
    return add("arith.constant " + std::to_string(number) + " : " + typeOf(bits), bits,
               [number](unsigned, const Uniforms &) { return number; });
  }
  static std::string typeOf(unsigned bits) { return bits == 64 ? "index" : "i" + std::to_string(bits); }

  const Value &add(const std::string &operation, unsigned bits, std::function<Number(unsigned, const Uniforms &)> in) {
    const std::string name = "%v" + std::to_string(values.size());
    text += "    " + name + " = " + operation + "\n";
    values.push_back({name, bits, std::move(in)});
    return values.back();
  }

  std::mt19937_64 random;
  const Workgroup group;
  std::vector<Value> values; ///< the arguments, then a result for each line
  std::string text;          ///< lines of a kernel's body

private:
  unsigned idOf(unsigned lane, unsigned dim) const {
    return dim == 0   ? lane % group.sizes[0]
           : dim == 1 ? lane / group.sizes[0] % group.sizes[1]
                      : lane / group.sizes[0] / group.sizes[1];
  }

  const Value &convert(const Value &a) {
    const bool isWide = a.bits == 64, isSigned = pick(2);
    const unsigned bits = isWide ? 32 : 64;
    return add(std::string("arith.index_cast") + (isSigned ? " " : "ui ") + a.name + " : " + typeOf(a.bits) + " to " +
                   typeOf(bits),
               bits, [a, isWide, isSigned](unsigned lane, const Uniforms &given) -> Number {
                 const Number x = a.in(lane, given);
                 return !x ? x : isWide ? int64_t(int32_t(*x)) : isSigned ? *x : int64_t(uint32_t(*x));
               });
  }

  const Value &binary(const Value &a) {
    static constexpr const char *names[] = {"addi", "subi", "muli", "divui",      "remui", "divsi", "remsi",
                                            "andi", "ori",  "xori", "floordivsi", "shli",  "shrui", "shrsi",
                                            "addi", "muli", "addi", "divui",      "remui"};
    const std::string name = names[pick(std::size(names))];
    const bool isDivision = name.starts_with("div") || name.starts_with("rem") || name.starts_with("floor");
    const bool isShift = name.starts_with("sh");
    Value b = a;
    if (isShift || (isDivision && pick(4)))
      b = constant(isShift ? pick(8) : 1 + pick(40), a.bits);
    else
      do
        b = values[pick(values.size())];
      while (b.bits != a.bits);
    return add("arith." + name + " " + a.name + ", " + b.name + " : " + typeOf(a.bits), a.bits,
               [a, b, name](unsigned lane, const Uniforms &given) -> Number {
                 const Number x = a.in(lane, given), y = b.in(lane, given);
                 const Number result = x && y ? compute(name, *x, *y, a.bits) : std::nullopt;
                 return result ? Number(llvm::SignExtend64(*result, a.bits)) : result;
               });
  }

  static Number compute(llvm::StringRef name, int64_t x, int64_t y, unsigned bits) {
    const uint64_t mask = llvm::maskTrailingOnes<uint64_t>(bits), ux = x & mask, uy = y & mask;
    const bool overflows = y == -1 && x == llvm::minIntN(bits);
    if (name == "addi")
      return int64_t(ux + uy);
    if (name == "subi")
      return int64_t(ux - uy);
    if (name == "muli")
      return int64_t(ux * uy);
    if (name == "andi")
      return x & y;
    if (name == "ori")
      return x | y;
    if (name == "xori")
      return x ^ y;
    if (name == "shli")
      return uy < bits ? Number(ux << uy) : std::nullopt;
    if (name == "shrui")
      return uy < bits ? Number(ux >> uy) : std::nullopt;
    if (name == "shrsi")
      return uy < bits ? Number(x >> uy) : std::nullopt;
    if (!y || overflows)
      return std::nullopt;
    if (name == "divui")
      return int64_t(ux / uy);
    if (name == "remui")
      return int64_t(ux % uy);
    if (name == "divsi")
      return x / y;
    if (name == "remsi")
      return x % y;
    return x / y - (x % y != 0 && (x % y < 0) != (y < 0)); // floordivsi
  }
};

/// A kernel of it, and of more lines, which may use memory, %m.
struct ArithmeticKernel {
  explicit ArithmeticKernel(const RandomArithmetic &arithmetic, const std::string &more = "") {
    const auto &sizes = arithmetic.group.sizes;
    const std::string text = llvm::formatv(
        "gpu.module @m {{\n  gpu.func @k(%a0: index, %a1: index, %a2: index, %m: memref<4096xf16>) kernel attributes "
        "{{known_block_size = array<i32: {0}, {1}, {2}>} {{\n{3}{4}    gpu.return\n  }\n}\n",
        sizes[0], sizes[1], sizes[2], arithmetic.text, more);
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &session->context());
    if (!module)
      return;
    module->walk([&](mlir::gpu::GPUFuncOp found) { function = found; });
    unsigned number = 0;
    for (; number < RandomArithmetic::argumentCount; ++number)
      numberOf[function.getArgument(number)] = number;
    for (mlir::Operation &op : function.getBody().front())
      if (number < arithmetic.values.size())
        numberOf[op.getResult(0)] = number++;
  }
  Session::Handle session = Session::take();
  mlir::OwningOpRef<mlir::ModuleOp> module; ///< null if it can't be parsed
  mlir::gpu::GPUFuncOp function;
  llvm::DenseMap<mlir::Value, unsigned> numberOf; ///< in RandomArithmetic::values
};

} // namespace inflight::testing
