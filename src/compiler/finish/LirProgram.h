// Allocated LIR as a Program, for the analyses that the command runs on anybody's code.
#pragma once

#include "compiler/lir/Lir.h"
#include "program/Program.h"

namespace inflight::lir {

class LirProgram final : public Program {
public:
  /// `function` has to outlive it and to stay as it is. Fails if an instruction has no encoding.
  static llvm::Expected<LirProgram> make(const Function &function LLVM_LIFETIME_BOUND);

  /// Whether an instruction of LIR is one of the program: all but what only the compiler's passes look at. A fence is
  /// an s_waitcnt that doesn't wait yet.
  static bool holds(const Inst &inst) { return inst.desc || inst.isFence(); }
  /// What instruction `index` of the program is in LIR.
  const Inst &lirInst(uint32_t index) const { return *lirInsts[index]; }

  std::string text(uint32_t index) const override;
  SourceLocation location(uint32_t index) const override;
  std::string comments(uint32_t) const override { return ""; }
  llvm::ArrayRef<std::pair<unsigned, std::string>> assertions() const LLVM_LIFETIME_BOUND override { return {}; }

private:
  explicit LirProgram(const Function &function LLVM_LIFETIME_BOUND) : function(&function) {}
  llvm::Error addInstructions();
  void addTuple(Instruction &instruction, const Inst &inst);
  void addEdges();

  const Function *function;
  std::vector<const Inst *> lirInsts; ///< by instruction
  std::vector<uint32_t> blockNumbers; ///< by LIR's block: the program's that it is; of an empty one the next
};

} // namespace inflight::lir
