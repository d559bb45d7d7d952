// Which kernel of one build stands for which of another.
#pragma once

#include "lint/KernelFigures.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"

namespace inflight::lint {

/// Null: there is none.
struct KernelPair {
  const KernelFigures *before = nullptr, *after = nullptr;
};

enum class KernelMatch {
  Name,    ///< equal names, of one chip
  Similar, ///< else equal names of two chips, else the most similar ones
};

struct KernelPairs {
  std::vector<KernelPair> pairs; ///< as `after` has them, then those of `before` alone
  bool areTooMany = false;       ///< for similarity
};

/// `given`: names, before and after, which are paired whatever they are; an error if there is no such kernel.
llvm::Expected<KernelPairs> pairKernels(llvm::ArrayRef<KernelFigures> before, llvm::ArrayRef<KernelFigures> after,
                                        KernelMatch match, llvm::ArrayRef<std::pair<std::string, std::string>> given);

} // namespace inflight::lint
