// Which loads and atomics look whether another wave has got somewhere.
//
// Code waits for other waves in loops that read one place again and again, change nothing themselves, and are left when
// the value says so; or it changes a place atomically and branches on what was there. What comes after such an access
// is ordered after what came before the write whose value it saw (Ordering.h). A plain load without such a loop is a
// load of data.
#pragma once

#include "machine/check/inflight/Facts.h"

namespace inflight::machine::check {

/// Collects the instructions of a code object in order, then finds those accesses.
class Acquires {
public:
  explicit Acquires(const Code &code LLVM_LIFETIME_BOUND) : first(code.begin()) {}
  void add(const Op &op, const InstrDesc &desc, const RegAccess &access);
  /// Indices into the code.
  std::vector<uint32_t> find() const;

private:
  struct Instruction {
    uint32_t index;      ///< in the code
    int64_t target = -1; ///< of a branch
    bool isConditional = false, endsLoop = false, isMemory = false, isChange = false;
    bool mayAcquire = false; ///< reads LDS or memory into registers
    bool isAtomic = false;
    llvm::SmallVector<RegRange, 4> reads, writes, address;
  };
  using Body = llvm::ArrayRef<Instruction>;
  static bool isInvariant(Body body, const Instruction &load);
  static bool decides(Body body, const Instruction &load, bool isLoop);
  void findInLoop(size_t from, size_t to, std::vector<uint32_t> &found) const;

  const Op *first;
  std::vector<Instruction> instructions;
};

} // namespace inflight::machine::check
