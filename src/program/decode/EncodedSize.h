// How long an instruction of gfx11 or gfx12 is by its first words. LLVM's decoder takes that to be unknown and goes
// through its tables from the longest instructions to the shortest: what is shown fewer bytes is decoded in less than
// half the time.
#pragma once

#include <cstdint>

namespace inflight {

inline constexpr unsigned longestEncoding = 16;
/// As many bytes as tell all of such an instruction where they say that neither a literal nor other lanes follow, else
/// the most that there are: LLVM 22 doesn't stand a literal that isn't shown. What isn't decoded from them is shown
/// all.
unsigned encodedSize(uint32_t low, uint32_t high);

} // namespace inflight
