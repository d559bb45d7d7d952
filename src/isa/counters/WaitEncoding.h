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

/// A wait as it is encoded.
struct WaitInstruction {
  Mnemonic mnemonic = Mnemonic::s_waitcnt;
  uint16_t immediate = 0;
};

/// A chip's wait instructions: s_waitcnt says all on gfx9, all but the counter of stores on gfx11; gfx12 has one for
/// each counter and for two pairs.
class WaitEncoding {
public:
  static constexpr Mnemonic mnemonic = Mnemonic::s_waitcnt;
  /// An error names a counter that no instruction waits for.
  static llvm::Expected<WaitEncoding> make(llvm::ArrayRef<CounterInfo> counters);

  bool isWait(Mnemonic mnemonic) const { return formOf(mnemonic); }
  /// Whether what one wait says may take several instructions.
  bool isSplit() const { return forms.size() > 1; }
  WaitOperands decode(Mnemonic mnemonic, uint16_t immediate) const;
  /// As few as say it; none for a wait for nothing.
  llvm::SmallVector<WaitInstruction, 2> instructions(const WaitOperands &wait) const;
  /// How one of them is assembled, and all.
  std::string text(WaitInstruction instruction) const;
  llvm::SmallVector<std::string, 2> texts(const WaitOperands &wait) const;
  /// All in a line, for messages: "s_wait_loadcnt 0x1, s_wait_kmcnt 0x0".
  std::string text(const WaitOperands &wait) const;

  // Of chips on which s_waitcnt says all.
  WaitOperands decode(uint16_t immediate) const { return decode(mnemonic, immediate); }
  uint16_t encode(const WaitOperands &wait) const { return encode(forms.front(), wait); }
  /// "vmcnt(3) expcnt(0) lgkmcnt(1)", without those that aren't waited for. A wait for nothing has all of them, as the
  /// assembler wants one.
  std::string operands(const WaitOperands &wait) const;
  /// Takes such operands, in that order, from the front of `text`; none when there are no or bad ones.
  std::optional<WaitOperands> read(llvm::StringRef &text) const;

private:
  struct Field {
    llvm::StringRef name;
    unsigned at, bits, upperAt = 0, upperBits = 0;
    CounterSet counters = 0; ///< that it waits for, all as much; none: exports
    unsigned limit = 0;      ///< a wait for nothing
    unsigned maximum() const { return (1u << (bits + upperBits)) - 1; }
    WaitCount of(const WaitOperands &wait) const {
      WaitCount least = counters ? WaitCount::none() : wait.exports;
      forEach(counters, [&](Counter counter) { least = std::min(least, wait.counts[counter]); });
      return least;
    }
    void set(WaitOperands &wait, WaitCount count) const {
      if (!counters)
        wait.exports = count;
      forEach(counters, [&](Counter counter) { wait.counts[counter] = count; });
    }
    WaitCount count(unsigned value) const { return value < limit ? WaitCount(value) : WaitCount::none(); }
  };
  enum class Style : uint8_t {
    Named,  ///< s_waitcnt vmcnt(3)
    Number, ///< s_wait_loadcnt 0x3
    Null,   ///< s_waitcnt_vscnt null, 0x3
    Alu,    ///< s_wait_alu depctr_va_vdst(3), with fields that no analysis follows
  };
  struct Form {
    Mnemonic mnemonic;
    Style style;
    llvm::SmallVector<Field, 3> fields;
  };
  static llvm::SmallVector<Form, 10> formsOf(llvm::ArrayRef<CounterInfo> counters);
  const Form *formOf(Mnemonic mnemonic) const LLVM_LIFETIME_BOUND {
    for (const Form &form : forms)
      if (form.mnemonic == mnemonic)
        return &form;
    return nullptr;
  }
  static uint16_t encode(const Form &form, const WaitOperands &wait);
  static uint16_t othersOf(const Form &form, uint16_t immediate);
  std::string aluText(const Form &form, uint16_t immediate) const;

  llvm::SmallVector<Form, 1> forms;
};

} // namespace inflight
