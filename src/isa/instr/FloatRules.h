// What MODE's rounding and denormal fields mean to an instruction.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>

namespace inflight {

/// MODE (ISA manuals, "Mode register").
namespace mode {
inline constexpr uint32_t Round32 = 3, Round16And64 = 3 << 2, FlushNothing = 0xf0, In32 = 1 << 4, Out32 = 1 << 5,
                          In16And64 = 1 << 6, Out16And64 = 1 << 7, Dx10Clamp = 1 << 8, Ieee = 1 << 9,
                          Fp16Overflow = 1 << 23;
/// The fields of float arithmetic, and the setting that handlers have in mind: to nearest, denormals kept, IEEE.
inline constexpr uint32_t Floats = 0xff | Dx10Clamp | Ieee | Fp16Overflow, Plain = FlushNothing | Dx10Clamp | Ieee;
} // namespace mode

/// How an operand holds floats: halves in one or both halves of a register, singles in one or two registers.
enum class FloatPart : uint8_t { None, Half, Halves, Single, Singles, Double };

struct FloatRules {
  FloatPart source[3] = {}; ///< whose denormals MODE may flush
  FloatPart result = FloatPart::None;
  bool rounds = true; ///< as MODE says
  bool flushesResult = true;
  bool fromInteger = false; ///< a zero is positive
  bool selects = false;     ///< minimum, maximum, middle: a source is the result
  bool mixes = false;       ///< OP_SEL_HI makes sources halves
  bool accumulates = false; ///< the destination is the third source
  bool any() const {
    return result != FloatPart::None || source[0] != FloatPart::None || source[1] != FloatPart::None ||
           source[2] != FloatPart::None || mixes;
  }
};

/// None for instructions that don't heed MODE, matrix instructions among them.
FloatRules floatRules(llvm::StringRef mnemonic);

} // namespace inflight
