// What the checks of a workgroup share: the code, what is in flight, the instruction that executes, and the findings.
#pragma once

#include "machine/check/context/CodeFacts.h"
#include "machine/check/races/SharedMemory.h"
#include <random>

namespace inflight::machine::check {

struct Context {
  Context(const CodeFacts &code LLVM_LIFETIME_BOUND, const Options &options LLVM_LIFETIME_BOUND, const Op *codeBegin,
          const Memory &memory LLVM_LIFETIME_BOUND, const TargetInfo &target LLVM_LIFETIME_BOUND, bool tgSplit,
          LateStores *late)
      : code(code),
        facts(code.facts),
        options(options),
        codeBegin(codeBegin),
        memory(memory),
        target(target),
        tgSplit(tgSplit),
        late(late),
        shared(memory) {}

  // Of the launch.
  const CodeFacts &code;
  const Facts &facts; ///< code's
  const Options &options;
  const Op *const codeBegin;
  const Memory &memory;
  const TargetInfo &target;
  const bool tgSplit;
  LateStores *const late; ///< null unless stores are
  const SharedMemory shared;

  // Of the workgroup.
  Workgroup *group = nullptr;
  unsigned waveCount = 0;
  std::vector<InFlight> inFlight; ///< by wave
  std::mt19937_64 random;
  bool looksAlways = false; ///< `step` is wanted, and plain instructions are looked at like others
  bool followsFlow = false; ///< `flow` is wanted
  uint64_t ldsBegin() const { return reinterpret_cast<uint64_t>(group->lds.data()); }
  /// Of a host address; no less than the size for other memory.
  uint64_t ldsByte(uint64_t address) const { return address - ldsBegin(); }

  // Of the memory instruction that executes.
  const Op *op = nullptr;
  std::vector<AccessRecord> accesses;

  Findings findings;
  /// Whether a finding is asked for and the first of its kind and pair; a repeated one is counted. Called before a
  /// message is made.
  bool isNew(Kind kind, const Op &op, const Op *other) { return options.has(kind) && findings.isNew(kind, &op, other); }
  void report(Kind kind, unsigned wave, const Op &op, const Op *other, int otherWave, int lane, std::string message,
              std::string hint = "", const Op *cause = nullptr);
  /// The weakest wait after which the operation can't be in flight any more, as assembly.
  std::string waitFor(unsigned wave, const Pending &p) const { return inFlight[wave].waitFor(p, facts.counters); }
};

} // namespace inflight::machine::check
