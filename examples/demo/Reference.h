// What the examples must compute, in plain loops and double precision.
#pragma once

#include "support/files/Npy.h"
#include <vector>

namespace inflight::demo {

/// The arrays after the kernel has run, from those before; `parameters` are the reference's own. Shares no code
/// with the machine.
using Reference = void (*)(std::vector<Array> &arrays, llvm::ArrayRef<int64_t> parameters);

/// The reference of that name, null if there is none; how many arrays and parameters it takes.
struct ReferenceInfo {
  Reference compute;
  size_t arrays, parameters;
};
const ReferenceInfo *findReference(llvm::StringRef name);

} // namespace inflight::demo
