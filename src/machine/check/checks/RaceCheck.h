// Two waves at one byte, with nothing that orders them: in LDS (LdsRaces.h), in global memory (Shadow.h), and what
// loads bring that race (RacedLoads.h).
#pragma once

#include "machine/check/checks/SameValues.h"
#include "machine/check/context/Check.h"
#include "machine/check/races/RacedLoads.h"

namespace inflight::machine::check {

class RaceCheck final : public Check {
public:
  explicit RaceCheck(Context &context LLVM_LIFETIME_BOUND);
  static bool isWanted(const Context &context) {
    return context.options.has(Kind::Race) || context.options.has(Kind::WriteAfterRead);
  }
  void begin(llvm::MutableArrayRef<Wave> waves) override;
  void flow(Wave &wave, const Op &op, const Op &executed, const Flow &flow) override {
    if (raced.any() && raced.before(wave, executed, flow))
      reportRacedLoads();
  }
  void prepare(Wave &, const Op &, const OpFacts &) override { sameValues.clear(); }
  void access(Wave &wave, const AccessRecord &record) override;
  void executed(Wave &wave, const Op &op, const OpFacts &f) override;
  void issued(Wave &wave, Pending &p) override;
  void retired(Wave &wave, Pending &p) override;
  void barrier(llvm::ArrayRef<Wave> waves) override;
  void end() override { endEpoch(); }

private:
  void beginEpoch() { global.beginEpoch(++epoch, order()); }
  void endEpoch();
  const Ordering *order() const { return ordering ? &*ordering : nullptr; }
  void enter(Wave &wave, const Op &op, const OpFacts &f, const AccessRecord &record);
  /// What is in flight at a barrier may happen after it, too.
  void enterLate(const Wave &wave, Pending &p);
  /// A single wave races with none.
  bool isShared(const AccessRecord &record) const { return context.waveCount > 1 && context.shared.covers(record); }
  void enterGlobal(Wave &wave, const Op &op, const OpFacts &f, const AccessRecord &record, const Moment &moment);
  void reportRacedLoads();
  void reportLds(const LdsRaces::Access &access, const LdsRaces::Access &earlier, uint32_t byte, int lane);
  void reportGlobal(unsigned wave, uint32_t op, AccessKind kind, const Conflict &conflict);
  auto globalReport() {
    return [this](unsigned wave, uint32_t op, const AccessRecord &record, const Conflict &conflict) {
      reportGlobal(wave, op, record.kind, conflict);
    };
  }
  /// One side of a race.
  struct Side {
    const Op &op;
    unsigned wave;
    AccessKind kind;
    bool isLate = false; ///< was in flight when the barrier was passed
  };
  void report(Kind rule, const Side &mine, const Side &other, int lane, const std::string &place,
              const std::string &wait);

  GlobalRaces global;
  LdsRaces lds;
  RacedLoads raced;
  SameValues sameValues;
  std::optional<Ordering> ordering; ///< of code whose waves look at what others wrote
  uint32_t epoch = 0;
  // Of the current instruction.
  uint32_t number = 0;       ///< in the order of the workgroup
  std::optional<Known> seen; ///< what it tells its wave of others, if it looks at what they wrote
};

} // namespace inflight::machine::check
