#include "machine/wave/DecodeOperands.h"

#include "machine/memory/Apertures.h"
#include "machine/wave/SmallFloat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::machine {

namespace {

uint64_t inlineConstant(unsigned code, unsigned bits) {
  if (code <= 192)
    return code - 128;
  if (code <= 208)
    return uint64_t(-int64_t(code - 192));
  // The last is 1/(2π), as a double 0x3fc45f306dc9c882: not the nearest one, whose last digit is 3.
  static const double values[] = {0.5, -0.5, 1.0, -1.0, 2.0, -2.0, 4.0, -4.0, 0.15915494309189532};
  double value = values[code - 240];
  if (bits == 64)
    return bit_cast<uint64_t>(value);
  if (bits == 16)
    return bit_cast<uint16_t>(_Float16(value));
  if (bits == bfloatSource)
    return toBf16(float(value));
  return bit_cast<uint32_t>(float(value));
}

/// How a 32-bit literal fills 64 bits: the upper half of a double, an extension of an integer.
enum class Literal : uint8_t { Float, Signed, Unsigned };

/// Nine bits of operand encoding (ISA manuals, "Scalar operands").
Source sourceFrom(unsigned code, unsigned bits, uint32_t literal, Literal kind = Literal::Float) {
  Source s;
  if (code >= 256) {
    s.kind = Source::Vector;
    s.index = code - 256;
  } else if (code == 255) {
    s.value = bits != 64                ? literal
              : kind == Literal::Float  ? uint64_t(literal) << 32
              : kind == Literal::Signed ? uint64_t(int64_t(int32_t(literal)))
                                        : literal;
  } else if ((code >= 128 && code <= 208) || (code >= 240 && code <= 248)) {
    s.value = inlineConstant(code, bits);
    if (bits == 32)
      s.value = uint32_t(s.value);
  } else if (code >= 235 && code <= 238) {
    // Aperture bases and limits: 64 bits, of which an operand of 32 bits takes the lower ones.
    s.value = std::array{sharedBase, sharedLimit, privateBase, privateLimit}[code - 235];
    if (bits == 32)
      s.value = uint32_t(s.value);
  } else if (code == 239) {
    s.value = 0; // no wave of a compute kernel has a packer that POPS would name
  } else {
    s.kind = Source::Scalar;
    s.index = code;
  }
  return s;
}

} // namespace

static Literal literalOf(const InstrDesc &desc) {
  return desc.takesDoubles ? Literal::Float : desc.takesSignedLongs ? Literal::Signed : Literal::Unsigned;
}

/// VOP1, VOP2 and VOPC: 32 bits, perhaps with a literal, DPP or SDWA.
static void decodeShortVector(Op &op, const InstrDesc &desc, const uint8_t *bits, bool &wrapDpp, bool &wrapSdwa) {
  using enum Mnemonic;
  const uint32_t w0 = op.word[0], w1 = op.word[1], src0 = w0 & 0x1ff;
  if (src0 == 0xfa) {
    wrapDpp = true;
    op.source[0].kind = Source::Vector;
    op.source[0].index = hiddenRegister;
    op.source[0].negate = w1 >> 20 & 1;
    op.source[0].absolute = w1 >> 21 & 1;
    op.source[1].negate = w1 >> 22 & 1;
    op.source[1].absolute = w1 >> 23 & 1;
  } else if (src0 == 0xf9) {
    wrapSdwa = true;
    op.source[0] = sourceFrom((w1 >> 23 & 1) ? w1 & 0xff : 256 + (w1 & 0xff), bits[0], 0);
    op.source[0].negate = w1 >> 20 & 1;
    op.source[0].absolute = w1 >> 21 & 1;
  } else {
    op.source[0] = sourceFrom(src0, bits[0], w1, literalOf(desc));
  }
  op.destination = w0 >> 17 & 0xff;
  if (desc.id == v_accvgpr_mov_b32) { // both are AGPRs by definition
    op.source[0].index += 256;
    op.destination += 256;
  }
  if (desc.format != Format::Vop1) {
    uint8_t negate = op.source[1].negate, absolute = op.source[1].absolute;
    op.source[1] = sourceFrom(256 + (w0 >> 9 & 0xff), bits[1], 0);
    op.source[1].negate = negate;
    op.source[1].absolute = absolute;
    if (wrapSdwa) {
      op.source[1] = sourceFrom((w1 >> 31) ? w0 >> 9 & 0xff : 256 + (w0 >> 9 & 0xff), bits[1], 0);
      op.source[1].negate = w1 >> 28 & 1;
      op.source[1].absolute = w1 >> 29 & 1;
    }
  }
  op.scalarDestination = regunit::VccLo;
  if (desc.isCompare && wrapSdwa && (w1 >> 15 & 1))
    op.scalarDestination = w1 >> 8 & 0x7f;
  if (desc.takesMask || desc.takesCarry) {
    op.source[2].kind = Source::Scalar;
    op.source[2].index = regunit::VccLo;
  }
  // v_fmaak and v_fmamk: a literal as third or second factor.
  if (desc.addsLiteral)
    op.source[2].value = w1;
  if (desc.multipliesLiteral) {
    op.source[2] = op.source[1];
    op.source[1] = Source();
    op.source[1].value = w1;
  }
}

