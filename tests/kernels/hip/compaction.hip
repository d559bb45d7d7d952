#include <hip/hip_runtime.h>

// Keeps what satisfies a predicate: ballots give places within a wave, one atomic a wave the rest.
template <class Predicate> __device__ void compact(const int *in, int *out, unsigned *count, int n, Predicate keep) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    int v = in[i];
    bool mine = keep(v);
    uint64_t all = __ballot(mine);
    if (!mine)
      continue;
    int lane = __lane_id();
    int rank = __popcll(all & ((1ull << lane) - 1)), leader = __ffsll(all) - 1;
    unsigned base = 0;
    if (lane == leader)
      base = atomicAdd(count, __popcll(all));
    base = __shfl(base, leader);
    out[base + rank] = v;
  }
}
__global__ void keepOdd(const int *in, int *out, unsigned *count, int n) {
  compact(in, out, count, n, [](int v) { return v & 1; });
}
__global__ void keepBetween(const int *in, int *out, unsigned *count, int n, int low, int high) {
  compact(in, out, count, n, [=](int v) { return low <= v && v < high; });
}
__global__ void votes(const int *in, unsigned long long *out) {
  int v = in[threadIdx.x];
  unsigned long long active = 0;
  if (v % 3 == 0)
    active = __activemask();
  out[threadIdx.x] = active;
  out[64 + threadIdx.x] = __any(v > 90) * 4 + __all(v >= 0) * 2 + __all(v > 50);
  // Lanes with the same value, by taking the first one's again and again.
  unsigned long long same = 0;
  bool done = false;
  while (!done) {
    int first = __builtin_amdgcn_readfirstlane(v);
    if (v == first) {
      same = __activemask();
      done = true;
    }
  }
  out[128 + threadIdx.x] = same;
}
