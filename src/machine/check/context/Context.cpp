#include "machine/check/context/Context.h"

using namespace llvm;

namespace inflight::machine::check {

void Context::report(Kind kind, unsigned wave, const Op &op, const Op *other, int otherWave, int lane,
                     std::string message, std::string hint, const Op *cause) {
  Finding finding;
  finding.cause = cause;
  finding.kind = kind;
  finding.op = &op;
  finding.other = other;
  finding.message = std::move(message);
  finding.hint = std::move(hint);
  std::copy_n(group->id, 3, finding.group);
  finding.wave = wave;
  finding.otherWave = otherWave;
  finding.lane = lane;
  findings.add(std::move(finding));
}

} // namespace inflight::machine::check
