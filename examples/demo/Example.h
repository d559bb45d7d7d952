// What to run: the example.json files beside the kernels.
#pragma once

#include "Reference.h"
#include "llvm/Support/Error.h"
#include <array>
#include <string>
#include <vector>

namespace inflight::demo {

struct Example {
  std::string file, kernel; ///< the path of the MLIR file; the kernel's symbol
  std::vector<std::string> targets, arguments;
  std::array<uint32_t, 3> grid = {1, 1, 1}, block = {1, 1, 1};
  const ReferenceInfo *reference = nullptr;
  std::vector<int64_t> parameters;
  size_t result = 0; ///< the argument that is compared with the tolerances; the others exactly
  double relative = 0, absolute = 0;
};

/// All examples of the folders in `folder` that hold an example.json, in the order of their names.
llvm::Expected<std::vector<Example>> loadExamples(llvm::StringRef folder);

} // namespace inflight::demo