/// MFMA and moves from and to AGPRs, whose fields have bits for AGPRs.
static void decodeMatrix(Op &op, const InstrDesc &desc, const unsigned *codes) {
  using enum Mnemonic;
  const uint32_t w0 = op.word[0], w1 = op.word[1];
  bool accDestination = w0 >> 15 & 1;
  if (desc.id == v_accvgpr_read_b32) {
    // The source is an AGPR by definition.
    op.source[0].index = (codes[0] & 0xff) + 256;
    op.source[0].kind = Source::Vector;
    op.source[0].negate = 0;
    return;
  }
  if (desc.id == v_accvgpr_write_b32) {
    op.destination += 256;
    op.source[0].negate = 0;
    return;
  }
  for (unsigned i = 0; i < 3; ++i) {
    op.source[i].negate = 0;
    bool acc = i < 2 ? w1 >> (27 + i) & 1 : accDestination;
    if (i == 2 && desc.isSparse) // indices, always in a VGPR
      acc = false;
    if (op.source[i].kind == Source::Vector && acc)
      op.source[i].index += 256;
  }
  op.destination += accDestination ? 256 : 0;
}

/// VOP3P but for MFMA.
static void decodePacked(Op &op, const InstrDesc &desc, const unsigned *codes) {
  const uint32_t w0 = op.word[0], w1 = op.word[1];
  op.negateHigh = w0 >> 8 & 7;
  op.opSel = w0 >> 11 & 7;
  op.opSelHigh = (w1 >> 27 & 3) | (w0 >> 14 & 1) << 2;
  op.clamp = w0 >> 15 & 1;
  if (desc.isMix) // OP_SEL_HI says which sources are halves
    for (unsigned i = 0; i < 3; ++i)
      if (op.opSelHigh >> i & 1 && op.source[i].kind == Source::Constant)
        op.source[i].value = sourceFrom(codes[i], 16, 0).value;
}

/// 64 bits: VOP3a, VOP3b with a scalar destination in the place of abs and op_sel, VOP3P.
static void decodeLongVector(Op &op, const InstrDesc &desc, const uint8_t *bits) {
  const uint32_t w0 = op.word[0], w1 = op.word[1];
  const unsigned codes[] = {w1 & 0x1ff, w1 >> 9 & 0x1ff, w1 >> 18 & 0x1ff};
  for (unsigned i = 0; i < 3; ++i)
    op.source[i] = sourceFrom(codes[i], bits[i], 0);
  op.destination = w0 & 0xff;
  for (unsigned i = 0; i < 3; ++i)
    op.source[i].negate = w1 >> (29 + i) & 1;
  if (desc.isMfma || desc.isAccvgprMove)
    return decodeMatrix(op, desc, codes);
  if (desc.format == Format::Vop3p)
    return decodePacked(op, desc, codes);
  const bool scalarOut = desc.writesCarry || desc.isDivScale || desc.isWideMultiplyAdd;
  op.clamp = w0 >> 15 & 1;
  op.outputModifier = w1 >> 27 & 3;
  if (scalarOut) {
    op.scalarDestination = w0 >> 8 & 0x7f;
  } else {
    for (unsigned i = 0; i < 3; ++i)
      op.source[i].absolute = w0 >> (8 + i) & 1;
    op.opSel = w0 >> 11 & 15;
    op.scalarDestination = w0 & 0xff;
  }
}

static void decodeSmem(Op &op) {
  const uint32_t w0 = op.word[0], w1 = op.word[1];
  op.destination = w0 >> 6 & 0x7f;
  op.source[0].kind = Source::Scalar;
  op.source[0].index = (w0 & 0x3f) << 1;
  op.immediate = w0 >> 17 & 1 ? SignExtend32<21>(w1 & 0x1fffff) : 0;
  if (w0 >> 14 & 1) { // SOE: a scalar offset in its own field
    op.flags |= flag::HasSaddr;
    op.source[1] = sourceFrom(w1 >> 25 & 0x7f, 32, 0);
  } else if (!(w0 >> 17 & 1)) {
    op.flags |= flag::HasSaddr;
    op.source[1] = sourceFrom(w1 & 0xff, 32, 0);
  }
}

