// What is made from the verbs' tables of options: --help, manual pages, scripts for the shells' completion.
#pragma once

#include "cli/CommandLine.h"

namespace inflight::cli {

/// The verbs in the order of the overview.
llvm::ArrayRef<const Verb *> allVerbs();

void printOverview(llvm::raw_ostream &os);
void printHelp(const Verb &verb, llvm::raw_ostream &os);

} // namespace inflight::cli
