// Runs a few instructions on one wave: registers in, registers out.
#pragma once

#include "machine/Machine.h"
#include "llvm/ADT/StringRef.h"
#include <array>
#include <string>
#include <vector>

namespace inflight::machine::test {

using Register = std::array<uint32_t, 64>;

/// The whole assembly file of a kernel `k` with one argument, the buffer pointer in s[0:1]'s segment.
std::string kernelText(llvm::StringRef chip, llvm::StringRef body, llvm::StringRef directives = "",
                       llvm::StringRef data = "");

/// That file assembled and loaded.
llvm::Expected<CodeObject> assembleKernel(llvm::StringRef chip, llvm::StringRef body, llvm::StringRef directives = "",
                                          llvm::StringRef data = "");

/// A snippet that sees `in` as v[10...] and leaves its results in v[40...40+outputs). The wave's 64
/// lanes are all active; v1 holds 4 × lane, v2 the number in the workgroup; s[2:3] and above are free from s8 on.
struct Snippet {
  std::string chip = "gfx942";
  std::string body;
  std::vector<Register> in;
  unsigned outputs = 1;
  std::string directives; ///< more .amdhsa_ lines
  std::string data;       ///< sections besides the code
  unsigned waves = 1;     ///< of the workgroup; all see the same buffer
  std::string checks;     ///< as --check takes them
  std::string delivery = "latest";
  bool lateStores = false; ///< as --stores=late
};

/// Assembles and runs; an error fails the running test and gives zeros. `message`, when given,
/// receives the error instead.
std::vector<Register> runSnippet(const Snippet &snippet, std::string *message = nullptr);

/// As above; returns what the checks found.
std::vector<ReportedFinding> findingsOf(const Snippet &snippet);

/// The same value in all lanes, and lane-wise values repeated to 64.
Register all(uint32_t value);
Register lanes(const std::vector<uint32_t> &values);
Register iota(uint32_t first = 0); ///< first + lane

} // namespace inflight::machine::test
