#include "trace/run/InstructionText.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include <optional>

using namespace llvm;

namespace inflight::trace {

namespace {

/// Words, numbers in one base, and each other character by itself.
std::vector<std::string> tokensOf(StringRef text) {
  text = text.split("//").first.split(';').first;
  std::vector<std::string> tokens;
  const auto isWord = [](char c) { return isAlnum(c) || c == '_' || c == '.'; };
  while (!(text = text.ltrim()).empty()) {
    const StringRef word = text.take_while(isWord);
    uint64_t number;
    if (word.empty())
      tokens.push_back(text.take_front().str());
    else if (!word.getAsInteger(0, number))
      tokens.push_back(std::to_string(number));
    else
      tokens.push_back(word.lower());
    text = text.drop_front(std::max<size_t>(1, word.size()));
  }
  // Between the counters of s_waitcnt.
  llvm::erase(tokens, "&");
  return tokens;
}

/// Tools write a branch's target as a distance, an address or a name: where code is the same it is the same.
bool isSameBranch(ArrayRef<std::string> a, ArrayRef<std::string> b) {
  const auto distance = [](ArrayRef<std::string> tokens) -> std::optional<int16_t> {
    int64_t value;
    if (tokens.size() == 2 && !StringRef(tokens[1]).getAsInteger(10, value) && value <= UINT16_MAX)
      return int16_t(value);
    if (tokens.size() == 3 && tokens[1] == "-" && !StringRef(tokens[2]).getAsInteger(10, value))
      return int16_t(-value);
    return std::nullopt;
  };
  const std::optional<int16_t> first = distance(a), second = distance(b);
  return a[0] == b[0] && (!first || !second || *first == *second);
}

} // namespace

bool endsWave(StringRef instruction) { return instruction.starts_with("s_endpgm"); }

bool isOfScratch(StringRef instruction) { return instruction.starts_with("scratch_"); }

bool waitsForOthers(StringRef instruction) {
  const StringRef name = instruction.split(' ').first;
  return name.starts_with("s_waitcnt") || name == "s_barrier";
}

bool isSameInstruction(StringRef a, StringRef b, bool isBranch) {
  if (a == b)
    return true;
  const std::vector<std::string> first = tokensOf(a), second = tokensOf(b);
  if (!first.empty() && !second.empty() && isBranch)
    return isSameBranch(first, second);
  return first == second;
}

} // namespace inflight::trace
