#include "machine/check/checks/HazardCheck.h"

#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::machine::check {

void HazardCheck::judge(const Wave &wave, const Op &op, uint32_t index) {
  auto states = [](unsigned count) { return formatv("{0} wait state{1}", count, count == 1 ? "" : "s").str(); };
  hazards.before(wave.number, index, op.slots, [&](const MissingStates &missing) {
    const Op &consumer = context.codeBegin[missing.consumer], &producer = context.codeBegin[missing.producer];
    const Kind kind = missing.gravity == hazards::Gravity::Error ? Kind::Hazard : Kind::HazardAdvice;
    if (context.isNew(kind, consumer, &producer))
      context.report(
          kind, wave.number, consumer, &producer, wave.number, -1,
          formatv("issues too early: {0} of {1} ({2})", missing.found, states(missing.required), missing.rule->text),
          formatv("s_nop {0} before it", missing.required - missing.found - 1));
  });
}

} // namespace inflight::machine::check
