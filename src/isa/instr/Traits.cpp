#include "isa/instr/Traits.h"

#include "llvm/ADT/StringMap.h"
#include <mutex>
#include <vector>

using namespace llvm;

namespace inflight {

/// Whether `name` is `pattern`, in which each * stands for any text.
static bool fits(StringRef name, StringRef pattern) {
  const size_t star = pattern.find('*');
  if (star == StringRef::npos)
    return name == pattern;
  if (!name.consume_front(pattern.take_front(star)))
    return false;
  for (StringRef rest = pattern.drop_front(star + 1);;) {
    const size_t next = rest.find('*');
    if (next == StringRef::npos)
      return name.ends_with(rest);
    const size_t at = name.find(rest.take_front(next));
    if (at == StringRef::npos)
      return false;
    name = name.drop_front(at + next);
    rest = rest.drop_front(next + 1);
  }
}

namespace {
/// One alternative of a line of Traits.def.
struct Pattern {
  StringRef text;
  bool excludes = false;

  bool mayFit(StringRef name) const { return text.front() == '*' || text.front() == name.front(); }
};
using Patterns = std::vector<Pattern>;
} // namespace

/// The lines' patterns, taken apart once: every opcode's record asks all of them.
static const std::vector<Patterns> &allPatterns() {
  static const std::vector<Patterns> all = [] {
    std::vector<Patterns> made;
    for (StringRef line : {
#define TRAIT(member, patterns, meaning) StringRef(patterns),
#include "isa/instr/Traits.def"
#undef TRAIT
         }) {
      Patterns &patterns = made.emplace_back();
      while (!line.empty()) {
        auto [pattern, rest] = line.split(' ');
        const bool excludes = pattern.consume_front("!");
        patterns.push_back({pattern, excludes});
        line = rest;
      }
    }
    return made;
  }();
  return all;
}

static bool fitsAny(StringRef name, const Patterns &patterns) {
  for (const Pattern &pattern : patterns)
    if (pattern.mayFit(name) && fits(name, pattern.text))
      return !pattern.excludes;
  return false;
}

static Traits findTraits(StringRef mnemonic) {
  Traits traits;
  const Patterns *patterns = allPatterns().data();
#define TRAIT(member, text, meaning) traits.member = fitsAny(mnemonic, *patterns++);
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
