// What is made from the verbs' tables of options: --help, manual pages, scripts for the shells' completion.
#pragma once

#include "cli/CommandLine.h"

namespace inflight::cli {

/// The verbs in the order of the overview; those that people don't call themselves are the last, after `listedVerbs`.
llvm::ArrayRef<const Verb *> allVerbs();
llvm::ArrayRef<const Verb *> listedVerbs();

void printOverview(llvm::raw_ostream &os);
void printHelp(const Verb &verb, llvm::raw_ostream &os);

} // namespace inflight::cli
