// The instructions by which waves wait for counters: nothing else knows their names and fields.
#pragma once

#include "isa/counters/WaitCounts.h"
#include "isa/instr/Mnemonic.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/Error.h"
#include <optional>
#include <string>

namespace inflight {

struct CounterInfo;

/// s_waitcnt of gfx9: one instruction says all.
class WaitEncoding {
public:
  static constexpr Mnemonic mnemonic = Mnemonic::s_waitcnt;
  /// An error names a counter that the instruction doesn't have.
  static llvm::Expected<WaitEncoding> make(llvm::ArrayRef<CounterInfo> counters);

  WaitOperands decode(uint16_t immediate) const;
  uint16_t encode(const WaitOperands &wait) const;
  /// "vmcnt(3) expcnt(0) lgkmcnt(1)", without those that aren't waited for. A wait for nothing has all of them, as the
  /// assembler wants one.
  std::string operands(const WaitOperands &wait) const;
  std::string text(const WaitOperands &wait) const { return (nameOf(mnemonic) + " " + operands(wait)).str(); }
  /// Takes such operands, in that order, from the front of `text`; none when there are no or bad ones.
  std::optional<WaitOperands> read(llvm::StringRef &text) const;

private:
  struct Field {
    llvm::StringRef name;
    unsigned at, bits, upperAt, upperBits;
    std::optional<Counter> counter;                                     ///< none: exports
    unsigned maximum() const { return (1u << (bits + upperBits)) - 1; } ///< a wait for nothing
    template <typename Wait> auto &of(Wait &wait) const { return counter ? wait.counts[*counter] : wait.exports; }
  };
  llvm::SmallVector<Field, 3> fields;
};

} // namespace inflight
