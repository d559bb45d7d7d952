// What the library and `inflight exec` both know of its limits.
#pragma once

namespace inflight::hip {

/// As many as a node has, and some more: each loads the program's code for itself.
inline constexpr unsigned mostDevices = 16;

} // namespace inflight::hip
