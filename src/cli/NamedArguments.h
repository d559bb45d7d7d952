// Arguments of launches by the names that the kernel's metadata has, and files of launches.
#pragma once

#include "cli/CommandLine.h"
#include "object/CodeObject.h"
#include "llvm/Support/JSON.h"

namespace inflight::cli {

/// The texts of --arg in the order in which the kernel takes them. NAME=SPEC, where all are so: SPEC may be a number
/// alone, and padding that nobody names is 0.
llvm::Expected<std::vector<std::string>> orderArguments(const Kernel &kernel, llvm::ArrayRef<std::string> given);

/// What `inflight info --launch` writes, for somebody to fill in.
llvm::json::Object launchTemplate(const Kernel &kernel);

/// The options with what the file of --launch says besides; what was given on the command line stays.
llvm::Expected<Arguments> withLaunchFile(const Arguments &arguments);

} // namespace inflight::cli
