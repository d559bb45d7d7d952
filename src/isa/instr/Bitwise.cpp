#include "isa/instr/Bitwise.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace inflight {

Bitwise bitwiseOf(StringRef mnemonic) {
  const bool isLong = mnemonic.consume_back("_b64");
  if (!mnemonic.consume_front("s_") || (!isLong && !mnemonic.consume_back("_b32")))
    return Bitwise::None;
  if (isLong && !mnemonic.consume_back("_saveexec"))
    mnemonic.consume_back("_wrexec");
  return StringSwitch<Bitwise>(mnemonic)
      .Case("mov", Bitwise::Copy)
      .Case("not", Bitwise::Not)
      .Case("and", Bitwise::And)
      .Case("or", Bitwise::Or)
      .Case("xor", Bitwise::Xor)
      .Case("andn2", Bitwise::AndNot)
      .Case("orn2", Bitwise::OrNot)
      .Case("nand", Bitwise::NotAnd)
      .Case("nor", Bitwise::NotOr)
      .Case("xnor", Bitwise::NotXor)
      .Case("andn1", Bitwise::NotFirstAnd)
      .Case("orn1", Bitwise::NotFirstOr)
      .Default(Bitwise::None);
}

} // namespace inflight
