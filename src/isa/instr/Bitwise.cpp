#include "isa/instr/Bitwise.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace inflight {

Bitwise bitwiseOf(StringRef mnemonic) {
  const bool isLong = mnemonic.consume_back("_b64");
  if (!mnemonic.consume_front("s_") || (!isLong && !mnemonic.consume_back("_b32")))
    return Bitwise::None;
  if (!mnemonic.consume_back("_saveexec"))
    mnemonic.consume_back("_wrexec");
  return StringSwitch<Bitwise>(mnemonic)
      .Case("mov", Bitwise::Copy)
      .Case("not", Bitwise::Not)
      .Case("and", Bitwise::And)
      .Case("or", Bitwise::Or)
      .Case("xor", Bitwise::Xor)
      .Cases({"andn2", "and_not1"}, Bitwise::AndNot)
      .Cases({"orn2", "or_not1"}, Bitwise::OrNot)
      .Case("nand", Bitwise::NotAnd)
      .Case("nor", Bitwise::NotOr)
      .Case("xnor", Bitwise::NotXor)
      .Cases({"andn1", "and_not0"}, Bitwise::NotFirstAnd)
      .Cases({"orn1", "or_not0"}, Bitwise::NotFirstOr)
      .Default(Bitwise::None);
}

} // namespace inflight
