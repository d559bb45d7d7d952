#include "program/assemble/SharedSources.h"

#include "isa/DualOperands.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/MC/MCCodeEmitter.h"

using namespace llvm;

namespace inflight {

/// The operands of one half of a pair, "v_dual_mul_f32 v0, v1, v2", after its destination.
static SmallVector<StringRef, 3> sourcesOf(StringRef half) {
  SmallVector<StringRef, 4> operands;
  half.trim().split(' ').second.split(operands, ',');
  SmallVector<StringRef, 3> sources;
  for (StringRef operand : ArrayRef(operands).drop_front(!operands.empty()))
    sources.push_back(operand.trim());
  return sources;
}

static bool isVgpr(StringRef text) { return text.consume_front("v") && !text.empty() && all_of(text, isDigit); }

SharedSources::SharedSources(const Isa &isa, StringRef text) : isa(isa) {
  constexpr unsigned firstGeneration = 12;
  if (isa.target().generation < firstGeneration)
    return;
  for (size_t at = text.find("::"); at != StringRef::npos; at = text.find("::", at + 1)) {
    const size_t begin = text.find_first_not_of(" \t", text.rfind('\n', at) + 1);
    const StringRef first = text.slice(begin, at);
    if (!first.starts_with("v_dual_"))
      continue;
    const StringRef second =
        text.drop_front(at + 2).take_until([](char c) { return c == '\n' || c == ';' || c == '/'; });
    const SmallVector<StringRef, 3> one = sourcesOf(first), other = sourcesOf(second);
    for (unsigned number = 0; number < std::min(one.size(), other.size()); ++number) {
      if (!isVgpr(one[number]) || one[number] != other[number])
        continue;
      // A neighbour is in another bank, and its number as long.
      *const_cast<char *>(other[number].end() - 1) ^= 1; // the text is the parser's own copy
      pairs[text.data() + begin] |= 1u << number;
    }
  }
}

void SharedSources::restore(MCInst &inst) const {
  const auto found = pairs.find(inst.getLoc().getPointer());
  const InstrDesc &desc = isa.desc(inst.getOpcode());
  if (found == pairs.end() || desc.format != Format::Vopd)
    return;
  const auto [first, second] = operandsOfPair(isa, desc);
  for (unsigned number = 0; number < std::min(first.sources.size(), second.sources.size()); ++number)
    if (found->second >> number & 1)
      inst.getOperand(second.sources[number]) = inst.getOperand(first.sources[number]);
}

namespace {
class RestoringEmitter final : public MCCodeEmitter {
public:
  RestoringEmitter(const SharedSources &shared, std::unique_ptr<MCCodeEmitter> emitter)
      : shared(shared), emitter(std::move(emitter)) {}
  void reset() override { emitter->reset(); }
  void encodeInstruction(const MCInst &inst, SmallVectorImpl<char> &bytes, SmallVectorImpl<MCFixup> &fixups,
                         const MCSubtargetInfo &subtarget) const override {
    MCInst written = inst;
    shared.restore(written);
    emitter->encodeInstruction(written, bytes, fixups, subtarget);
  }

private:
  const SharedSources &shared;
  std::unique_ptr<MCCodeEmitter> emitter;
};
} // namespace

std::unique_ptr<MCCodeEmitter> SharedSources::restoring(std::unique_ptr<MCCodeEmitter> emitter) const {
  if (pairs.empty())
    return emitter;
  return std::make_unique<RestoringEmitter>(*this, std::move(emitter));
}

} // namespace inflight
