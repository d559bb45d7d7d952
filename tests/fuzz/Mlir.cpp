// MLIR text through the compiler. What compiles must assemble.
#include "Harness.h"
#include "compiler/driver/Compile.h"
#include "program/assemble/Assembler.h"
#include "llvm/Support/Regex.h"

using namespace llvm;

namespace inflight::fuzz {

const bool inputIsText = true;

/// Crashes of MLIR's own parser and verifier (README.md): `array<T: ...>` of a type that is neither
/// integer nor float.
static bool crashesMlir(StringRef text) {
  static const Regex arrayOfNumbers("^array<[[:space:]]*((i[0-9]+|f[0-9]+|bf16)[[:space:]]*)?[:>]");
  for (size_t at = text.find("array<"); at != StringRef::npos; at = text.find("array<", at + 1))
    if (!arrayOfNumbers.match(text.drop_front(at)))
      return true;
  return false;
}

void fuzzOne(StringRef input) {
  if (input.empty() || crashesMlir(input))
    return;
  CompileOptions options;
  options.chip = chipOf(input).str();
  options.emit = EmitKind::Asm;
  Expected<CompileResult> result = compile(input.drop_front(), "fuzz.mlir", options);
  if (!result) {
    consumeError(result.takeError());
    return;
  }
  Expected<const Isa *> isa = Isa::get(options.chip);
  require(isa.takeError(), "chip");
  require(assembleObject(**isa, result->output, "fuzz.s").takeError(), "the compiler's own assembly");
}

} // namespace inflight::fuzz
