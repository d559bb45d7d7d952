#include "isa/instr/MnemonicPatterns.h"

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

MnemonicPatterns::MnemonicPatterns(StringRef text) {
  while (!text.empty()) {
    auto [pattern, rest] = text.split(' ');
    const bool excludes = pattern.consume_front("!");
    patterns.push_back({pattern, excludes});
    text = rest;
  }
}

bool MnemonicPatterns::fit(StringRef mnemonic) const {
  for (const Pattern &pattern : patterns) {
    const bool mayFit = pattern.text.front() == '*' || pattern.text.front() == mnemonic.front();
    if (mayFit && fits(mnemonic, pattern.text))
      return !pattern.excludes;
  }
  return false;
}

StringRef withoutEncoding(StringRef mnemonic) {
  for (StringRef suffix : {"_e32", "_e64", "_sdwa", "_dpp"})
    mnemonic.consume_back(suffix);
  return mnemonic;
}

} // namespace inflight
