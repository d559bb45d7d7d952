#include "program/Decoder.h"

using namespace llvm;

namespace inflight {

Decoder::Decoder(const Isa &isa) : theIsa(isa) {
  context = std::make_unique<MCContext>(isa.triple(), &isa.asmInfo(), &isa.registerInfo(),
                                        &isa.subtarget());
  disassembler.reset(isa.llvmTarget().createMCDisassembler(isa.subtarget(), *context));
}

Decoder::~Decoder() = default;

unsigned Decoder::decode(ArrayRef<uint8_t> bytes, uint64_t address, MCInst &inst) {
  // No instruction of this generation is shorter.
  constexpr size_t minimumSize = 4;
  if (bytes.size() < minimumSize)
    return 0;
  inst.clear();
  uint64_t size = 0;
  MCDisassembler::DecodeStatus status =
      disassembler->getInstruction(inst, size, bytes, address, nulls());
  if (status != MCDisassembler::Success || size > bytes.size())
    return 0;
  return static_cast<unsigned>(size);
}

} // namespace inflight
