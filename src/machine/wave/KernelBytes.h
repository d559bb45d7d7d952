// Moves bytes of the memory that kernels see.
//
// Waves on several host threads share it, and what they do there at the same time is the kernel's affair: as on a GPU,
// a race in it gives some value. To the thread sanitizer these copies are atomic, byte by byte or word by word, so that
// it finds the races of the machine and not those of the kernels that it runs. Without it they are plain copies.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define INFLIGHT_THREAD_SANITIZER 1
#endif
#endif

namespace inflight::machine {

#ifdef INFLIGHT_THREAD_SANITIZER
inline void copyKernelBytes(void *to, const void *from, size_t bytes) {
  auto copy = [&]<typename T>(T *out, const T *in) {
    for (size_t i = 0; i < bytes / sizeof(T); ++i)
      __atomic_store_n(out + i, __atomic_load_n(in + i, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
  };
  if (((reinterpret_cast<uintptr_t>(to) | reinterpret_cast<uintptr_t>(from) | bytes) & 3) == 0)
    copy(static_cast<uint32_t *>(to), static_cast<const uint32_t *>(from));
  else
    copy(static_cast<uint8_t *>(to), static_cast<const uint8_t *>(from));
}
#else
inline __attribute__((always_inline)) void copyKernelBytes(void *to, const void *from, size_t bytes) {
  std::memcpy(to, from, bytes);
}
#endif

/// Whether the bytes at a place that kernels see are these.
inline bool areKernelBytes(const void *place, const void *bytes, size_t count) {
#ifdef INFLIGHT_THREAD_SANITIZER
  for (size_t i = 0; i < count; ++i)
    if (__atomic_load_n(static_cast<const uint8_t *>(place) + i, __ATOMIC_RELAXED) !=
        static_cast<const uint8_t *>(bytes)[i])
      return false;
  return true;
#else
  return std::memcmp(place, bytes, count) == 0;
#endif
}

} // namespace inflight::machine
