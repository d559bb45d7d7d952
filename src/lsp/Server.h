// A language server for assembly and, by way of their code objects, sources: the protocol is LLVM's (llvm/Support/LSP).
#pragma once

#include "lsp/SourceCheck.h"
#include <cstdio>

namespace llvm {
class raw_ostream;
}

namespace inflight::lsp {

/// Serves a client until it says "exit" or the input ends. The chip of `tools` is that of texts that don't say theirs;
/// it may be empty. Whether the client has asked to shut down before.
bool serve(std::FILE *in, llvm::raw_ostream &out, SourceTools tools);

} // namespace inflight::lsp
