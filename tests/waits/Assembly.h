// Programs as assembly text for the tests of the wait services.
#pragma once

#include "program/Edit.h"
#include "waits/Plan.h"
#include "waits/Verify.h"
#include "gtest/gtest.h"

namespace inflight::waits::test {

/// A kernel `k` with that body after its label, and the body's end.
std::string kernel(llvm::StringRef body, unsigned ldsBytes = 0, unsigned lanes = 64, llvm::StringRef chip = "gfx942");
std::unique_ptr<Program> read(llvm::StringRef text, llvm::StringRef chip = "gfx942");
/// The body of `kernel(body)` with new waits.
std::string replanned(llvm::StringRef body, Goal goal, unsigned ldsBytes = 0, llvm::StringRef chip = "gfx942",
                      unsigned lanes = 64);
/// "LINE: RULE: hint" of each finding but those that a wait for another one mends, lines counted in the body from 1.
std::vector<std::string> findings(llvm::StringRef body, unsigned ldsBytes = 0, llvm::StringRef chip = "gfx942",
                                  unsigned lanes = 64);

} // namespace inflight::waits::test
