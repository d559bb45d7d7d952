// Nothing that a command reads or writes is lost: an output isn't an input, nor another output.
#pragma once

#include "cli/CommandLine.h"

namespace inflight::cli {

/// An error if two outputs of the command line are one file, or an output and an input: by the file, not by the name,
/// so links and other spellings don't hide it. Before anything is written.
llvm::Error checkOutputs(const Verb &verb, const Arguments &arguments);
/// The same for inputs that the command line doesn't name: those found in folders. In place (-i) they are outputs.
llvm::Error checkOutputs(const Verb &verb, const Arguments &arguments, llvm::ArrayRef<std::string> inputs);

/// What -o says; without it the input's name with another ending, which mustn't be the input itself, or standard output
/// for standard input.
llvm::Expected<std::string> outputFor(const Arguments &arguments, llvm::StringRef input, llvm::StringRef extension);

} // namespace inflight::cli
