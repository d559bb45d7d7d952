// What comes too early after something else, on chips whose hazards certain instructions end.
#pragma once

#include "hazards/shadow/Flow.h"
#include "support/report/Report.h"

namespace inflight::hazards::shadow {

struct Finding {
  enum class What : uint8_t {
    Error,
    Advice,
    Undecided, ///< whether it is one isn't known; `reason` says why
  };
  What what = What::Error;
  uint32_t instruction = 0, producer = 0; ///< the second and the first; of an unjudged one the same
  const Rule *rule = nullptr;             ///< null: what isn't judged
  unsigned required = 0, found = 0;       ///< slots
  AluWaits waits = 0;                     ///< that would mend it
  std::string reason;
};

/// By instruction. `gone`: instructions that are taken as not there.
std::vector<Finding> verify(const Program &program, const Table &table, llvm::ArrayRef<uint32_t> gone = {});

/// unresolved-hazard, unresolved-hazard-advice or undecided, for people and tools.
ReportItem describeFinding(const Program &program, const Finding &finding);

/// "s_wait_alu depctr_va_vdst(0)", as the chip's assembler reads it.
std::string waitText(const Isa &isa, AluWaits waits);

} // namespace inflight::hazards::shadow