static void decodeDs(Op &op) {
  const uint32_t w0 = op.word[0], w1 = op.word[1];
  op.immediate = w0 & 0xffff;
  unsigned acc = (w0 >> 25 & 1) * 256;
  op.source[0] = sourceFrom(256 + (w1 & 0xff), 32, 0);
  op.source[1] = sourceFrom(256 + (w1 >> 8 & 0xff), 32, 0);
  op.source[2] = sourceFrom(256 + (w1 >> 16 & 0xff), 32, 0);
  op.source[1].index += acc;
  op.source[2].index += acc;
  op.destination = (w1 >> 24) + acc;
}

static void decodeBuffer(Op &op) {
  const uint32_t w0 = op.word[0], w1 = op.word[1];
  op.immediate = w0 & 0xfff;
  op.flags |= (w0 >> 12 & 1 ? flag::Offen : 0) | (w0 >> 13 & 1 ? flag::Idxen : 0) | (w0 >> 14 & 1 ? flag::Glc : 0);
  op.source[0] = sourceFrom(256 + (w1 & 0xff), 32, 0);
  op.source[1].kind = Source::Scalar;
  op.source[1].index = (w1 >> 16 & 0x1f) << 2;
  op.source[2] = sourceFrom(w1 >> 24 & 0xff, 32, 0);
  op.destination = (w1 >> 8 & 0xff) + (w1 >> 23 & 1) * 256;
}

static void decodeFlat(Op &op, const InstrDesc &desc) {
  const uint32_t w0 = op.word[0], w1 = op.word[1];
  unsigned acc = (w1 >> 23 & 1) * 256, saddr = w1 >> 16 & 0x7f;
  bool segmentIsFlat = (w0 >> 14 & 3) == 0;
  op.immediate = segmentIsFlat ? int32_t(w0 & 0xfff) : SignExtend32<13>(w0 & 0x1fff);
  op.source[0] = sourceFrom(256 + (w1 & 0xff), 32, 0);
  if (saddr != 0x7f && !segmentIsFlat) {
    op.flags |= flag::HasSaddr;
    op.source[1].kind = Source::Scalar;
    op.source[1].index = saddr;
  }
  if (w0 >> 16 & 1)
    op.flags |= flag::Glc;
  unsigned data = (w1 >> 8 & 0xff) + acc;
  bool store = desc.mayStore && !desc.mayLoad;
  op.scalarDestination = data; // data of atomics
  op.destination = store ? data : (w1 >> 24) + acc;
}

void decodeOperands(Op &op, const InstrDesc &desc, const HandlerInfo &info, bool &wrapDpp, bool &wrapSdwa) {
  const uint32_t w0 = op.word[0], w1 = op.word[1];
  const uint8_t *bits = info.sourceBits;
  op.aux = info.aux;
  op.extra = info.extra;
  auto scalarSourceFrom = [&](unsigned code, unsigned i) {
    op.source[i] = sourceFrom(code, bits[i], w1, literalOf(desc));
  };
  switch (desc.format) {
  case Format::Sop2:
    op.destination = w0 >> 16 & 0x7f;
    scalarSourceFrom(w0 & 0xff, 0);
    scalarSourceFrom(w0 >> 8 & 0xff, 1);
    return;
  case Format::Sop1:
    op.destination = w0 >> 16 & 0x7f;
    scalarSourceFrom(w0 & 0xff, 0);
    return;
  case Format::Sopc:
    scalarSourceFrom(w0 & 0xff, 0);
    scalarSourceFrom(w0 >> 8 & 0xff, 1);
    return;
  case Format::Sopk:
    op.destination = w0 >> 16 & 0x7f;
    op.immediate = int16_t(w0);
    return;
  case Format::Sopp: op.immediate = int16_t(w0); return;
  case Format::Smem: return decodeSmem(op);
  case Format::Ds: return decodeDs(op);
  case Format::Mubuf:
  case Format::Mtbuf: return decodeBuffer(op);
  case Format::Flat: return decodeFlat(op, desc);
  default: break;
  }
  // Vector ALU. The destination may be scalar (comparisons, lane reads).
  if (!desc.isVop3Encoding && desc.format != Format::Vop3p && (w0 >> 31) == 0)
    decodeShortVector(op, desc, bits, wrapDpp, wrapSdwa);
  else
    decodeLongVector(op, desc, bits);
}

} // namespace inflight::machine
