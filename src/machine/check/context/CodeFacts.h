// What is known of a code object before it runs, as far as the checks need it.
#pragma once

#include "machine/check/hazards/Hazards.h"
#include "machine/check/inflight/Facts.h"
#include "machine/check/inflight/Findings.h"
#include "machine/check/undefined/Flow.h"

namespace inflight::machine::check {

struct CodeFacts {
  Facts facts;
  std::optional<Flows> flows;         ///< of undefined values or races
  std::optional<HazardFacts> hazards; ///< of missing wait states
  uint64_t textAddress = 0;
  static llvm::Expected<CodeFacts> find(const CodeObject &object, const Code &code, const Options &options);
};

} // namespace inflight::machine::check
