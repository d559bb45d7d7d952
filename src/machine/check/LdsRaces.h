// Which bytes of a workgroup's LDS each wave touched since the last barrier.
//
// A byte that two waves touched, one of them by writing, is a race. Each wave has a bit for each byte it read, wrote or
// changed atomically; the bits are compared when all waves have come to a barrier or ended. Only then, and only for
// bytes in conflict, a log of the accesses tells which instructions they were.
#pragma once

#include "machine/check/InFlight.h"
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
    uint32_t firstBlock;
    ShapeRef shape;
    std::string wait; ///< late: that it lacked before the barrier
  };

  void begin(uint64_t ldsAddress, uint64_t ldsBytes, unsigned waves);
  void enter(const AccessRecord &record, uint32_t op, unsigned wave, const OpFacts &facts, bool isLate, std::string wait = "");
  /// Ends the epoch. `report` gets an access, an earlier one at odds with it, the byte and the lane of the access.
  template <typename F> void endEpoch(F &&report);

  /// LDS DMA of the wave that hasn't arrived yet.
  void addPending(unsigned wave, const AccessRecord &record) {
    for (const AccessShape::Piece &piece : record.shape->pieces)
      pending[wave][record.firstBlock + piece.block] |= piece.bytes;
  }
  void removePending(unsigned wave, const AccessRecord &record) {
    for (const AccessShape::Piece &piece : record.shape->pieces)
      pending[wave][record.firstBlock + piece.block] &= ~piece.bytes;
  }
  /// A lane whose bytes such a DMA will write, -1 if there is none.
  int lanePending(unsigned wave, const AccessRecord &record) const;

private:
  using Bits = std::vector<uint64_t>; ///< one for each byte of LDS
  struct WaveBits {
    Bits read, written, atomic;
  };
  /// Bytes, of different 64-byte blocks, with a conflict.
  llvm::SmallVector<uint32_t, 16> conflicts() const;
  void clear();

  uint64_t base = 0, bytes = 0;
  bool anyChange = false;       ///< in this epoch
  uint32_t low = ~0u, high = 0; ///< touched in this epoch, in words of the bits
  std::vector<WaveBits> waves;
  std::vector<Bits> pending;
  std::vector<Access> log;
  /// Where in the log the last access stands of an instruction, its part and wave, unless another one took the place.
  struct Last {
    uint64_t who = 0;
    uint32_t epoch = 0, index = 0;
  };
  static constexpr uint32_t lastPlaces = 1 << 11;
  std::vector<Last> lastOf = std::vector<Last>(lastPlaces);
  uint32_t epoch = 1;
};

template <typename F> void LdsRaces::endEpoch(F &&report) {
  for (uint32_t byte : conflicts()) {
    llvm::SmallVector<std::pair<const Access *, unsigned>, 16> touching; // with the lane
    for (const Access &access : log)
      for (unsigned lane = 0; lane < Lanes; ++lane)
        if (const uint32_t offset = access.shape->offset[lane]; offset != AccessShape::noOffset && byte - 64 * access.firstBlock - offset < access.shape->bytes) {
          touching.push_back({&access, lane});
          break;
        }
    using Kind = AccessObserver::Kind;
    for (size_t i = 0; i < touching.size(); ++i)
      for (size_t j = 0; j < i; ++j) {
        const Access &later = *touching[i].first, &earlier = *touching[j].first;
        // A plain read may come before an atomic of the same wave that looks again, as in a compare-and-exchange loop.
        auto isHarmless = [&](const Access &one, const Access &two) {
          return two.kind == Kind::Atomic && (one.kind == Kind::Atomic || (one.kind == Kind::Read && llvm::any_of(touching, [&](const auto &t) {
                   return t.first > &one && t.first->wave == one.wave && t.first->kind == Kind::Atomic && t.first->checksAgain;
                 })));
        };
        if (later.wave != earlier.wave && !isHarmless(later, earlier) && !isHarmless(earlier, later) && (later.kind != Kind::Read || earlier.kind != Kind::Read))
          report(later, earlier, byte, touching[i].second);
      }
  }
  clear();
}

} // namespace inflight::machine::check
