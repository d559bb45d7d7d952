// Programs with edits, written back: as text or as code objects.
#pragma once

#include "program/Edit.h"

namespace inflight {

/// The source with the edits, everything else byte for byte. A removed instruction's line goes with it unless a label
/// or comment stands on it. An error names the line when the instruction comes from a macro.
llvm::Expected<std::string> editAssembly(const Program &program, llvm::StringRef source, llvm::ArrayRef<Edit> edits);

/// The code object with the edits: in place where the function's padding allows, else with its segments moved; branch
/// targets, PC-relative addresses, symbols, descriptors, notes and the debug line table follow. The result is checked
/// by reading it again.
llvm::Expected<std::string> editCodeObject(const Program &program, llvm::StringRef bytes, llvm::ArrayRef<Edit> edits);

} // namespace inflight
