// Sources of kernels, MLIR, LLVM IR and HIP, by way of their code object: what the compiler says, and which waits are
// missing at which line.
#pragma once

#include "support/report/Report.h"

namespace inflight::lsp {

/// Programs that compile, and for which chip.
struct SourceTools {
  std::string inflight, hipcc; ///< hipcc empty: none is there
  std::string chip;
};

enum class SourceKind : uint8_t { None, Mlir, LlvmIr, Hip };
/// By the editor's name of the language, or by the file's.
SourceKind sourceKind(llvm::StringRef language, llvm::StringRef uri);

struct SourceCheck {
  std::string text;
  std::vector<ReportItem> items;
  std::vector<std::pair<unsigned, std::string>> hints; ///< by line, counted from 1: what its waits cost
};

/// `folder`: where HIP's includes are looked up, besides. Compilers have a minute, and 8 GiB.
SourceCheck checkSource(SourceKind kind, std::string text, llvm::StringRef folder, const SourceTools &tools);

} // namespace inflight::lsp
