// Who touched each byte of global memory, and when.
//
// Time is counted in epochs: a barrier that all waves pass begins a new one. Two accesses of one epoch by different
// waves, at least one of them a write, are a race. Epochs never come back, so nothing is cleared between them.
#pragma once

#include "machine/check/races/Ordering.h"
#include "llvm/ADT/DenseMap.h"
#include <array>
#include <deque>

namespace inflight::machine::check {

/// The last access of its kind that one wave made to some of four bytes.
struct Touch {
  uint32_t epoch = 0;   ///< with an ordering, the number of the access; 0: none
  uint32_t op : 21 = 0; ///< index of the instruction; the largest number stands for any above
  uint32_t wave : 4 = 0;
  uint32_t bytes : 4 = 0;  ///< a bit for each
  uint32_t kind : 2 = 0;   ///< AccessObserver::Kind
  uint32_t isLate : 1 = 0; ///< in flight when the epoch began
};

/// It has room for what the largest epoch enters, not for all of memory.
class Shadow {
public:
  Shadow() = default;
  Shadow(const Shadow &) = delete;
  Shadow &operator=(const Shadow &) = delete;

  /// Of four bytes all accesses of the epoch that the last one is of: each wave's last one of a kind to each byte.
  /// Most have few, the others are in a list.
  struct Cell {
    Touch touches[2];
    uint32_t more; ///< number in the list, from 1
  };
  struct Listed {
    Touch touch;
    uint32_t next;
  };
  /// What cells hold is of epochs before, or nothing.
  void beginEpoch();
  /// What was entered in this epoch for the address, or in one before it for any.
  Cell &cell(uint64_t address) {
    if (address / blockBytes != lastNumber)
      findBlock(address / blockBytes);
    return (*lastBlock)[address % blockBytes / 4];
  }
  /// What the cells' `more` leads to; of this epoch.
  std::vector<Listed> listed;

private:
  static constexpr unsigned blockBytes = 256;
  using Block = std::array<Cell, blockBytes / 4>;
  void findBlock(uint64_t number);
  std::deque<Block> blocks;
  llvm::DenseMap<uint64_t, uint32_t> blockOf; ///< address / blockBytes to the block that it has in this epoch
  uint64_t lastNumber = ~uint64_t(0);         ///< looked at last
  Block *lastBlock = nullptr;
};

/// How two accesses are at odds.
struct Conflict {
  Touch other;
  bool isSameValue = false; ///< both are the same instruction and wrote the same
  unsigned lane = 0;
  uint64_t lanes = 0; ///< all that are at odds with some access
  uint64_t address = 0;
};

/// One access of all lanes entered into the shadow; the first conflict is returned in `conflict`, with all its lanes.
struct ShadowAccess {
  const AccessRecord &record;
  uint32_t epoch, op; ///< epoch: with an ordering, the access's number
  unsigned wave;
  bool isLate;
  uint32_t oldest;              ///< epochs before this one are over
  const Known *known = nullptr; ///< with an ordering: what the wave knew
};
bool enter(Shadow &shadow, const ShadowAccess &access, Conflict &conflict);

/// The accesses of one epoch to global memory. Most epochs only read, or write elsewhere than they read, so accesses
/// are kept until the epoch ends and only those near some write are entered into the shadow.
class GlobalRaces {
public:
  /// `order` is null for code whose waves are ordered by barriers only.
  void beginEpoch(uint32_t number, const Ordering *order) {
    epoch = number;
    ordering = order;
    recent.clear();
    shadow.beginEpoch();
  }
  /// Adds to `seen` what the writers of the record's bytes had published; false if no other wave wrote them in this
  /// epoch.
  bool findPublished(const AccessRecord &record, unsigned wave, Known &seen) const;
  /// An access that looks whether another wave has got somewhere: no race, but others may look at what it wrote.
  void addAcquiring(const AccessRecord &record, uint32_t op, const Moment &moment);
  /// `report` gets (wave, op, record, conflict), maybe later, when the epoch ends.
  template <typename F>
  void add(const AccessRecord &record, uint32_t op, const Moment &moment, bool isLate, F &&report);
  /// The same of a read. True if other waves have written there before, unordered: that isn't reported but returned.
  template <typename F>
  bool addRead(const AccessRecord &record, uint32_t op, const Moment &moment, F &&report, Conflict &conflict);
  template <typename F> void endEpoch(F &&report);

private:
  struct Access {
    AccessRecord record;
    uint32_t op;
    bool isLate;
    Moment moment;
  };
  bool enter(const Access &access, Conflict &conflict) {
    return check::enter(shadow,
                        ordering
                            ? ShadowAccess{access.record, access.moment.number, access.op, access.moment.wave,
                                           access.isLate, ordering->begunAt(), &ordering->known(access.moment.version)}
                            : ShadowAccess{access.record, epoch, access.op, access.moment.wave, access.isLate, epoch},
                        conflict);
  }
  bool isNearWrites(uint64_t low, uint64_t high) const { return low < writesHigh && writesLow < high; }
  /// Accesses not entered yet, and where they are.
  struct Log {
    std::vector<Access> accesses;
    uint64_t low = ~uint64_t(0), high = 0;
    void add(const Access &access) {
      accesses.push_back(access);
      low = std::min(low, access.record.low);
      high = std::max(high, access.record.high);
    }
    void clear() {
      accesses.clear();
      low = ~uint64_t(0);
      high = 0;
    }
  };
  template <typename F> void enterLogged(const Access &access, F &&report) {
    if (Conflict conflict; enter(access, conflict))
      report(access.moment.wave, access.op, access.record, conflict);
  }
  template <typename F> void enterAll(F &&report);
  /// Enters those near writes so far. Others have touched nothing that is entered, and may follow later.
  template <typename F> void enterNear(F &&report);
  Shadow shadow;
  uint32_t epoch = 0;
  Log log, apart; ///< apart: those before the log's that were not near writes when these were entered
  const Ordering *ordering = nullptr;
  std::vector<Access> recent; ///< with an ordering: the last writes of the epoch
  uint64_t writesLow = ~uint64_t(0), writesHigh = 0;
  uint32_t writers = 0; ///< a bit for each wave
};

template <typename F> void GlobalRaces::enterAll(F &&report) {
  for (Log *some : {&apart, &log}) {
    for (const Access &access : some->accesses)
      enterLogged(access, report);
    some->clear();
  }
}

template <typename F> void GlobalRaces::enterNear(F &&report) {
  if (isNearWrites(apart.low, apart.high))
    return enterAll(report);
  for (const Access &access : log.accesses)
    if (isNearWrites(access.record.low, access.record.high))
      enterLogged(access, report);
    else
      apart.add(access);
  log.clear();
}

template <typename F>
void GlobalRaces::add(const AccessRecord &record, uint32_t op, const Moment &moment, bool isLate, F &&report) {
  constexpr size_t longest = 1 << 14;
  if (log.accesses.size() + apart.accesses.size() == longest)
    enterAll(report);
  log.add({record, op, isLate, moment});
  if (record.kind == AccessKind::Read)
    return;
  if (ordering)
    addAcquiring(record, op, moment);
  writesLow = std::min(writesLow, record.low);
  writesHigh = std::max(writesHigh, record.high);
  writers |= 1u << moment.wave;
}

template <typename F>
bool GlobalRaces::addRead(const AccessRecord &record, uint32_t op, const Moment &moment, F &&report,
                          Conflict &conflict) {
  if (!(writers & ~(1u << moment.wave)) || !isNearWrites(record.low, record.high)) {
    add(record, op, moment, false, report);
    return false;
  }
  enterNear(report);
  return enter({record, op, false, moment}, conflict);
}

template <typename F> void GlobalRaces::endEpoch(F &&report) {
  for (Log *some : {&apart, &log}) {
    for (const Access &access : some->accesses)
      if (isNearWrites(access.record.low, access.record.high))
        enterLogged(access, report);
    some->clear();
  }
  writesLow = ~uint64_t(0);
  writesHigh = 0;
  writers = 0;
}

} // namespace inflight::machine::check
