#include "program/decode/Decoder.h"

#include "program/decode/DecodedWords.h"
#include "program/decode/EncodedSize.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace inflight {

Decoder::Decoder(const Isa &isa) : theIsa(isa), words(DecodedWords::of(isa)) {
  context = std::make_unique<MCContext>(isa.triple(), &isa.asmInfo(), &isa.registerInfo(), &isa.subtarget());
  disassembler.reset(isa.llvmTarget().createMCDisassembler(isa.subtarget(), *context));
}

Decoder::~Decoder() = default;

/// Whether a 64-bit encoding names a literal as an operand, which gfx9 doesn't have there. LLVM 22
/// reports that through a null pointer. (ISA manuals, "Microcode formats": VOP3, MUBUF, MTBUF.)
static bool namesMissingLiteral(uint32_t low, uint32_t high) {
  constexpr uint32_t literal = 255;
  switch (low >> 26) {
  case 0x34: { // VOP3, VOP3P
    // Comparisons and v_readlane_b32 have a scalar destination in the place of the vector one.
    unsigned opcode = low >> 16 & 0x3ff;
    if ((opcode < 0x100 || opcode == 0x289) && (low & 0xff) == literal)
      return true;
    return (high & 0x1ff) == literal || (high >> 9 & 0x1ff) == literal || (high >> 18 & 0x1ff) == literal;
  }
  case 0x38: // MUBUF
  case 0x3a: // MTBUF
    return high >> 24 == literal;
  default: return false;
  }
}

/// Whether a matrix instruction of mixed formats multiplies a constant: A and B are registers (CDNA4 ISA manual,
/// "Matrix Arithmetic Instructions"). LLVM 22 narrows the register by the format without a look at what it is.
static bool multipliesConstant(const uint8_t *words) {
  // The scales are a word pair of their own before the instruction proper.
  constexpr uint32_t vop3p = 0x1a7, scales = 0x2c, of16x16x128 = 0x2d, of32x32x64 = 0x2e, isVector = 0x100;
  auto is = [](uint32_t low, uint32_t opcode) { return low >> 23 == vop3p && (low >> 16 & 0x7f) == opcode; };
  using namespace support::endian;
  if (is(read32le(words), scales))
    words += 8;
  const uint32_t low = read32le(words), high = read32le(words + 4);
  return (is(low, of16x16x128) || is(low, of32x32x64)) && !(high & high >> 9 & isVector);
}

/// Whether SDWA selects a part that doesn't exist or takes a scalar source from a number without meaning (ISA manuals,
/// "Scalar operands"). LLVM 22 has no answer for the latter and runs into data.
static bool hasReservedSdwa(uint32_t low, uint32_t high) {
  constexpr uint32_t sdwa = 0xf9, reservedPart = 7;
  if (low >> 31 || (low & 0x1ff) != sdwa)
    return false;
  auto isReserved = [](uint32_t code) {
    return code == 125 || (code > 208 && code < 235) || code == 249 || code == 250 || code > 253;
  };
  const bool isVop1 = low >> 25 == 0x3f;
  if ((high >> 16 & 7) == reservedPart || (high >> 23 & 1 && isReserved(high & 0xff)))
    return true;
  return !isVop1 && ((high >> 24 & 7) == reservedPart || (high >> 31 && isReserved(low >> 9 & 0xff)));
}

/// Whether a barrier's number is a literal (RDNA4 ISA manual, S_BARRIER_SIGNAL: an inline constant or M0). LLVM 22
/// makes an operand without a value of it.
static bool namesLiteralBarrier(uint32_t low) {
  constexpr uint32_t sop1 = 0x17d, literal = 255, firstBarrier = 0x4e, lastBarrier = 0x52, wakeupBarrier = 0x57;
  const uint32_t opcode = low >> 8 & 0xff;
  return low >> 23 == sop1 && (low & 0xff) == literal &&
         ((opcode >= firstBarrier && opcode <= lastBarrier) || opcode == wakeupBarrier);
}

/// Whether the second word is the constant of v_madmk, v_madak, v_fmamk or v_fmaak (ISA manuals, VOP2).
static bool hasConstantWord(uint32_t low) {
  unsigned opcode = low >> 25;
  return opcode == 0x17 || opcode == 0x18 || opcode == 0x24 || opcode == 0x25;
}

