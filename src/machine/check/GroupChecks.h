// All checks of one workgroup at a time, on one host thread.
#pragma once

#include "machine/check/Findings.h"
#include "machine/check/Hazards.h"
#include "machine/check/LdsRaces.h"
#include "machine/check/Shadow.h"
#include <random>

namespace inflight::machine::check {

/// The machine calls these around each instruction and at barriers.
class GroupChecks final : public AccessObserver {
public:
  /// `dataBegin`, `dataBytes`: where global memory may be touched.
  /// `hazardFacts`: null unless missing wait states are looked for.
  GroupChecks(const Facts &facts, const HazardFacts *hazardFacts, const Options &options, const Op *codeBegin, uint64_t dataBegin, uint64_t dataBytes, unsigned vmcntMaximum, bool tgSplit);
  ~GroupChecks();

  void begin(Workgroup &group, llvm::MutableArrayRef<Wave> waves);
  void before(Wave &wave, const Op &op);
  void after(Wave &wave, const Op &op);
  void barrier(llvm::ArrayRef<Wave> waves); ///< all waves have come to one
  void end();                               ///< all waves have ended
  void memoryFault(const Wave &wave);              ///< an access outside every allocation ends the run

  void lanes(Wave &wave, const uint64_t *addresses, unsigned bytes, Kind kind) override;
  void scalar(Wave &wave, uint64_t address, unsigned bytes, Kind kind) override;
  void outOfLds(Wave &wave, uint64_t lanes) override;
  void outOfBuffer(Wave &wave, uint64_t lanes) override;

  Findings findings;

private:
  void reportHazard(const Wave &wave, const MissingStates &missing);
  void checkRegisters(Wave &wave, const Op &op, const OpFacts &f);
  void keepRegisters(Wave &wave, const OpFacts &f);
  void delayResults(Wave &wave, const OpFacts &f, Pending &pending);
  void retire(Wave &wave, Pending &pending);
  void checkOverwrittenReads(Wave &wave, const AccessRecord &write);
  void checkPendingDma(Wave &wave, const Op &op, const AccessRecord &record);
  void enterGlobal(const Wave &wave, uint32_t op, const AccessRecord &record, bool isLate);
  void report(check::Kind kind, unsigned wave, const Op &op, const Op *other, int otherWave, int lane, std::string message);
  void reportRace(unsigned wave, Kind kind, const Op &op, const Op &other, int otherWave, Kind otherKind, bool isLate, bool overwrites, int lane,
                  const std::string &place);
  void endEpoch();
  void reportGlobalRace(unsigned wave, uint32_t op, const AccessRecord &record, const Conflict &conflict);
  bool inLds(uint64_t address) const;

  const Facts &facts;
  const Options &options;
  const Op *codeBegin;
  const unsigned vmcntMaximum;
  const bool tgSplit;
  GlobalRaces global;
  LdsRaces lds;
  uint32_t epoch = 0;
  Workgroup *group = nullptr;
  unsigned waveCount = 0;
  bool raceCheck, inFlightCheck;
  std::vector<InFlight> inFlight; ///< by wave
  std::optional<Hazards> hazards;
  // Of the current instruction.
  const Op *currentOp = nullptr;
  std::vector<AccessRecord> accesses;
  std::vector<uint8_t> ldsBefore; ///< what LDS DMA overwrote, in order of lanes
  std::vector<uint32_t> kept;     ///< registers a load wrote, before it did
  llvm::SmallVector<RegRange, 2> keptRanges;
  std::mt19937_64 random;
};

} // namespace inflight::machine::check
