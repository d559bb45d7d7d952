// Float instructions on rows of operands, one row a lane.
#pragma once

#include "Snippet.h"
#include "SoftFloat.h"

namespace inflight::machine::test {

using Values = std::vector<uint64_t>;

/// Zeros, denormals, the borders of the normal range, halfway cases, infinities, quiet and signalling NaNs, and others.
Values edgeValues(const FloatFormat &f);

/// Rows of `sources` values each: edge values and others.
std::vector<Values> operands(const FloatFormat &f, unsigned sources);

/// MODE as S_SETREG writes it.
struct Mode {
  unsigned rounding = Nearest;
  bool keepsIn = true, keepsOut = true, ieee = true, dx10Clamp = true, fp16Overflow = false;
  uint32_t bits() const {
    const uint32_t denormals = keepsIn | keepsOut << 1;
    return rounding | rounding << 2 | denormals << 4 | denormals << 6 | dx10Clamp << 8 | ieee << 9 |
           uint32_t(fp16Overflow) << 23;
  }
  std::string name() const {
    return std::string("rounding ") + std::to_string(rounding) + (keepsIn ? "" : ", flushing sources") +
           (keepsOut ? "" : ", flushing results") + (ieee ? "" : ", no IEEE") + (dx10Clamp ? "" : ", no DX10 clamp") +
           (fp16Overflow ? ", FP16 overflow" : "");
  }
};
/// Every rounding mode with every denormal mode.
std::vector<Mode> allModes();

/// Runs `mnemonic` on each row under the mode; results in the rows' order. `accumulates`: the last source is the
/// destination.
Values runRows(const std::string &chip, const std::string &mnemonic, const FloatFormat &from, const FloatFormat &to,
               const std::vector<Values> &rows, const Mode &mode, bool accumulates = false,
               const std::string &modifiers = "");

/// Of a type's name: f16, f32 or f64.
const FloatFormat &formatNamed(llvm::StringRef type);

/// Reports the first few of many differences.
struct Failures {
  unsigned count = 0;
  void compare(uint64_t got, uint64_t want, const Values &row, const std::string &what);
};

} // namespace inflight::machine::test