/// Sets unused fields of gfx1250's encodings to what LLVM 22 wants there; AMD's own assembler leaves them 0, and LLVM
/// 23 writes the constant 0.
static void fillUnusedFields(uint8_t *words) {
  using namespace support::endian;
  auto fill = [&](unsigned word, uint32_t bits) { write32le(words + 4 * word, read32le(words + 4 * word) | bits); };
  const uint16_t opcode = read32le(words) >> 16;
  constexpr uint16_t tensor = 0xd031, scale = 0xcc35, scale16 = 0xcc3a, f4 = 0xcc88;
  // The third source of an instruction that has two.
  constexpr uint32_t sourceShift = 18, sourceMask = 0x1ff, v0 = 0x100, constant0 = 0x80;
  if (opcode == scale || opcode == scale16)
    if (const uint32_t high = read32le(words + 4), third = high >> sourceShift & sourceMask;
        !third || third == constant0)
      write32le(words + 4, (high & ~(sourceMask << sourceShift)) | v0 << sourceShift);
  // Where images have a vector address and a dimension.
  if (opcode == tensor) {
    fill(0, 0x00400001);
    fill(1, 0x7c000000);
  }
  // The third source's OP_SEL_HI. The matrix instruction may be the second half of one with scales.
  for (unsigned word : {0u, 2u})
    if ((word == 0 || opcode == scale || opcode == scale16) && read32le(words + 4 * word) >> 16 == f4)
      fill(word, 0x4000);
}

unsigned Decoder::decode(ArrayRef<uint8_t> bytes, uint64_t address, MCInst &inst) {
  // No instruction of this generation is shorter.
  constexpr size_t minimumSize = 4;
  if (bytes.size() < minimumSize)
    return 0;
  using namespace support::endian;
  const uint32_t low = read32le(bytes.data()), high = bytes.size() < 8 ? 0 : read32le(bytes.data() + 4);
  if (!DecodedWords::isCovered(low) || bytes.size() < 8)
    return decodeAnew(bytes, address, inst);
  if (const unsigned size = words.find(low, high, inst))
    return size;
  const unsigned size = decodeAnew(bytes, address, inst);
  if (size)
    words.keep(low, high, size, inst);
  return size;
}

unsigned Decoder::decodeAnew(ArrayRef<uint8_t> bytes, uint64_t address, MCInst &inst) {
  // The end is padded: LLVM 22 doesn't stand a missing literal at the end of the code either.
  uint8_t window[longestEncoding] = {};
  llvm::copy(bytes.take_front(longestEncoding), window);
  using namespace support::endian;
  const uint32_t low = read32le(window), high = read32le(window + 4);
  const bool isGfx9 = theIsa.target().generation == 9;
  if (isGfx9 && (namesMissingLiteral(low, high) || multipliesConstant(window) || hasReservedSdwa(low, high)))
    return 0;
  if (!isGfx9 && namesLiteralBarrier(low))
    return 0;
  if (theIsa.target().hasVgprWindows)
    fillUnusedFields(window);
  // LLVM 22 takes a constant up to 255 for the code of an operand: another number stands in for it.
  constexpr uint32_t standIn = 0x1000;
  const bool isSmallConstant = isGfx9 && hasConstantWord(low) && high <= 255;
  if (isSmallConstant)
    write32le(window + 4, standIn);
  uint64_t size = 0;
  auto isDecoded = [&](unsigned shown) {
    inst.clear();
    return disassembler->getInstruction(inst, size, ArrayRef(window).take_front(shown), address, nulls()) ==
           MCDisassembler::Success;
  };
  const unsigned shown = isGfx9 ? longestEncoding : encodedSize(low, high);
  if (!isDecoded(shown) && (shown == longestEncoding || !isDecoded(longestEncoding)))
    return 0;
  if (size > bytes.size())
    return 0;
  // A destination that is no register is decoded as a constant.
  const MCInstrDesc &desc = theIsa.instrInfo().get(inst.getOpcode());
  const unsigned definitions = desc.getNumDefs();
  for (unsigned i = 0; i < definitions; ++i)
    if (!inst.getOperand(i).isReg())
      return 0;
  // LLVM 22 takes another register for what v_dual_fmac adds to in the second half of a pair: the lowest bit of its
  // number is missing.
  if (!isGfx9 && inst.getNumOperands() == desc.getNumOperands())
    for (unsigned i = definitions; i < desc.getNumOperands(); ++i)
      if (const int tied = desc.getOperandConstraint(i, MCOI::TIED_TO); tied >= 0 && inst.getOperand(i).isReg())
        inst.getOperand(i).setReg(inst.getOperand(tied).getReg());
  if (isSmallConstant)
    for (MCOperand &operand : inst)
      if (operand.isImm() && operand.getImm() == standIn)
        operand.setImm(high);
  return static_cast<unsigned>(size);
}

} // namespace inflight
