// A language server for assembly: the protocol is LLVM's (llvm/Support/LSP).
#pragma once

#include "llvm/ADT/StringRef.h"
#include <cstdio>

namespace llvm {
class raw_ostream;
}

namespace inflight::lsp {

/// Serves a client until it says "exit" or the input ends. `chip`: of texts that don't say theirs; may be empty.
/// Whether the client has asked to shut down before.
bool serve(std::FILE *in, llvm::raw_ostream &out, llvm::StringRef chip);

} // namespace inflight::lsp
