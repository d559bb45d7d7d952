#include "program/Place.h"
#include "waits/FindingFacts.h"
#include "waits/Readings.h"
#include "waits/graph/Partners.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::waits {

/// missing-wait, counts-on-latency, counts-on-dma, unreleased-flag or undecided.
static StringRef ruleOf(const Program &program, const Graph &graph, const Finding &finding) {
  if (finding.need.about == About::Release)
    return "unreleased-flag";
  if (!finding.isCertain || goesAnywhere(program, graph, finding.need))
    return "undecided";
  if (!finding.countsOnLatency())
    return "missing-wait";
  return finding.need.about == About::DmaOverRead ? "counts-on-dma" : "counts-on-latency";
}

static std::string subject(const Program &program, const Verified &verified, const Finding &finding) {
  const Op &user = verified.graph->ops[finding.need.op];
  const Instruction &instruction = program.instructions()[finding.instruction];
  const StringRef maybe = finding.isCertain ? "" : "perhaps ";
  switch (finding.need.cause) {
  case Cause::Register: {
    if (finding.mayBeFromAnywhere)
      return "uses registers that loads before a jump or call to here may still write, if one that isn't known leads "
             "here";
    if (!finding.producer)
      return "uses registers that the caller's loads may still write";
    const RegRange registers = finding.producer->registers;
    const bool isOfSources = (*verified.graph->counters)[finding.counter].isOfSources;
    const bool reads =
        any_of(user.reads(verified.graph->ranges), [&](RegRange range) { return range.overlaps(registers); });
    return formatv("{0} {1} while {2} may still {3} {4}", reads && !isOfSources ? "reads" : "overwrites",
                   regName(registers),
                   program.instructions()[verified.graph->ops[finding.producer->op].instruction].desc->mnemonic,
                   isOfSources ? "read" : "write", registers.count == 1 ? "it" : "them");
  }
  case Cause::LdsDma:
    return formatv("{0}{1} LDS bytes that LDS DMA may still {2}", maybe, user.writesLds ? "changes" : "reads",
                   finding.producer && !verified.graph->ops[finding.producer->op].writesLds ? "read" : "write");
  case Cause::LdsRead:
    return formatv("LDS DMA {0}{1} bytes that an earlier LDS access may still {2}", maybe,
                   user.writesLds ? "overwrites" : "reads", user.writesLds ? "use" : "write");
  case Cause::Late:
    return formatv("{0} is reached while {1} is {2}still in flight to LDS bytes that other waves use after it",
                   instruction.desc->mnemonic,
                   finding.producer
                       ? program.instructions()[verified.graph->ops[finding.producer->op].instruction].desc->mnemonic
                       : "an access",
                   maybe);
  case Cause::WriteBack:
    return formatv("{0} publishes before the cache write-back is done", instruction.desc->mnemonic);
  case Cause::Fence:
    if (goesAnywhere(program, *verified.graph, finding.need))
      return "goes where the file doesn't say, with operations in flight whose results may be used there";
    return "leaves with operations in flight whose results nobody after it waits for";
  case Cause::Publication:
    if (finding.need.about == About::Release)
      return formatv("{0} may be a flag that another wave waits for, and {1} is still in flight",
                     instruction.desc->mnemonic,
                     finding.producer
                         ? program.instructions()[verified.graph->ops[finding.producer->op].instruction].desc->mnemonic
                         : "an operation");
    return formatv("{0} may be what another wave waits for in a loop, which then looks at what {1} is still writing",
                   instruction.desc->mnemonic,
                   finding.producer
                       ? program.instructions()[verified.graph->ops[finding.producer->op].instruction].desc->mnemonic
                       : "an operation");
  case Cause::Order:
    return formatv("{0} comes before what the program has it wait for is done", instruction.desc->mnemonic);
  }
  return "";
}

/// What meets the access may come after another barrier of the code alone.
static bool mayBeOfPartner(const Graph &graph, const Finding &finding) {
  return !finding.isCertain && graph.partners() &&
         is_contained(graph.partners()->accessesAfter(finding.need.op), finding.conflict);
}

