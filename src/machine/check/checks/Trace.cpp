#include "machine/check/checks/Trace.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight::machine::check {

void Trace::step(Wave &wave, const Op &op) {
  const uint32_t (&id)[3] = wave.group->id;
  os << formatv("{0},{1},{2} {3} {4:x-} {5:x-}\n", id[0], id[1], id[2], wave.number,
                context.code.textAddress + 4 * (&op - context.codeBegin), wave.exec());
}

void Trace::access(Wave &wave, const AccessRecord &record) {
  const uint64_t base = record.isLds ? context.ldsBegin() : 0;
  os << (record.kind == AccessKind::Read    ? " read"
         : record.kind == AccessKind::Write ? " write"
                                            : " atomic")
     << (record.isLds ? " lds " : " memory ") << unsigned(record.bytes);
  for (unsigned lane = 0; lane < Lanes; ++lane)
    if (const uint64_t at = record.address(lane))
      os << ' ' << utohexstr(at - base, true);
  os << '\n';
}

} // namespace inflight::machine::check
