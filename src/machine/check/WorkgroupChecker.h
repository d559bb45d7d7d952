// All checks of one workgroup at a time, on one host thread.
#pragma once

#include "machine/check/Hazards.h"
#include "machine/check/Trace.h"
#include "machine/check/inflight/Findings.h"
#include "machine/check/races/LdsRaces.h"
#include "machine/check/races/RacedLoads.h"
#include "machine/wave/Indexing.h"
#include <random>

namespace inflight::machine {
class Noted;
}

namespace inflight::machine::check {

/// What is known of the code before it runs, as far as the checks need it.
struct CodeFacts {
  Facts facts;
  std::optional<Flows> flows;
  std::optional<HazardFacts> hazards;
  uint64_t textAddress = 0;
  static llvm::Expected<CodeFacts> find(const CodeObject &object, const Code &code, const Options &options);
};

/// The machine calls these around each instruction and at barriers.
class WorkgroupChecker final : public AccessObserver {
public:
  WorkgroupChecker(const CodeFacts &code LLVM_LIFETIME_BOUND, const Options &options LLVM_LIFETIME_BOUND,
                   const Op *codeBegin, const Memory &memory LLVM_LIFETIME_BOUND, const TargetInfo &target,
                   bool tgSplit, LateStores *late = nullptr);
  ~WorkgroupChecker();

  void begin(Workgroup &group, llvm::MutableArrayRef<Wave> waves);
  void before(Wave &wave, const Op &op) {
    const uint32_t index = &op - codeBegin;
    if (hazards && !hazards->isJudged(wave.number, index, op.slots))
      checkHazards(wave, op);
    if (wave.codeBegin != codeBegin && beforeInMode(wave, op)) [[unlikely]]
      return;
    const OpFacts &f = facts.at(index);
    const bool quiet = f.isPlain && !looksAlways && !mayMeetLoads(inFlight[wave.number], f);
    if (!quiet || (flows && !undefined[wave.number].passes(wave.exec(), flows->plainAt(index))))
      look(wave, op, f, quiet);
  }
  void after(Wave &wave, const Op &op) {
    if (const OpFacts &f = facts.at(&op - codeBegin);
        f.resultsLater && wave.status != Status::Faulted && !(wave.mode & VectorSkip && vectorInMode(wave, op)))
      issue(wave, op, f);
  }
  void barrier(llvm::ArrayRef<Wave> waves); ///< all waves have come to one
  void end();                               ///< all waves have ended
  size_t inFlightOf(const Wave &wave) const { return inFlight[wave.number].operations().size(); }
  void memoryFault(const Wave &wave); ///< an access outside every allocation ends the run

  void lanes(Wave &wave, const uint64_t *addresses, unsigned bytes, Kind kind) override;
  void scalar(Wave &wave, uint64_t address, unsigned bytes) override;
  void scalarStore(Wave &wave, uint64_t address, unsigned bytes) override;
  void outOfLds(Wave &wave, uint64_t lanes) override;
  void outOfBuffer(Wave &wave, const OutOfBuffer &dropped) override;

