// Where instructions come from in the source, as DWARF: LLVM's assembler makes the line table, of `.file` and `.loc`,
// and the little that a debugger needs to find it is written as directives too.
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
  /// Of all kernels of an object.
  DebugInfo(llvm::ArrayRef<const Function *> functions, SourceFile input);

  /// A `.loc` directive's numbers; line 0 stands for code of no line.
  struct Line {
    unsigned file = 0, line = 0, column = 0;
    bool operator==(const Line &) const = default;
  };
  /// Which of a kernel's instructions begin another line. An instruction without a place belongs to the line before it,
  /// unless a block begins: what ran before that isn't what stands before it.
  class Lines {
  public:
    Lines(const DebugInfo &info, const Function &function) : info(info), function(function) {}
    std::optional<Line> at(const Inst &inst, bool beginsBlock);

  private:
    const DebugInfo &info;
    const Function &function;
    std::optional<Line> last;
  };

  /// The `.file` directives, which come before the code.
  void emitFiles(llvm::raw_ostream &os) const;
  /// A compile unit with a subprogram for each kernel. The kernel's code is from its symbol to the one of endOf().
  void emitUnit(llvm::raw_ostream &os) const;

private:
  Line lineOf(const Function &function, Place place) const;

  llvm::ArrayRef<const Function *> functions;
  SourceFile input;
  std::vector<std::string> files;          ///< by number; 0: the input
  std::map<std::string, unsigned> numbers; ///< of files
};

void emitLine(const DebugInfo::Line &line, llvm::raw_ostream &os);
void emitLine(const DebugInfo::Line &line, llvm::MCStreamer &streamer);
/// The name of the symbol after a kernel's code.
std::string endOf(const Function &function);

} // namespace inflight::lir
