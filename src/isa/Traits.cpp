#include "isa/Traits.h"

#include "llvm/ADT/SmallVector.h"

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

static bool fitsAny(StringRef name, StringRef patterns) {
  while (!patterns.empty()) {
    auto [pattern, rest] = patterns.split(' ');
    const bool excludes = pattern.consume_front("!");
    if (fits(name, pattern))
      return !excludes;
    patterns = rest;
  }
  return false;
}

Traits traitsOf(StringRef mnemonic) {
  Traits traits;
#define TRAIT(member, patterns, meaning) traits.member = fitsAny(mnemonic, patterns);
#include "isa/Traits.def"
#undef TRAIT
  return traits;
}

ArrayRef<StringRef> traitNames() {
  static const StringRef names[] = {
#define TRAIT(member, patterns, meaning) #member,
#include "isa/Traits.def"
#undef TRAIT
  };
  return names;
}

bool hasTrait(const Traits &traits, size_t number) {
  size_t at = 0;
#define TRAIT(member, patterns, meaning) \
  if (at++ == number)                    \
    return traits.member;
#include "isa/Traits.def"
#undef TRAIT
  return false;
}

} // namespace inflight
