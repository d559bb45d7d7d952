// Where a launch's breaks are: the instructions at an address, of a source line, behind a label, at a kernel's end.
#pragma once

#include "machine/PreparedLaunch.h"
#include "machine/debug/Request.h"

namespace inflight::machine::debug {

/// The addresses of the instructions that `place` means, sorted; of a source line the first of each run of
/// instructions that belong to it, calls that were inlined into it included. Where there is none, the error says what
/// there is.
llvm::Expected<std::vector<uint64_t>> findPlaces(llvm::StringRef place, const PreparedLaunch &launch,
                                                 const SourceLines *lines);

/// An error if no wave of the launch is meant.
llvm::Error checkSelection(const Selection &waves, const PreparedLaunch &launch);

} // namespace inflight::machine::debug