  Findings findings;

private:
  void reportHazard(const Wave &wave, const MissingStates &missing);
  /// Whether the instruction may touch a register that a load will write.
  bool mayMeetLoads(const InFlight &flying, const OpFacts &f) const {
    return flying.anyRegisters() && (f.movesRelative || llvm::any_of(facts.registers(f), [&](RegRange range) {
                                       return flying.mayWrite(range);
                                     }));
  }
  void look(Wave &wave, const Op &op, const OpFacts &f, bool onlyFlow);
  /// Of a wave in the copy of the code that heeds MODE: what stands there for a vector instruction, null for others.
  const IndexableOp *vectorInMode(const Wave &wave, const Op &op) const;
  /// Skipped instructions are none, and indexed ones use other registers than the code says. False for all others.
  bool beforeInMode(Wave &wave, const Op &op);
  void beginInstruction(Wave &wave, const Op &op);
  void issue(Wave &wave, const Op &op, const OpFacts &f);
  /// The current instruction's, for races. `number`: in the order of the workgroup.
  void enterAccesses(Wave &wave, const Op &op, const OpFacts &f, uint32_t number);
  void checkUndefined(Wave &wave, const Op &op);
  /// `executed`: the instruction with the registers that it has in this wave.
  void followUndefined(Wave &wave, const Op &op, const Op &executed, const Flow &flow);
  void checkHazards(const Wave &wave, const Op &op);
  void checkRegisters(Wave &wave, const Op &op, const OpFacts &f, llvm::ArrayRef<RegRange> reads,
                      llvm::ArrayRef<RegRange> writes);
  void reportRegister(const Wave &wave, const Op &op, const Pending &p, RegRange range, bool isWrite);
  std::string waitFor(const Wave &wave, const Pending &p) const {
    return inFlight[wave.number].waitFor(p, facts.counters);
  }
  void keepRegisters(Wave &wave, const OpFacts &f);
  void delayResults(Wave &wave, const OpFacts &f, Pending &pending);
  void retire(Wave &wave, Pending &pending);
  void deliver(Wave &wave, Pending &pending);
  void checkOverwrittenReads(Wave &wave, const AccessRecord &write);
  uint64_t ownerOf(const Wave &wave) const { return owner + (tgSplit ? wave.number : 0); }
  /// What a store or atomic writes to counts as written from before it does; the result of most atomics depends on it.
  void meetUnwritten(const Wave &wave, const AccessRecord &record);
  void noteAccess(const Op &op, const AccessRecord &record);
  void meetLateStores(const Wave &wave, const AccessRecord &record);
  void holdBackStores(const Wave &wave, const Op &op, Pending &pending);
  void keepOverwritten(const Wave &wave, const AccessRecord &record);
  void findSameValues(const Wave &wave, const Op &op);
  void checkPendingDma(Wave &wave, const Op &op, const AccessRecord &record);
  void dmaArrived(unsigned wave, const Pending &arrived);
  void enterGlobal(uint32_t op, const AccessRecord &record, const Moment &moment, bool isLate);
  /// The same of an access that is just issued. What it loads is followed if the load races.
  void issueGlobal(Wave &wave, const Op &op, const OpFacts &f, const AccessRecord &record, const Moment &moment);
  /// What a racing load has brought decides something.
  void reportRacedLoads();
  void reportLdsRace(const LdsRaces::Access &access, const LdsRaces::Access &earlier, uint32_t byte, unsigned lane);
  /// What an access tells its wave of others, if it looks at what they wrote.
  void findAcquired(const Wave &wave, const Op &op, const OpFacts &f, Known &seen, bool &sees);
  void report(check::Kind kind, unsigned wave, const Op &op, const Op *other, int otherWave, int lane,
              std::string message, std::string hint = "", const Op *cause = nullptr);
  void reportRace(unsigned wave, Kind kind, const Op &op, const Op &other, int otherWave, Kind otherKind, bool isLate,
                  bool overwrites, int lane, const std::string &place, const std::string &wait = "s_waitcnt");
  void endEpoch();
  void checkMeeting(llvm::ArrayRef<Wave> waves);
  void reportUndefined(const Wave &wave, const Op &op, const UndefinedUse &use);
  void reportGlobalRace(unsigned wave, uint32_t op, Kind kind, const Conflict &conflict);
  auto globalReport() {
    return [this](unsigned wave, uint32_t op, const AccessRecord &record, const Conflict &conflict) {
      reportGlobalRace(wave, op, record.kind, conflict);
    };
  }
  uint64_t ldsByte(uint64_t address) const;
  /// Whether a finding is asked for and the first of its kind and pair; a repeated one is counted.
  bool isNew(check::Kind kind, const Op &op, const Op *other);

  const Facts &facts;
  const Flows *codeFlows; ///< null unless undefined values or races are looked for
  const Flows *flows;     ///< the same, null unless undefined values are
  const Options &options;
  const Op *codeBegin;
  const Memory &memory;
  const bool tgSplit;
  LateStores *const late; ///< null unless stores are
  uint64_t owner = 0;     ///< of its stores
  GlobalRaces global;
  RacedLoads raced;
  LdsRaces lds;
  std::optional<Ordering> ordering; ///< of code whose waves look at what others wrote
  uint32_t epoch = 0;
  Workgroup *group = nullptr;
  unsigned waveCount = 0;
  bool raceCheck, inFlightCheck;
  bool looksAlways = false;         ///< at each instruction of the workgroup
  std::vector<InFlight> inFlight;   ///< by wave
  std::vector<Undefined> undefined; ///< by wave
  UndefinedMemory undefinedMemory;
  Noted *noted = nullptr; ///< null: nobody asks what the kernel does in global memory
  AccessShapes shapes;
  std::optional<Hazards> hazards;
  std::optional<Trace> trace;
  // Of the current instruction.
  const Op *currentOp = nullptr;
  std::vector<AccessRecord> accesses;
  unsigned parts = 0;              ///< accesses that its handler reported
  std::vector<uint8_t> storedOver; ///< what stores overwrote that are to be late, in order of accesses and lanes
  std::vector<uint8_t> ldsBefore;  ///< what LDS DMA overwrote, in order of lanes
  /// What plain writes will overwrite where another wave may have written the same, in order of lanes.
  struct Overwritten {
    size_t access, first; ///< indices into `accesses` and `overwrittenBytes`
  };
  llvm::SmallVector<Overwritten, 2> overwritten;
  std::vector<uint8_t> overwrittenBytes;
  std::vector<uint32_t> kept; ///< registers a load wrote, before it did
  llvm::SmallVector<RegRange, 2> keptRanges;
  std::mt19937_64 random;
};

} // namespace inflight::machine::check
