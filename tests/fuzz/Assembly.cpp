// Assembly text through the assembler and linker. What links must load and disassemble, and the
// disassembly must assemble to the same code.
#include "Harness.h"
#include "program/assemble/Assembler.h"
#include "program/decode/Disassemble.h"

using namespace llvm;

namespace inflight::fuzz {

const bool inputIsText = true;

void fuzzOne(StringRef input) {
  if (input.empty())
    return;
  Expected<const Isa *> isa = Isa::get(chipOf(input));
  require(isa.takeError(), "chip");
  Expected<std::string> bytes = assembleCodeObject(**isa, input.drop_front(), "fuzz.s");
  if (!bytes) {
    consumeError(bytes.takeError());
    return;
  }
  Expected<CodeObject> object = CodeObject::load(*bytes, "fuzz.hsaco");
  if (!object) {
    consumeError(object.takeError()); // no kernel, for example
    return;
  }
  Expected<std::string> text = disassemble(*object);
  require(text.takeError(), "disassembly of what was assembled");
}

} // namespace inflight::fuzz
