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

/// The assembly file for `functions` (all of one chip), as `inflight asm` reads it. With `debugged` it says where in
/// the source the instructions come from.
std::string emitAssembly(llvm::ArrayRef<const Function *> functions, std::optional<SourceFile> debugged = {});

/// The relocatable object that this file would assemble to, without going through its text.
llvm::Expected<std::string> emitObject(llvm::ArrayRef<const Function *> functions, llvm::StringRef name,
                                       std::optional<SourceFile> debugged = {});

/// The code of one kernel alone: labels and instructions, and lines if `info` is given.
std::string emitBody(const Function &function, const DebugInfo *info = nullptr);

} // namespace inflight::lir
