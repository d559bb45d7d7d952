// Allocated LIR to a complete assembly file, or object: code, kernel descriptor and metadata.
#pragma once

#include "compiler/emit/DebugInfo.h"
#include "llvm/Support/Error.h"
#include <string>

namespace inflight::lir {

/// The counts of an allocated kernel that both its descriptor and its metadata state.
struct KernelCounts {
  unsigned accumOffset; ///< the first AGPR within the wave's vector registers
  unsigned vgprs;       ///< architectural and accumulation registers together, with the gap between them
  unsigned agprs;
  unsigned sgprs; ///< without reserved ones
  unsigned sgprsWithReserved;
};
KernelCounts countsOf(const Function &function);

/// What the kernel takes, how many of its workgroups a compute unit holds, and what it would have to shed for one more.
void remarkOnOccupancy(Function &function);

/// The assembly file for `functions`, which may be none, as `inflight asm` reads it. `data`: directives for the data
/// that they use. With `debugged` it says where in the source the instructions come from.
std::string emitAssembly(const Isa &isa, llvm::ArrayRef<const Function *> functions,
                         std::optional<SourceFile> debugged = {}, llvm::StringRef data = {});

/// The relocatable object that this file would assemble to, without going through its text.
llvm::Expected<std::string> emitObject(const Isa &isa, llvm::ArrayRef<const Function *> functions, llvm::StringRef name,
                                       std::optional<SourceFile> debugged = {}, llvm::StringRef data = {});

/// The code of one kernel alone: labels and instructions, and lines if `info` is given.
std::string emitBody(const Function &function, const DebugInfo *info = nullptr);

} // namespace inflight::lir
