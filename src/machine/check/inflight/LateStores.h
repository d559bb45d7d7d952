// Stores to global memory that other workgroups don't see yet.
//
// A store is done when its wave has waited for it. Until then others may see what was there before, and the stores of a
// wave may become visible in any order but for those to the same bytes. A run with late stores takes that as far as it
// goes: memory keeps its old values until a wait. What is never waited for becomes visible when all that are left wait
// for memory, the newest store first. Runs on one host thread.
#pragma once

#include "machine/check/inflight/Findings.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include <list>
#include <memory>

namespace inflight::machine::check {

class LateStores {
public:
  /// One instruction of one wave.
  struct Store {
    const Op *op;
    uint32_t group[3];
    unsigned wave;
    uint64_t owner; ///< accesses of the same owner are in order with it
    struct Bytes {
      uint64_t at;
      uint8_t count, values[16];
    };
    std::vector<Bytes> bytes;
    uint64_t number = 0; ///< for add() to give
    std::list<std::unique_ptr<Store>>::iterator place;
  };

  bool empty() const { return all.empty(); }
  /// A workgroup begins; its waves may use the following numbers.
  uint64_t newOwners(unsigned count) { return (owners += count) - count; }
  /// Takes the place of what memory has; the caller has put back what was there before. Returns its number, never 0.
  uint64_t add(std::unique_ptr<Store> store);
  /// Writes it, after those before it to the same bytes, and forgets it.
  void deliver(Store *store);
  /// Likewise, if that hasn't been done yet.
  void deliverNumber(uint64_t number);
  /// The last store to one of these bytes by `owner`, or by others.
  Store *find(uint64_t address, unsigned count, uint64_t owner, bool byOthers) const LLVM_LIFETIME_BOUND;
  /// Delivers one: of an owner by chance, or the newest. False if there is none.
  bool deliverSome(uint64_t owner, uint64_t choice);
  bool deliverNewest();
  void deliverAll();

private:
  /// Some store before this one to one of its bytes by its owner; null if there is none.
  Store *findOlder(const Store &store) const LLVM_LIFETIME_BOUND;
  static constexpr unsigned lineBytes = 64;
  uint64_t owners = 0, numbers = 0;
  std::list<std::unique_ptr<Store>> all; ///< oldest first
  llvm::DenseMap<uint64_t, llvm::SmallVector<Store *, 2>> lines;
  llvm::DenseMap<uint64_t, Store *> byNumber; ///< those that haven't been delivered
};

} // namespace inflight::machine::check
