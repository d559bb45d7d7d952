// What LLVM's assembler doesn't guard against when it lays out sections.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

namespace llvm {
class MCAssembler;
}

namespace inflight {

/// An error when a section is larger or aligned further than can be meant, or when code is to be aligned with s_nop
/// from an offset that whole instructions can't reach: LLVM 22 then adds alignments for ever. Only the subsection that
/// each section was left in is looked at.
llvm::Error checkLayout(llvm::MCAssembler &assembler, llvm::StringRef name);

} // namespace inflight
