// Register units: one number for each 32-bit register a wave has.
//
// Scalar registers have the number of their operand encoding (ISA manuals, chapter "Scalar
// operands"): SGPR n is n, FLAT_SCRATCH 102/103, XNACK_MASK 104/105, VCC 106/107, TTMP n 108+n,
// M0 124, EXEC 126/127. The rest follows above. That is gfx9's numbering on every chip: what others encode otherwise,
// or don't have, has the unit of its meaning, and NULL has none.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace inflight {

using RegUnit = uint16_t;

namespace regunit {
inline constexpr RegUnit FlatScratchLo = 102, XnackMaskLo = 104, VccLo = 106, VccHi = 107;
inline constexpr RegUnit Ttmp0 = 108, M0 = 124, ExecLo = 126, ExecHi = 127;
inline constexpr RegUnit Scc = 128, Mode = 129;
inline constexpr RegUnit Sgpr102 = 130;    ///< SGPRs 102 to 105, of chips without FLAT_SCRATCH and XNACK_MASK
inline constexpr RegUnit Vgpr0 = 256;      ///< VGPR n is Vgpr0 + n, n < 256
inline constexpr RegUnit Agpr0 = 512;      ///< AGPR n is Agpr0 + n, n < 256
inline constexpr RegUnit UpperVgpr0 = 768; ///< VGPR n is UpperVgpr0 + n - 256, 256 <= n < 1024
inline constexpr RegUnit Count = 1536;
inline constexpr RegUnit None = 0xffff;
} // namespace regunit

inline bool isUpperVgpr(RegUnit unit) { return unit >= regunit::UpperVgpr0 && unit < regunit::Count; }
inline bool isVgpr(RegUnit unit) { return (unit >= regunit::Vgpr0 && unit < regunit::Agpr0) || isUpperVgpr(unit); }
inline bool isAgpr(RegUnit unit) { return unit >= regunit::Agpr0 && unit < regunit::UpperVgpr0; }
inline bool isScalar(RegUnit unit) { return unit <= regunit::ExecHi; }

/// A run of consecutive units: v[4:7] is {Vgpr0 + 4, 4}.
struct RegRange {
  RegUnit first = regunit::None;
  uint16_t count = 0;
  bool contains(RegUnit unit) const { return unit >= first && unit < first + count; }
  bool overlaps(RegRange other) const { return first < other.first + other.count && other.first < first + count; }
  bool operator==(const RegRange &) const = default;
};

/// The assembler's spelling: "v4", "s[2:3]", "vcc", "m0", "a[0:15]".
std::string regName(RegRange range);

/// The register of that name: "v4", "ttmp0", "vcc" (two units), "exec_hi". Nothing for others, and for ranges.
std::optional<RegRange> registerNamed(llvm::StringRef name);

} // namespace inflight
