#include "program/decode/DecodedText.h"

#include "program/decode/Decoder.h"
#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight {

DecodedText::DecodedText(const Isa &isa, ArrayRef<uint8_t> bytes, uint64_t address)
    : theIsa(isa), theAddress(address), decoder(std::make_unique<Decoder>(isa)) {
  constexpr size_t wordSize = 4, usualSize = 6;
  list.reserve(bytes.size() / usualSize);
  for (uint64_t at = 0; at + wordSize <= bytes.size();) {
    Instruction &next = list.emplace_back();
    next.offset = at;
    next.size = decoder->decode(bytes.drop_front(at), address + at, next.inst);
    at += next.size ? next.size : wordSize;
    if (!next.size)
      list.pop_back();
  }
}

DecodedText::~DecodedText() = default;

const MCInst *DecodedText::at(uint64_t offset) const {
  const auto found = partition_point(list, [&](const Instruction &instruction) { return instruction.offset < offset; });
  return found != list.end() && found->offset == offset ? &found->inst : nullptr;
}

} // namespace inflight
