#include "lsp/Answers.h"

#include "explain/Explain.h"
#include "hazards/Verify.h"
#include "isa/instr/MnemonicPatterns.h"
#include "lint/text/Verdict.h"
#include "rewrite/Rewrite.h"
#include "waits/flow/InFlight.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;
using llvm::lsp::Hover;
using llvm::lsp::InlayHint;
using llvm::lsp::InlayHintKind;
using llvm::lsp::Position;
using llvm::lsp::Range;

namespace inflight::lsp {

static std::vector<uint32_t> instructionsOnLines(const Analysis &analysis, int first, int last) {
  return analysis.program() ? analysis.instructionsOn(unsigned(std::max(first, 0)) + 1, unsigned(std::max(last, 0)) + 1)
                            : std::vector<uint32_t>();
}

/// "vmcnt 3 · lgkmcnt 1"; empty when nothing is in flight.
static std::string outstandingText(const waits::Graph &graph, const waits::Outstanding &outstanding) {
  std::string text;
  for (Counter counter : graph.counters->all()) {
    if (!outstanding.isPending[counter] || (*graph.counters)[counter].isOfAlu)
      continue;
    const unsigned count = outstanding.inOrder[counter];
    text += (text.empty() ? "" : " · ") + (*graph.counters)[counter].name + " " +
            (count ? std::to_string(count) : "in no order");
  }
  return text;
}

/// "weakest: vmcnt(3)", of a wait that is stricter.
static std::string weakestText(const Analysis &analysis, uint32_t instruction) {
  const std::optional<WaitOperands> weakest = analysis.weakest(instruction);
  if (!weakest)
    return "";
  const std::string counts = analysis.waitGraph().counters->text(weakest->counts);
  return counts.empty() ? "not needed" : "weakest: " + counts;
}

std::vector<InlayHint> hints(const Analysis &analysis, int first, int last) {
  std::vector<InlayHint> result;
  std::string shown;
  unsigned lastLine = 0;
  for (uint32_t i : instructionsOnLines(analysis, first, last)) {
    const Analysis::OpPlace place = analysis.opOf(i);
    if (place.op == ~0u || analysis.lineOf(i) == lastLine) // the first of a macro's
      continue;
    lastLine = analysis.lineOf(i);
    std::string text = outstandingText(analysis.graph(), analysis.outstanding()[place.op]);
    std::string label = text == shown ? "" : text.empty() ? "nothing in flight" : text;
    shown = std::move(text);
    if (analysis.graph().ops[place.op].isWait)
      if (const std::string weakest = weakestText(analysis, i); !weakest.empty())
        label += (label.empty() ? "" : " · ") + weakest;
    if (label.empty())
      continue;
    InlayHint hint(InlayHintKind::Type, analysis.text().statementAt(analysis.program()->location(i)).end);
    hint.label = label;
    hint.paddingLeft = true;
    result.push_back(std::move(hint));
  }
  return result;
}

/// A line for each group of operations that a counter counts, as `instruction` sees them.
static std::string operationsText(const Analysis &analysis, const waits::Graph &graph, Counter counter,
                                  uint32_t instruction, ArrayRef<waits::InFlight> operations) {
  std::string text;
  for (const lint::OperationGroup &group : lint::groupOperations(*analysis.program(), graph, operations, instruction))
    text += formatv("- {0}: `{1}`, line {2}\n", (*graph.counters)[counter].name, lint::groupText(group),
                    analysis.lineOf(group.first))
                .str();
  return text;
}

/// The operations in flight before an instruction, by counter.
static std::string queuesText(const Analysis &analysis, uint32_t instruction) {
  const Analysis::OpPlace place = analysis.opOf(instruction);
  if (place.op == ~0u)
    return "\nNothing that is known leads here.\n";
  const waits::Graph &graph = analysis.graph();
  std::string text;
  for (Counter counter : graph.counters->all()) {
    if (!analysis.outstanding()[place.op].isPending[counter])
      continue;
    text += operationsText(analysis, graph, counter, instruction,
                           waits::inFlightBefore(graph, analysis.outstanding(), place.block, place.op, counter));
  }
  return text.empty() ? "\nNothing is in flight before it.\n" : "\nIn flight before it, oldest first:\n" + text;
}

/// Where the hardware looks at VGPRs, waits for them aren't looked at.
static bool isWait(const Analysis &analysis, const InstrDesc &desc) {
  return desc.isWaitcnt || (desc.isAluWait && analysis.graph().hasUnchecked);
}

/// What a wait waits for, and how weak it could be.
static std::string waitText(const Analysis &analysis, uint32_t instruction) {
  const waits::WaitReport *report = analysis.waitReport(instruction);
  if (!report)
    return "";
  const waits::Graph &graph = analysis.waitGraph();
  std::string text;
  for (const waits::CountReport &count : report->counts)
    text += operationsText(analysis, graph, count.counter, instruction, count.waitsFor);
  const std::string weakest = weakestText(analysis, instruction);
  return "\n" + (text.empty() ? "Waits for nothing.\n" : "Waits for:\n" + text) + "\n" +
         (weakest.empty() ? "Needed as it is." : weakest) + "\n";
}

/// Of the mnemonic under the position, without a program.
static std::optional<Hover> hoverOfWord(const Analysis &analysis, Position position) {
  const auto [begin, word] = analysis.text().wordAt(analysis.text().offsetOf(position));
  const Isa *isa = word.empty() ? nullptr : analysis.isa();
  const ArrayRef<const InstrDesc *> encodings =
      isa ? isa->findMnemonic(withoutEncoding(word)) : ArrayRef<const InstrDesc *>();
  if (encodings.empty())
    return std::nullopt;
  Hover result({analysis.text().positionOf(begin), analysis.text().positionOf(begin + word.size())});
  result.contents.value = explain::instructionText(*isa, *encodings.front());
  return result;
}

std::optional<Hover> hover(const Analysis &analysis, Position position) {
  if (!analysis.program())
    return hoverOfWord(analysis, position);
  const std::optional<uint32_t> instruction = analysis.instructionAt(position);
  if (!instruction)
    return std::nullopt;
  const Program &program = *analysis.program();
  const InstrDesc &desc = *program.instructions()[*instruction].desc;
  Hover result(analysis.text().statementAt(program.location(*instruction)));
  result.contents.value =
      explain::instructionText(program.isa(), desc) +
      (isWait(analysis, desc) ? waitText(analysis, *instruction) : queuesText(analysis, *instruction));
  return result;
}

/// The document's change that these edits make: what lies between the first and the last difference.
static std::optional<llvm::lsp::TextEdit> changeOf(const Analysis &analysis, ArrayRef<Edit> edits) {
  const StringRef before = analysis.text().str();
  Expected<std::string> after = editAssembly(*analysis.program(), before, edits);
  if (!after) { // an instruction of a macro
    consumeError(after.takeError());
    return std::nullopt;
  }
  const size_t shorter = std::min(before.size(), after->size());
  size_t front = 0, back = 0;
  while (front < shorter && before[front] == (*after)[front])
    ++front;
  // Not within a character.
  while (front && (uint8_t(before[front]) & 0xc0) == 0x80)
    --front;
  while (back < shorter - front && before[before.size() - back - 1] == (*after)[after->size() - back - 1])
    ++back;
  while (back && (uint8_t(before[before.size() - back]) & 0xc0) == 0x80)
    --back;
  llvm::lsp::TextEdit edit;
  edit.range = {analysis.text().positionOf(front), analysis.text().positionOf(before.size() - back)};
  edit.newText = after->substr(front, after->size() - back - front);
  return edit;
}

static void addFix(std::vector<Fix> &fixes, const Analysis &analysis, const Twine &title, StringRef rule,
                   ArrayRef<Edit> edits) {
  if (std::optional<llvm::lsp::TextEdit> edit = changeOf(analysis, edits))
    fixes.push_back({title.str(), rule.str(), std::move(*edit)});
}

static void addWaitFix(std::vector<Fix> &fixes, const Analysis &analysis, const ReportItem &item) {
  const waits::Finding &finding = analysis.verified().findings[*item.number];
  if (!finding.producer)
    return;
  WaitOperands wait;
  wait.counts[finding.counter] = WaitCount(finding.required);
  const Edit edit = Edit::ofWait(finding.instruction, Edit::Action::InsertBefore, wait);
  addFix(fixes, analysis, "Insert " + editText(edit, analysis.program()->isa()), item.rule, edit);
}

/// As many s_nop as it takes.
static std::vector<Edit> nopEdits(uint32_t before, unsigned states) {
  std::vector<Edit> edits;
  for (; states; states -= std::min(states, maximumNop)) {
    Edit edit;
    edit.at = before;
    edit.what = Edit::What::Nop;
    edit.immediate = uint16_t(std::min(states, maximumNop) - 1);
    edits.push_back(edit);
  }
  return edits;
}

std::vector<Fix> fixes(const Analysis &analysis, int first, int last) {
  std::vector<Fix> result;
  const std::vector<uint32_t> here = instructionsOnLines(analysis, first, last);
  if (here.empty())
    return result;
  bool hasStates = false;
  for (const ReportItem &item : analysis.items()) {
    const int line = int(item.place.source.line) - 1;
    if (line < first || line > last)
      continue;
    if (item.number)
      addWaitFix(result, analysis, item);
    hasStates |= !item.number;
  }
  if (hasStates)
    for (const hazards::Finding &finding : hazards::verify(*analysis.program()).findings)
      if (is_contained(here, finding.instruction) && finding.gravity == hazards::Gravity::Error)
        addFix(result, analysis, "Insert " + hazards::nopText(finding.missing), "missing-wait-states",
               nopEdits(finding.instruction, finding.missing));
  for (uint32_t i : here) {
    const std::optional<WaitOperands> weakest =
        analysis.program()->instructions()[i].desc->isWaitcnt ? analysis.weakest(i) : std::nullopt;
    if (!weakest)
      continue;
    const bool isGone = *weakest == WaitOperands();
    const Edit edit = Edit::ofWait(i, isGone ? Edit::Action::Remove : Edit::Action::Replace, *weakest);
    addFix(result, analysis,
           isGone ? Twine("Remove the wait") : "Weaken to " + editText(edit, analysis.program()->isa()), "", edit);
  }
  return result;
}

} // namespace inflight::lsp
