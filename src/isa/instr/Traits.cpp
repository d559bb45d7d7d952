#include "isa/instr/Traits.h"

#include "isa/instr/MnemonicPatterns.h"
#include "llvm/ADT/StringMap.h"
#include <mutex>
#include <vector>

using namespace llvm;

namespace inflight {

/// The lines' patterns, taken apart once: every opcode's record asks all of them.
static const std::vector<MnemonicPatterns> &allPatterns() {
  static const std::vector<MnemonicPatterns> all = {
#define TRAIT(member, patterns, meaning) MnemonicPatterns(patterns),
#include "isa/instr/Traits.def"
#undef TRAIT
  };
  return all;
}

static Traits findTraits(StringRef mnemonic) {
  Traits traits;
  const MnemonicPatterns *patterns = allPatterns().data();
#define TRAIT(member, text, meaning) traits.member = (patterns++)->fit(mnemonic);
#include "isa/instr/Traits.def"
#undef TRAIT
  return traits;
}

Traits traitsOf(StringRef mnemonic) {
  // Several opcodes and chips share a mnemonic.
  static auto &mutex = *new std::mutex; // never destroyed, as what byChip keeps
  static auto &known = *new StringMap<Traits>;
  if (mnemonic.empty())
    return {};
  std::lock_guard<std::mutex> lock(mutex);
  auto [place, isNew] = known.try_emplace(mnemonic);
  if (isNew)
    place->second = findTraits(mnemonic);
  return place->second;
}

ArrayRef<StringRef> traitNames() {
  static const StringRef names[] = {
#define TRAIT(member, patterns, meaning) #member,
#include "isa/instr/Traits.def"
#undef TRAIT
  };
  return names;
}

bool hasTrait(const Traits &traits, size_t number) {
  size_t at = 0;
#define TRAIT(member, patterns, meaning) \
  if (at++ == number)                    \
    return traits.member;
#include "isa/instr/Traits.def"
#undef TRAIT
  return false;
}

} // namespace inflight
