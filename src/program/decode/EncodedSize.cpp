#include "program/decode/EncodedSize.h"

namespace inflight {

// Operands that say what follows the encoding (RDNA 3, RDNA 4 and CDNA 5 ISA, "Scalar operands", "DPP").
static bool isLiteral(uint32_t code) { return code == 254 || code == 255; }
static bool isDpp(uint32_t code) { return code == 233 || code == 234 || code == 250; }

/// Those of 32 bits: SOP*, VOP1, VOP2, VOPC.
static bool endsAfterFirst(uint32_t low) {
  const uint32_t first = low & 0xff;
  if (low >> 31) {
    const bool isSopp = low >> 23 == 0x17f, isSopk = low >> 28 == 0xb && low >> 23 < 0x17d, isSop1 = low >> 23 == 0x17d;
    const bool hasSecond = !isSopk && !isSop1;
    return isSopp || isSopk || !(isLiteral(first) || (hasSecond && isLiteral(low >> 8 & 0xff)));
  }
  // The ninth bit: a vector register.
  return low >> 8 & 1 || !(isLiteral(first) || isDpp(first));
}

/// Of VOP3 and VOP3P. LLVM takes a scalar destination for a literal, too.
static bool endsAfterSecond(uint32_t low, uint32_t high) {
  const uint32_t first = high & 0x1ff;
  return !isLiteral(low & 0xff) && !isLiteral(first) && !isLiteral(high >> 9 & 0x1ff) &&
         !isLiteral(high >> 18 & 0x1ff) && !isDpp(first);
}

unsigned encodedSize(uint32_t low, uint32_t high) {
  constexpr unsigned word = 4;
  if (low >> 30 != 3)
    return endsAfterFirst(low) ? word : longestEncoding;
  constexpr uint32_t vop3 = 0x35, lds = 0x36, smem = 0x3d, vop3p = 0xcc, buffer = 0x31, flat = 0x3b;
  // A matrix instruction with scales is another one behind those.
  constexpr uint32_t scale = 0xcc35, scale16 = 0xcc3a;
  if (low >> 16 == scale || low >> 16 == scale16)
    return longestEncoding;
  const uint32_t format = low >> 26;
  if (format == lds || format == smem || ((format == vop3 || low >> 24 == vop3p) && endsAfterSecond(low, high)))
    return 2 * word;
  return format == buffer || format == flat ? 3 * word : longestEncoding;
}

} // namespace inflight
