// What each wave executed, as text, for tools that judge a run by themselves.
//
// A line an instruction: workgroup, wave, address in the code object's image, EXEC before it. A line that begins with
// a space tells an access of the instruction above: read, write or atomic; lds or memory; the bytes of a lane; the
// places of the active lanes, in LDS offsets or addresses of the host.
#pragma once

#include "machine/check/inflight/InFlight.h"

namespace llvm {
class raw_ostream;
}

namespace inflight::machine::check {

/// Writes to a stream; one host thread at a time.
class Trace {
public:
  Trace(llvm::raw_ostream &os, const Op *codeBegin, uint64_t textAddress)
      : os(os), codeBegin(codeBegin), textAddress(textAddress) {}
  void instruction(const Wave &wave, const Op &op);
  void access(const Wave &wave, const AccessRecord &record);

private:
  llvm::raw_ostream &os;
  const Op *codeBegin;
  uint64_t textAddress;
};

} // namespace inflight::machine::check
