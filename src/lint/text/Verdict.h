// What a report says of a wait in a word, and the operations it waits for in groups.
#pragma once

#include "lint/text/Where.h"
#include "waits/WaitReport.h"

namespace inflight::lint {

enum class Verdict : uint8_t {
  Exact,       ///< needed as it is
  Strict,      ///< a weaker value would do
  Superfluous, ///< not needed
  Orders,      ///< there for other waves
};

Verdict verdictOf(const waits::CountReport &count);
/// The verdict on all its counters; Strict when they differ.
Verdict verdictOf(const waits::WaitReport &wait);
llvm::StringRef verdictName(Verdict verdict); ///< "exact", "strict", "superfluous", "orders-memory"
/// The wait that would be enough, "vmcnt(8) lgkmcnt(0)"; empty when none is.
std::string enoughText(const CounterTable &counters, const waits::WaitReport &wait);

/// Operations of one kind and block that follow each other in the queue.
struct OperationGroup {
  std::string name; ///< of one: with the registers
  unsigned count = 0;
  uint32_t first = 0, last = 0;      ///< instructions
  unsigned oldest = 0, youngest = 0; ///< ages
  bool inOrder = true;
  bool isFromBefore = false; ///< they stand at or after the place: another iteration's
};

/// `operations` are oldest first; those at or after instruction `place` come from an earlier iteration.
std::vector<OperationGroup> groupOperations(const Program &program, const waits::Graph &graph,
                                            llvm::ArrayRef<waits::InFlight> operations, uint32_t place);
/// "8 × buffer_load_dwordx4→lds", "global_load_dword v4".
std::string groupText(const OperationGroup &group);

} // namespace inflight::lint
