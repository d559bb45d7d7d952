// Which bytes of a workgroup's LDS each wave touched since the last barrier.
//
// A byte that two waves touched, one of them by writing, is a race. Each wave has a bit for each byte it read, wrote or
// changed atomically; the bits are compared when all waves have come to a barrier or ended. Only then, and only for
// bytes in conflict, a log of the accesses tells which instructions they were. In code that orders accesses by flags or
// atomics as well, the log also tells what each wave knew of the others (Ordering.h).
#pragma once

#include "machine/check/races/Ordering.h"
#include "llvm/ADT/STLExtras.h"

namespace inflight::machine::check {

class LdsRaces {
public:
  struct Access {
    uint32_t op;
    uint8_t wave;
    AccessObserver::Kind kind;
    bool isDma, isLate; ///< late: in flight when the last barrier was passed
    bool checksAgain;   ///< OpFacts'
    bool isSameValue;   ///< AccessRecord's
    uint32_t firstBlock;
    ShapeRef shape;
    bool acquires;    ///< OpFacts'
    Moment moment;    ///< in code with such orders
    std::string wait; ///< late: that it lacked before the barrier
  };
  /// `lane` is -1 if it isn't known any more.
  using Report = llvm::function_ref<void(const Access &later, const Access &earlier, uint32_t byte, int lane)>;

  /// `ordering` is null for code whose waves are ordered by barriers only.
  void begin(uint64_t ldsAddress, uint64_t ldsBytes, unsigned waves, const Ordering *ordering);
  void enter(const AccessRecord &record, uint32_t op, unsigned wave, const OpFacts &facts, const Moment &moment,
             bool isLate, std::string wait = "");
  /// Adds to `seen` what the writers of the record's bytes had published; false if no other wave wrote them in this
  /// epoch.
  bool findPublished(const AccessRecord &record, uint32_t op, unsigned wave, Known &seen);
  /// Whether the log of code with an ordering should make room.
  bool isFull() const { return log.size() >= longest; }
  /// Reports what is at odds so far, and forgets the older half of the log. Of code with an ordering.
  void makeRoom(Report report);
  /// Whether this instruction, and no other, has written some of the bytes in this epoch by another wave.
  bool isRepeated(const AccessRecord &record, uint32_t op, unsigned wave) const;
  /// Whether another wave has written some of these bytes, by their host address, in this epoch.
  bool othersWrote(uint64_t address, unsigned count, unsigned wave) const;
  /// Ends the epoch. `report` gets an access, an earlier one at odds with it, the byte and the lane of the access.
  void endEpoch(Report report);

private:
  /// False if it is there: loops that touch the same places again need one entry.
  bool enterLog(const AccessRecord &record, uint32_t op, unsigned wave, const OpFacts &facts, const Moment &moment,
                bool isLate, std::string wait);
  /// By byte from 64 * `low` on, of those that several waves touch and one changes: a number, others `none`. Empty:
  /// there are none. Adds to `count`.
  std::vector<uint32_t> sharedBytes(uint32_t &count) const;
  bool areOrdered(const Access &earlier, const Access &mine) const;
  using Bits = std::vector<uint64_t>; ///< one for each byte of LDS
  struct WaveBits {
    Bits read, written, atomic;
  };
  /// Who wrote in 64 bytes of LDS in this epoch.
  struct Writers {
    uint64_t any = 0, several = 0; ///< bytes that some wave wrote, and those that more than one did
    uint64_t different = 0;        ///< and those where one wrote another value than it found
    uint32_t op = none;            ///< by which instruction
    static constexpr uint32_t none = ~0u, many = ~0u - 1;
  };
  /// Of some bytes of a block those that other waves wrote.
  uint64_t writtenByOthers(uint32_t block, uint64_t some, unsigned wave) const {
    return some & (writers[block].several | (writers[block].any & ~waves[wave].written[block]));
  }
  /// Whether other waves wrote these bytes of a block by this instruction alone, where several have written the block.
  bool onlyWrittenBy(uint32_t op, uint32_t block, uint64_t bytes, unsigned wave) const;
  /// Bytes, of different 64-byte blocks, with a conflict.
  llvm::SmallVector<uint32_t, 16> conflicts() const;
  /// Of a block's bytes some that one wave reads and another one changes atomically, where the first doesn't look
  /// again.
  uint64_t uncheckedReads(uint32_t block) const;
  void reportConflict(uint32_t byte, Report report) const;
  /// Makes room in the log of code without an ordering: of accesses alike all bytes are kept in one place.
  void condense();
  void reportUnordered(Report report) const;
  void clear();
  static constexpr size_t longest = 1 << 16;

  uint64_t base = 0, bytes = 0;
  bool anyChange = false;       ///< in this epoch
  uint32_t low = ~0u, high = 0; ///< touched in this epoch, in words of the bits
  std::vector<WaveBits> waves;
  std::vector<Writers> writers; ///< by block
  std::vector<Access> log;
  /// Accesses of one wave by one instruction that are no longer in the log; `access` has no shape.
  struct Condensed {
    Access access;
    Bits touched;
  };
  std::vector<Condensed> condensed;
  /// Where in the log the last access stands of an instruction, its part and wave, unless another one took the place.
  struct Last {
    uint64_t who = 0;
    uint32_t epoch = 0, index = 0;
  };
  static constexpr uint32_t lastPlaces = 1 << 11;
  std::vector<Last> lastOf = std::vector<Last>(lastPlaces);
  uint32_t epoch = 1;
  // Of code with an ordering.
  const Ordering *ordering = nullptr;
  std::vector<uint32_t> writes; ///< places in the log, in the order of the writes
  /// What each wave looked at last, and how many writes there were then.
  struct Looked {
    uint32_t op = 0, firstBlock = 0;
    ShapeRef shape;
    size_t writes = 0;
  };
  std::vector<Looked> looked;
};

} // namespace inflight::machine::check
