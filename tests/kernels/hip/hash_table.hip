#include <hip/hip_runtime.h>

// Open addressing with 64-bit entries, filled by compare-and-swap from all blocks.
using Entry = unsigned long long;
constexpr Entry Free = ~0ull;
__device__ uint32_t mix(uint32_t k) {
  k ^= k >> 16;
  k *= 0x85ebca6b;
  k ^= k >> 13;
  k *= 0xc2b2ae35;
  return k ^ k >> 16;
}
struct Table {
  Entry *entries;
  uint32_t capacity;
  __device__ bool insertOrAdd(uint32_t key, uint32_t value) {
    for (uint32_t slot = mix(key) & (capacity - 1), tries = 0; tries < capacity; slot = (slot + 1) & (capacity - 1), ++tries) {
      Entry wanted = Entry(key) << 32 | value, seen = atomicCAS(&entries[slot], Free, wanted);
      if (seen == Free)
        return true;
      while (uint32_t(seen >> 32) == key) {
        Entry next = seen + value, old = atomicCAS(&entries[slot], seen, next);
        if (old == seen)
          return true;
        seen = old;
      }
    }
    return false;
  }
  __device__ bool find(uint32_t key, uint32_t &value) const {
    for (uint32_t slot = mix(key) & (capacity - 1);; slot = (slot + 1) & (capacity - 1)) {
      Entry e = entries[slot];
      if (uint32_t(e >> 32) == key) {
        value = uint32_t(e);
        return true;
      }
      if (e == Free)
        return false;
    }
  }
};
__global__ void build(Entry *entries, uint32_t capacity, const uint32_t *keys, int n, int *failed) {
  Table table{entries, capacity};
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (!table.insertOrAdd(keys[i], 1))
      atomicAdd(failed, 1);
}
__global__ void probe(Entry *entries, uint32_t capacity, const uint32_t *keys, int *counts, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  uint32_t value;
  if (i < n)
    counts[i] = Table{entries, capacity}.find(keys[i], value) ? int(value) : -1;
}