/// What would have to be known to tell the LDS bytes apart.
static std::string missingFact(const Graph &graph, const Finding &finding) {
  if (finding.isCertain || finding.mayBeNoPath || finding.mayBeLastTurn || finding.mayBeSkipped ||
      finding.need.cause == Cause::Register || finding.need.cause == Cause::Publication || !finding.producer ||
      !graph.lds)
    return "";
  if (finding.mayBeOfOneWave)
    return "that other waves come to them isn't known";
  const uint32_t user = finding.need.cause == Cause::Late ? finding.conflict : finding.need.op;
  return graph.lds->missingFact(graph.ops[finding.producer->op].region, graph.ops[user].region);
}

/// What would be right. Which value is meant where something is overwritten too early the program doesn't say; the hint
/// claims no more than what is known.
static std::string hintOf(const Program &program, const Graph &graph, const Finding &finding) {
  std::string wait =
      graph.counters->encoding.text({WaitCounts::of(finding.counter, WaitCount(finding.required)), {}}) + " before it";
  if (finding.need.about == About::Release && finding.producer && graph.ops[finding.producer->op].isStore &&
      graph.counters->counts(Kind::WriteBack))
    wait += (graph.counters->encoding.isSplit() ? ", after global_wb" : ", after buffer_wbl2") +
            std::string(" if who waits for it has another L2 cache");
  const Readings readings = readingsOf(program, graph, finding);
  if (readings.reading == Reading::New)
    return wait;
  const StringRef producer = program.instructions()[graph.ops[finding.producer->op].instruction].desc->mnemonic;
  if (finding.need.cause == Cause::Late && !readings.isOverwritten)
    return wait + formatv(" if the waves after it mean what {0} writes; else that comes too early", producer).str();
  if (readings.isOverwritten)
    return wait + formatv(", or this before {0} is issued if its result is to stay", producer).str();
  if (readings.reading == Reading::Either)
    return wait + formatv(" if the result is meant; else {0} after it, as it comes too early", producer).str();
  return formatv("{0} seems to be issued too early: nothing but this reads what was there before; move it after this, "
                 "or {1} if its result is meant",
                 producer, wait);
}

/// How control leaves a block for another that doesn't follow it.
static const char *jumpText(const Program &program, const GraphBlock &from, bool isBack) {
  if (program.instructions()[program.blocks()[from.origin].end - 1].desc->isCall)
    return "over this call";
  if (program.blocks()[from.origin].ending == BlockEnd::Return)
    return "over this return";
  return isBack ? "over the loop's back edge" : "over this jump";
}

