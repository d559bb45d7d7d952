// Mnemonics and counters as they are typed.
#include "lsp/Answers.h"

#include "isa/instr/MnemonicPatterns.h"
#include "isa/instr/OperationText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;
using llvm::lsp::CompletionItem;
using llvm::lsp::CompletionItemKind;

namespace inflight::lsp {

/// What stands after the labels of a line's begin; nothing in a comment.
static std::optional<StringRef> statementOf(StringRef line) {
  if (line.contains(';') || line.contains("//"))
    return std::nullopt;
  return line.substr(line.rfind(':') + 1).ltrim();
}

/// A wait's operands for 0, of each counter that it alone waits for: "vmcnt(0)", "0x0", "depctr_va_vdst(0)".
static void addCounts(std::vector<CompletionItem> &items, const Isa &isa, Mnemonic wait) {
  const CounterTable &table = isa.counters().withAlu ? *isa.counters().withAlu : isa.counters();
  for (Counter counter : table.all()) {
    if (table.firstOf(counter) != counter)
      continue;
    WaitOperands operands;
    operands.counts[counter] = WaitCount(0);
    const auto instructions = table.encoding.instructions(operands);
    if (instructions.size() != 1 || instructions.front().mnemonic != wait)
      continue;
    CompletionItem item(StringRef(table.encoding.text(instructions.front())).split(' ').second.str(),
                        CompletionItemKind::Value);
    item.detail = counterText(table[counter].name).str();
    items.push_back(std::move(item));
  }
}

std::vector<CompletionItem> completions(const Analysis &analysis, llvm::lsp::Position position) {
  std::vector<CompletionItem> items;
  const Isa *isa = analysis.isa();
  if (!isa)
    return items;
  const StringRef text = analysis.text().str().take_front(analysis.text().offsetOf(position));
  const std::optional<StringRef> statement = statementOf(text.substr(text.rfind('\n') + 1));
  if (!statement)
    return items;
  const auto [word, operands] = statement->split(' ');
  if (word.size() == statement->size()) { // the mnemonic itself
    for (const std::string &name : isa->mnemonics())
      if (StringRef(name).starts_with(word)) {
        CompletionItem item(name, CompletionItemKind::Keyword);
        item.detail = operationText(name).str();
        items.push_back(std::move(item));
      }
    return items;
  }
  const ArrayRef<const InstrDesc *> encodings = isa->findMnemonic(withoutEncoding(word));
  const StringRef last = operands.substr(operands.find_last_of(" \t&") + 1);
  if (!encodings.empty() && (encodings.front()->isWaitcnt || encodings.front()->isAluWait) && !last.contains('('))
    addCounts(items, *isa, encodings.front()->id);
  return items;
}

} // namespace inflight::lsp
