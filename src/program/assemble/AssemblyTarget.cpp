#include "program/assemble/AssemblyTarget.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace inflight {

static constexpr StringLiteral directive = ".amdgcn_target";

/// Calls `take` with where each directive and its identifier stand, until it returns false.
static void forEachTarget(StringRef text, function_ref<bool(size_t at, StringRef id)> take) {
  for (size_t at = 0; (at = text.find(directive, at)) != StringRef::npos; ++at) {
    if (!text.slice(text.rfind('\n', at) + 1, at).trim().empty())
      continue;
    StringRef line = text.drop_front(at).take_until([](char c) { return c == '\n'; });
    if (!take(at, line.split('"').second.split('"').first))
      return;
  }
}

TargetId targetOf(StringRef text) {
  TargetId target;
  forEachTarget(text, [&](size_t, StringRef id) {
    target = parseTargetId(id);
    return false;
  });
  return target;
}

/// Whether a line that begins with `word` goes on with `value`.
static bool hasLine(StringRef text, StringRef word, StringRef value) {
  for (size_t at = 0; (at = text.find(word, at)) != StringRef::npos; at += word.size()) {
    const StringRef rest = text.drop_front(at + word.size()).take_until([](char c) { return c == '\n'; });
    if (text.slice(text.rfind('\n', at) + 1, at).trim(" \t-").empty() && rest.trim().split(' ').first == value)
      return true;
  }
  return false;
}

bool saysWaveSize(StringRef text) {
  return any_of(ArrayRef<StringRef>{"0", "1"},
                [&](StringRef value) { return hasLine(text, ".amdhsa_wavefront_size32", value); }) ||
         any_of(ArrayRef<StringRef>{"32", "64"},
                [&](StringRef value) { return hasLine(text, ".wavefront_size:", value); });
}

Expected<const Isa *> isaOf(StringRef chip, StringRef text) {
  Expected<const TargetInfo *> target = TargetInfo::get(chip);
  if (!target)
    return target.takeError();
  const bool hasLargeWaves = (*target)->hasBothWaveSizes && (hasLine(text, ".amdhsa_wavefront_size32", "0") ||
                                                             hasLine(text, ".wavefront_size:", "64"));
  return Isa::get(chip, hasLargeWaves ? 2 * (*target)->lanesPerWave : 0);
}

/// "v1.l", "v[2].h".
static bool namesHalves(StringRef text) {
  for (size_t at = 1; (at = text.find('.', at)) != StringRef::npos; ++at) {
    const char before = text[at - 1], half = at + 1 < text.size() ? text[at + 1] : ' ';
    const char after = at + 2 < text.size() ? text[at + 2] : ' ';
    if ((isDigit(before) || before == ']') && (half == 'l' || half == 'h') && !isAlnum(after) && after != '_')
      return true;
  }
  return false;
}

std::string featuresOf(const Isa &isa, StringRef text) {
  std::string features = targetOf(text).features;
  if (isa.target().hasHalfRegisters && !namesHalves(text))
    features += features.empty() ? "-real-true16" : ",-real-true16";
  return features;
}

/// From LLVM 23 on .amdhsa_inst_pref_size is "((instprefsize(END-BEGIN)<<4)&1008)>>4": the code's lines of 128 bytes,
/// as many as the field counts (AMDGPUUsage, INST_PREF_SIZE: six bits, eight from gfx12 on).
static void writePrefetchSizes(MutableArrayRef<char> copy) {
  constexpr StringLiteral name = ".amdhsa_inst_pref_size", function = "instprefsize(";
  const StringRef text(copy.data(), copy.size());
  for (size_t at = 0; (at = text.find(name, at)) != StringRef::npos; at += name.size()) {
    const StringRef line = text.drop_front(at + name.size()).take_until([](char c) { return c == '\n'; });
    const StringRef argument = line.split(function).second;
    const size_t close = argument.find(')');
    if (close == StringRef::npos)
      continue;
    const StringRef most = argument.contains("4080") ? "255" : "63";
    const std::string size = (" " + most + "-max(0," + most + "-(" + argument.take_front(close) + "+127)/128)").str();
    if (size.size() > line.rtrim().size())
      continue;
    char *to = copy.data() + (line.begin() - text.begin());
    std::fill_n(to, line.rtrim().size(), ' ');
    llvm::copy(size, to);
  }
}

std::unique_ptr<MemoryBuffer> copyForParser(StringRef text, StringRef name, StringRef chip) {
  std::unique_ptr<WritableMemoryBuffer> copy = WritableMemoryBuffer::getNewUninitMemBuffer(text.size(), name);
  llvm::copy(text, copy->getBufferStart());
  const TargetId first = targetOf(text);
  forEachTarget(text, [&](size_t at, StringRef id) {
    const TargetId target = parseTargetId(id);
    // A target that contradicts the chip stays, for the parser to say so.
    const bool isSame = target.chip == chip && target.features == first.features;
    if (isSame && id.contains("-amd-amdhsa") && !id.starts_with("amdgcn-amd-amdhsa--"))
      std::fill(copy->getBufferStart() + at, copy->getBufferStart() + (id.end() + 1 - text.begin()), ' ');
    return true;
  });
  writePrefetchSizes({copy->getBufferStart(), copy->getBufferSize()});
  return copy;
}

} // namespace inflight
