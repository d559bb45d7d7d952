// Stops the waves of a launch where the user wants to look at them. The machine calls it around each instruction, with
// one host thread.
#pragma once

#include "machine/debug/Stop.h"
#include "machine/debug/Watch.h"
#include "llvm/ADT/DenseMap.h"
#include <map>

namespace inflight::machine::debug {

class Debugger final : public AccessObserver {
public:
  /// Errors name what of the request the launch doesn't have. `launch` and its configuration must outlive it.
  static llvm::Expected<std::unique_ptr<Debugger>> make(const PreparedLaunch &launch);

  /// Whether instructions of this workgroup have to be looked at.
  bool wants(const Workgroup &group) const;
  /// A workgroup that is wanted begins; the checks have had it before.
  void begin(llvm::MutableArrayRef<Wave> waves);
  void before(const Wave &wave, const Op &op) {
    if (breaksAt[&op - codeBegin])
      hit(wave, op);
  }
  void after(const Wave &wave, const Op &op) {
    for (Watch &watch : watches)
      watch.written(wave, op);
  }

  void lanes(Wave &wave, const uint64_t *addresses, unsigned bytes, Kind kind) override;
  void scalar(Wave &wave, uint64_t address, unsigned bytes) override;
  void scalarStore(Wave &wave, uint64_t address, unsigned bytes) override;
  void outOfLds(Wave &wave, uint64_t lanes) override;
  void outOfBuffer(Wave &wave, const OutOfBuffer &dropped) override;
  /// The wave that an instruction has stopped for good.
  void faulted(const Wave &wave);
  /// Tells what has not been shown.
  void end();

private:
  struct Break {
    BreakSpec spec;
    unsigned most = 0; ///< stops
    bool isEnd = false;
    unsigned shown = 0;
    uint64_t leftOut = 0; ///< hits that would have been shown but for `most`, or are later ones of their waves
    std::map<std::pair<uint64_t, unsigned>, uint64_t> hitsOf; ///< by workgroup's number and wave
  };
  struct Dump {
    DumpItem item;
    std::optional<PlacedRange> memory;
  };
  explicit Debugger(const PreparedLaunch &launch LLVM_LIFETIME_BOUND);
  llvm::Error addBreak(const BreakSpec &spec);
  llvm::Error addDump(const DumpItem &item);
  llvm::Error addWatch(const WatchSpec &spec);
  void hit(const Wave &wave, const Op &op);
  void show(Stop stop, const Wave &wave) const;
  uint64_t numberOf(const Workgroup &group) const;

  const PreparedLaunch &launch;
  const Request &request;
  const Op *codeBegin;
  std::vector<uint8_t> breaksAt; ///< by slot of the code
  std::vector<Break> breaks;
  std::map<const Op *, llvm::SmallVector<unsigned, 1>> breaksOf; ///< by instruction
  std::vector<Dump> dumps;
  std::vector<Watch> watches;
  llvm::DenseMap<const Wave *, AccessObserver *> next; ///< the checks' of each wave's workgroup, or null
};

} // namespace inflight::machine::debug
