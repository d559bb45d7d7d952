#include "trace/run/Arithmetic.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

using namespace llvm;

namespace inflight::trace {

static StringRef mnemonic(StringRef instruction) {
  return instruction.take_until([](char c) { return c == ' '; });
}

/// The kinds of a floating-point type stand one after another: sum, product, both, transcendental.
static Arithmetic floating(Arithmetic add, ArrayRef<StringRef> words) {
  static constexpr StringRef transcendental[] = {"rcp", "rsq", "sqrt", "exp", "log", "sin", "cos"};
  const auto has = [&](ArrayRef<StringRef> names) {
    return any_of(words, [&](StringRef word) { return is_contained(names, word); });
  };
  unsigned kind = 0;
  if (has({"fma", "fmac", "fmaak", "fmamk", "mad", "mac", "madak", "madmk", "fmas", "dot2", "dot2c"}))
    kind = 2;
  else if (has(transcendental))
    kind = 3;
  else if (has({"mul"}))
    kind = 1;
  else if (!has({"add", "sub", "subrev"}))
    return Arithmetic::None; // comparisons, minima, moves
  return Arithmetic(unsigned(add) + kind);
}

Arithmetic vectorArithmetic(StringRef instruction) {
  SmallVector<StringRef, 8> words;
  mnemonic(instruction).split(words, '_');
  if (words.size() < 3)
    return Arithmetic::None;
  if (words[1] == "cvt")
    return Arithmetic::Conversion;
  for (StringRef word : words) { // the result's type stands first
    if (word == "f16")
      return floating(Arithmetic::F16Add, words);
    if (word == "f32")
      return floating(Arithmetic::F32Add, words);
    if (word == "f64")
      return floating(Arithmetic::F64Add, words);
    if (word == "i64" || word == "u64")
      return Arithmetic::Int64;
    if (is_contained({StringRef("i32"), StringRef("u32"), StringRef("i24"), StringRef("u24")}, word))
      return Arithmetic::Int32;
  }
  return Arithmetic::None;
}

Arithmetic matrixArithmetic(StringRef instruction) {
  const StringRef name = mnemonic(instruction);
  if (name.contains("_i32_"))
    return Arithmetic::MatrixI8;
  if (name.contains("f8f6f4") || name.contains("fp8") || name.contains("bf8"))
    return Arithmetic::MatrixF8;
  if (name.contains("bf16"))
    return Arithmetic::MatrixBf16;
  if (name.contains("xf32"))
    return Arithmetic::MatrixXf32;
  if (name.contains("f16"))
    return Arithmetic::MatrixF16;
  return name.contains("f64") ? Arithmetic::MatrixF64 : Arithmetic::MatrixF32;
}

bool isBufferInstruction(StringRef instruction) { return instruction.starts_with("buffer_"); }

} // namespace inflight::trace
