// System calls that code in a sandbox doesn't get.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include <linux/filter.h>
#include <vector>

namespace inflight::cli {

/// A filter for seccomp: such calls fail with EPERM, clone3 with ENOSYS so that the C library takes clone, whose flags
/// can be looked at.
std::vector<sock_filter> systemCallFilter();

} // namespace inflight::cli
