// What a rule means: data/rules/RULE.md, with an example that breaks it and one that doesn't.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <string>

namespace inflight {

struct RulePage {
  llvm::StringRef rule, title;
  llvm::StringRef text;         ///< why it matters and what to do
  llvm::StringRef wrong, right; ///< instructions of a kernel
  llvm::StringRef markdown;     ///< the whole page
};

/// By rule's name.
llvm::ArrayRef<RulePage> rulePages();
/// Null for a rule without a page.
const RulePage *rulePage(llvm::StringRef rule);

/// The address of a rule's page on the documentation site; empty without a page, or where no site is known: neither
/// $INFLIGHT_SITE nor the build (CMake's INFLIGHT_SITE) says one.
std::string ruleLink(llvm::StringRef rule);

/// A whole kernel around a page's instructions: two buffers, LDS, a workgroup of two waves.
std::string exampleKernel(llvm::StringRef instructions);

} // namespace inflight
