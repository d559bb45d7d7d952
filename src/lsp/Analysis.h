// What is known of one version of an assembly file.
#pragma once

#include "lsp/DocumentText.h"
#include "program/Program.h"
#include "support/report/Report.h"
#include "waits/Verify.h"
#include "waits/WaitReport.h"
#include "waits/flow/Outstanding.h"
#include <map>

namespace inflight::lsp {

/// Larger texts aren't analysed: an analysis takes some 70 times as much.
inline constexpr size_t mostBytes = size_t(16) << 20;

/// Used by one thread at a time: parts are made when they are first asked for.
class Analysis {
public:
  /// `chip`: of a text that doesn't say it.
  Analysis(std::string text, llvm::StringRef chip);

  const DocumentText &text() const { return theText; }
  /// Null: the text can't be assembled.
  const Program *program() const { return theProgram.get(); }
  /// Null: neither the text nor who asks says the chip.
  const Isa *isa() const;
  /// The assembler's errors, or findings of waits and wait states.
  llvm::ArrayRef<ReportItem> items() const LLVM_LIFETIME_BOUND { return theItems; }
  const waits::Verified &verified() const { return theVerified; }
  const waits::Graph &graph() const { return *theVerified.graph; }

  /// Instructions on lines [first, last], counted from 1.
  std::vector<uint32_t> instructionsOn(unsigned first, unsigned last) const;
  unsigned lineOf(uint32_t instruction) const { return lines[instruction]; }
  /// The instruction whose statement is at the place, or that begins its line; none elsewhere.
  std::optional<uint32_t> instructionAt(llvm::lsp::Position position) const;

  struct OpPlace {
    uint32_t block = 0, op = ~0u; ///< of the graph; ~0: nothing leads to it
  };
  OpPlace opOf(uint32_t instruction) const;
  /// What may be in flight before each op.
  llvm::ArrayRef<waits::Outstanding> outstanding() const LLVM_LIFETIME_BOUND;
  /// What a wait waits for; null when control doesn't come to it. In terms of waitGraph().
  const waits::WaitReport *waitReport(uint32_t instruction) const;
  /// A wait with each counter at its weakest value, with which verify() finds nothing; none when it is as weak as it
  /// may be, or when what it is for isn't known, or a wait is missing anywhere.
  std::optional<WaitOperands> weakest(uint32_t wait) const;
  /// The program's, with the bytes of LDS told apart: another one than graph(), which is there without that.
  const waits::Graph &waitGraph() const;

private:
  void read();
  std::optional<WaitOperands> findWeakest(uint32_t wait) const;
  void analyse();
  void addAssemblerErrors(llvm::StringRef messages);
  void tell(const llvm::Twine &message);

  DocumentText theText;
  std::string chip; ///< of the text, or else as asked for
  std::unique_ptr<Program> theProgram;
  std::vector<ReportItem> theItems;
  waits::Verified theVerified;
  std::vector<unsigned> lines;           ///< by instruction
  std::vector<uint32_t> byLine;          ///< instructions
  mutable std::vector<OpPlace> opPlaces; ///< by instruction
  mutable std::vector<waits::Outstanding> theOutstanding;
  mutable std::shared_ptr<waits::Graph> theWaitGraph;
  mutable std::vector<waits::Outstanding> waitOutstanding;                  ///< of the same
  mutable std::multimap<uint32_t, OpPlace> waitPlaces;                      ///< by instruction
  mutable std::map<uint32_t, std::optional<waits::WaitReport>> waitReports; ///< by instruction; none: not reached
  mutable std::map<uint32_t, std::optional<WaitOperands>> weakests;         ///< by instruction
};

} // namespace inflight::lsp
