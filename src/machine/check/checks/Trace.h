// What each wave executed, as text, for tools that judge a run by themselves.
//
// A line an instruction: workgroup, wave, address in the code object's image, EXEC before it. A line that begins with
// a space tells an access of the instruction above: read, write or atomic; lds or memory; the bytes of a lane; the
// places of the active lanes, in LDS offsets or addresses of the host.
#pragma once

#include "machine/check/context/Check.h"

namespace inflight::machine::check {

/// Writes to a stream; one host thread at a time.
class Trace final : public Check {
public:
  explicit Trace(Context &context LLVM_LIFETIME_BOUND) : Check(context), os(*context.options.trace) {}
  static bool isWanted(const Context &context) { return context.options.trace; }
  void begin(llvm::MutableArrayRef<Wave>) override { context.looksAlways = true; }
  void step(Wave &wave, const Op &op) override;
  void access(Wave &wave, const AccessRecord &record) override;

private:
  llvm::raw_ostream &os;
};

} // namespace inflight::machine::check
