// What each wait waits for and how weak it could be, for people and for programs.
#pragma once

#include "waits/WaitReport.h"
#include "llvm/Support/JSON.h"

namespace llvm {
class raw_ostream;
}

namespace inflight::waits {
struct Plan;
struct Prices;
} // namespace inflight::waits

namespace inflight::lint {

/// What a report can say besides.
struct ReportExtras {
  const waits::Prices *prices = nullptr;
  const waits::Plan *relaxed = nullptr; ///< what --relax would do; null: it can't
  size_t missing = 0;                   ///< waits
};

/// Waits for the ALUs of which a field isn't judged, and v_nop: what the hardware looks at by itself, or a hazard may
/// want.
std::vector<uint32_t> unjudgedIn(const Program &program, const waits::Reported &reported);

void writeReportText(llvm::raw_ostream &os, const Program &program, const waits::Reported &reported,
                     const ReportExtras &extras);

/// "waits", "loops" and "unjudged" are set in `into`.
void addReportJson(llvm::json::Object &into, const Program &program, const waits::Reported &reported,
                   const waits::Prices *prices);

} // namespace inflight::lint
