// Where instructions come from in the source, as DWARF: LLVM's assembler makes the line table, of `.file` and `.loc`,
// and the little that a debugger needs to find it is written as directives too (DebugUnit.cpp).
#pragma once

#include "compiler/lir/Lir.h"
#include "llvm/MC/MCStreamer.h"
#include <map>
#include <optional>

namespace inflight::lir {

/// The file that was compiled.
struct SourceFile {
  llvm::StringRef name, text;
};

class DebugInfo {
public:
  /// Describes all kernels of an object.
  DebugInfo(llvm::ArrayRef<const Function *> functions LLVM_LIFETIME_BOUND, SourceFile input);

  /// A `.loc` directive's numbers; line 0 stands for code of no line.
  struct Line {
    unsigned file = 0, line = 0, column = 0;
    bool operator==(const Line &) const = default;
  };
  /// What begins before an instruction.
  struct Begin {
    std::optional<Line> line;
    std::string label; ///< of a run (CallRuns); empty: none
  };
  class Lines;

  /// The `.file` directives, which come before the code.
  void emitFiles(llvm::raw_ostream &os) const;
  /// A compile unit with a subprogram for each kernel, which has the calls that were inlined. The kernel's code is from
  /// its symbol to the one of endOf().
  void emitUnit(llvm::raw_ostream &os) const;

  Line lineOf(const Function &function, Place place) const;
  llvm::ArrayRef<const Function *> kernels() const { return functions; }
  llvm::StringRef inputName() const LLVM_LIFETIME_BOUND { return files[0]; }
  llvm::StringRef workingFolder() const LLVM_LIFETIME_BOUND { return folder; }

private:
  llvm::ArrayRef<const Function *> functions;
  llvm::StringRef text; ///< the input's
  std::string folder;
  std::vector<std::string> files;          ///< by number; 0: the input
  std::map<std::string, unsigned> numbers; ///< of files, as places name them
};

/// Runs of instructions that come from one inlined call, or from none, in the order of the code. Only functions with
/// such calls have any.
class CallRuns {
public:
  explicit CallRuns(const Function &function LLVM_LIFETIME_BOUND) : function(function) {}
  /// The instruction that comes next; whether a run begins.
  bool begins(const Inst &inst);
  unsigned call() const { return *last; }
  unsigned count() const { return runs; }
  /// Where a run, by number, begins.
  static std::string labelOf(const Function &function, unsigned run);

private:
  const Function &function;
  std::optional<unsigned> last;
  unsigned runs = 0;
};

/// Which of a kernel's instructions begin something else. An instruction without a place belongs to the line before it,
/// unless a block begins: what ran before that isn't what stands before it.
class DebugInfo::Lines {
public:
  Lines(const DebugInfo &info LLVM_LIFETIME_BOUND, const Function &function LLVM_LIFETIME_BOUND)
      : info(info), function(function), runs(function) {}
  Begin at(const Inst &inst, bool beginsBlock);

private:
  const DebugInfo &info;
  const Function &function;
  std::optional<Line> last;
  CallRuns runs;
};

void emitBegin(const DebugInfo::Begin &begin, llvm::raw_ostream &os);
void emitBegin(const DebugInfo::Begin &begin, llvm::MCStreamer &streamer);
/// The name of the symbol after a kernel's code.
std::string endOf(const Function &function);
/// A string as the assembler reads it and DWARF holds it.
std::string quotedText(llvm::StringRef text);

} // namespace inflight::lir