ReportItem describeFinding(const Program &program, const Verified &verified, const Finding &finding) {
  ReportItem item;
  item.rule = ruleOf(program, *verified.graph, finding);
  item.message = subject(program, verified, finding);
  const bool isLate = StringRef(item.rule).starts_with("counts-on");
  if (isLate && finding.isHidden)
    item.message += finding.producer->age < finding.latency
                        ? "; that what is between, or the latency of what overwrites them, takes longer is no guarantee"
                        : formatv("; that it mostly has behind {0} later operations of its kind, of which there are "
                                  "about {1} in flight at most, is no guarantee",
                                  finding.producer->age, finding.latency)
                              .str();
  else if (isLate)
    item.message +=
        formatv("; that it mostly has, about {0} cycles later, {1:f1} times its latency of about {2}, is no guarantee",
                finding.covered, finding.margin(), finding.latency);
  item.place = placeOf(program, finding.instruction);
  item.hint = hintOf(program, *verified.graph, finding);
  if (const std::string fact = missingFact(*verified.graph, finding); !fact.empty())
    item.message += "; they can't be told apart: " + fact;
  if (finding.hasTooManyPaths)
    item.message += "; whether control can come there isn't known: there are too many paths";
  else if (finding.mayBeNoPath)
    item.message += "; if control can come there, as this path's branches contradict each other";
  else if (finding.mayBeLastTurn)
    item.message +=
        "; if a wave without active lanes comes round the loop again: it may have none in the last turn alone";
  else if (finding.mayBeSkipped)
    item.message += verified.graph->hasUnchecked ? "; if instructions between aren't counted of which that isn't sure"
                                                 : "; if vector instructions are skipped that s_setvskip may skip";
  else if (finding.isBeyondCounter)
    item.message += "; if more operations are issued than the counter can count, as LLVM takes it to be: on gfx9 they "
                    "aren't";
  else if (finding.isOfOtherHalf)
    item.message += (*verified.graph->counters)[finding.counter].isOfAlu
                        ? "; if what it does to one half of the register it does to the other"
                        : "; if a load of one half of a register touches the other, as LLVM alone has it "
                          "(llvm/llvm-project 157795)";
  else if (finding.isBeforeSwitch && !finding.isCertain)
    item.message += "; if what was in flight isn't done when SCHED_MODE is set between, as LLVM and Tensile take it to "
                    "be";
  else if (finding.isOneOrderEnough)
    item.message += (*verified.graph->counters)[finding.counter].isOfAlu
                        ? "; if pipes overtake each other, as LLVM and StinkyTofu say: else a wait between is enough"
                        : "; if images of one kind overtake each other, which LLVM and Mesa take them not to";
  else if (finding.isTranslatedBetween)
    item.message += "; if registers may be read after their addresses are translated, which rocJITsu takes not to be";
  else if (finding.isBarrierEnough)
    item.message += "; if the barrier's wait between isn't enough, as it is for LLVM alone";
  else if (verified.graph->ops[finding.need.op].isMoved && !finding.isCertain)
    item.message += "; if the index leads there";
  else if ((*verified.graph->counters)[finding.counter].isOfAlu && !finding.isCertain)
    item.message += "; if the scheduling mode is one in which the hardware doesn't look";
  else if ((*verified.graph->counters)[finding.counter].isOfSources &&
           !(*verified.graph->counters)[finding.counter].isOfAlu)
    item.message += "; if the memory's addresses have to be translated again (XNACK)";
  else if (!finding.isCertain && finding.producer)
    item.hint += ", or '; inflight: noalias' after the access if the bytes are others";
  const Graph &graph = *verified.graph;
  if (finding.producer) {
    const Producer &producer = *finding.producer;
    std::string message = "issued here";
    if (producer.age)
      message += formatv("; {0} later operation{1} of its kind", producer.age, producer.age == 1 ? "" : "s");
    item.related.push_back({message, placeOf(program, graph.ops[producer.op].instruction)});
    // The jumps of the path.
    for (size_t i = 0; i + 1 < producer.path.size(); ++i) {
      const GraphBlock &from = graph.blocks[producer.path[i]], &to = graph.blocks[producer.path[i + 1]];
      if (from.begin == from.end || to.begin == to.end)
        continue;
      const uint32_t last = graph.ops[from.end - 1].instruction, first = graph.ops[to.begin].instruction;
      if (first == last + 1)
        continue;
      item.related.push_back({jumpText(program, from, first <= last), placeOf(program, last)});
    }
  }
  if (const Readings readings = readingsOf(program, graph, finding); readings.reading == Reading::OldRather)
    item.related.push_back(
        {"loads what was there before", placeOf(program, graph.ops[readings.oldDefinition].instruction)});
  if (finding.need.cause == Cause::Late)
    item.related.push_back(
        {partnerOf(graph, finding)        ? "used here by waves that are at another barrier of the code meanwhile"
         : mayBeOfPartner(graph, finding) ? "used here by waves that may be at another barrier of the code meanwhile"
                                          : "used here after the barrier",
         placeOf(program, graph.ops[finding.conflict].instruction)});
  item.facts.push_back({"counter", (*graph.counters)[finding.counter].name});
  if (isLate && !finding.isHidden) {
    item.facts.push_back({"issued", std::to_string(finding.covered)});
    item.facts.push_back({"latency", std::to_string(finding.latency)});
    item.facts.push_back({"margin", formatv("{0:f2}", finding.margin())});
  }
  return item;
}

} // namespace inflight::waits
