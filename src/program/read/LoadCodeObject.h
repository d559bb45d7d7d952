// A file as one code object to run or to print: objects are linked, and of files with several one is chosen.
#pragma once

#include "object/CodeObject.h"
#include <optional>

namespace inflight {

struct CodeObjectChoice {
  std::string chip;              ///< empty: any that is supported
  std::string kernel;            ///< one that has it; empty: any
  std::optional<uint32_t> entry; ///< counted as FatBinary does
  std::string features = {};     ///< of a device, ":xnack-": of several, none for another setting of them
};

struct LoadedCodeObject {
  std::string bytes; ///< of the code object itself
  CodeObject object;
};

/// Reads a code object, a relocatable object, or whatever isFatBinary takes. Where the choice leaves several, the error
/// lists them.
llvm::Expected<LoadedCodeObject> loadCodeObject(llvm::StringRef bytes, llvm::StringRef name,
                                                const CodeObjectChoice &choice = {});

} // namespace inflight
