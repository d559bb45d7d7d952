// Handles of LDS bytes, and what is known of two of them.
#pragma once

#include <cstdint>

namespace inflight::values {

/// Bytes of LDS that an access touches; what else a number means is its maker's business.
enum class Region : uint32_t {};
inline constexpr Region anyByte{0}, noByte{~0u};

/// Conditions of branches on a path, walked backwards; a handle, the same for equal ones.
enum class Facts : uint32_t {};
inline constexpr Facts noFacts{};

enum class Overlap : uint8_t {
  No,
  Unknown, ///< a fact is missing, or which lanes take part
  Yes      ///< lanes are known that share bytes
};

/// Whose the second access is. Another wave has other values in what depends on lane or wave.
enum class Between : uint8_t {
  SameWave,
  OtherWave, ///< that has come to the barrier by the same path
  InStep,    ///< the same, and all branches on the wave's number go the same way
  Elsewhere, ///< one that met this one's barrier at another one, or in another iteration of the loops around it: other
             ///< values in all but what the kernel began with
};

} // namespace inflight::values
