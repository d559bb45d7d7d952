// Random programs of waves that come to barriers by branches and loops, and an interpreter for them.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include <optional>
#include <string>
#include <vector>

namespace inflight::waits::test {

struct Line {
  enum Kind : uint8_t { Label, Barrier, Move, Add, Sub, And, Less, NotEqual, IfSet, IfNot, Goto, End, Write } kind;
  unsigned to = 0; ///< register or label; of Write: the byte
  unsigned a = 0;  ///< register
  unsigned b = 0;  ///< number, or register when it is `Register` or more
  static constexpr unsigned Register = 1000;
  std::string text() const;
};

/// s2 and s3 are arguments, s6 is 64 times the wave's number, v1 an address. With `writes` there are writes to LDS.
std::vector<Line> makeWaveCode(unsigned seed, bool writes = false);

/// The lines of the barriers and writes that a wave comes to; none when it doesn't end soon.
std::optional<std::vector<unsigned>> runWave(llvm::ArrayRef<Line> lines, unsigned s2, unsigned s3, unsigned wave);

} // namespace inflight::waits::test
