// Tells the checks of one workgroup at a time what happens in it, on one host thread.
#pragma once

#include "machine/check/Checks.h"
#include "machine/wave/Indexing.h"

namespace inflight::machine::check {

/// The machine calls these around each instruction and at barriers.
class WorkgroupChecker final : public AccessObserver {
public:
  WorkgroupChecker(const CodeFacts &code LLVM_LIFETIME_BOUND, const Options &options LLVM_LIFETIME_BOUND,
                   const Op *codeBegin, const Memory &memory LLVM_LIFETIME_BOUND,
                   const TargetInfo &target LLVM_LIFETIME_BOUND, bool tgSplit, LateStores *late = nullptr)
      : context(code, options, codeBegin, memory, target, tgSplit, late), checks(context) {}

  void begin(Workgroup &group, llvm::MutableArrayRef<Wave> waves);
  void before(Wave &wave, const Op &op) {
    const uint32_t index = &op - context.codeBegin;
    checks.each([&](auto &check) { check.reach(wave, op, index); });
    if (wave.codeBegin != context.codeBegin && beforeInMode(wave, op)) [[unlikely]]
      return;
    const OpFacts &f = context.facts.at(index);
    if (!f.isPlain || context.looksAlways || mayMeetLoads(wave, f))
      look(wave, op, f);
    else if (!checks.all([&](auto &check) { return check.isSettled(wave, index); }))
      followFlow(wave, op, f);
  }
  void after(Wave &wave, const Op &op) {
    if (const OpFacts &f = context.facts.of(op);
        f.resultsLater && wave.status != Status::Faulted && !(wave.mode & VectorSkip && vectorInMode(wave, op)))
      issue(wave, op, f);
  }
  void barrier(llvm::ArrayRef<Wave> waves); ///< all waves have come to one
  void end();                               ///< all waves have ended
  void memoryFault(const Wave &wave);       ///< an access outside every allocation ends the run
  size_t inFlightOf(const Wave &wave) const { return context.inFlight[wave.number].operations().size(); }
  const Findings &findings() const LLVM_LIFETIME_BOUND { return context.findings; }

  void lanes(Wave &wave, const uint64_t *addresses, unsigned bytes, Kind kind) override;
  void scalar(Wave &wave, uint64_t address, unsigned bytes) override;
  void scalarStore(Wave &wave, uint64_t address, unsigned bytes) override;
  void outOfLds(Wave &wave, uint64_t lanes) override;
  void outOfBuffer(Wave &wave, const OutOfBuffer &dropped) override;

private:
  /// Whether the instruction may touch a register that a load will write.
  bool mayMeetLoads(const Wave &wave, const OpFacts &f) const {
    const InFlight &flying = context.inFlight[wave.number];
    return flying.anyRegisters() && (f.movesRelative || llvm::any_of(context.facts.registers(f), [&](RegRange range) {
                                       return flying.mayWrite(range);
                                     }));
  }
  void look(Wave &wave, const Op &op, const OpFacts &f);
  void followFlow(Wave &wave, const Op &op, const OpFacts &f);
  /// Of a wave in the copy of the code that heeds MODE: what stands there for a vector instruction, null for others.
  const IndexableOp *vectorInMode(const Wave &wave, const Op &op) const;
  /// Skipped instructions are none, and indexed ones use other registers than the code says. False for all others.
  bool beforeInMode(Wave &wave, const Op &op);
  void issue(Wave &wave, const Op &op, const OpFacts &f);
  void access(Wave &wave, const uint64_t *at, unsigned bytes, unsigned part, Kind kind);

  Context context;
  Checks checks;
  AccessShapes shapes;
  unsigned parts = 0; ///< accesses that the current instruction's handler has reported
};

} // namespace inflight::machine::check
