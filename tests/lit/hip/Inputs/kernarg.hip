// Arguments that end at 0x88: clang loads those from 0x70 to 0x90 at once, 8 bytes more than the kernarg segment has.
#include <hip/hip_runtime.h>
#include <cstdio>

struct State {
  void *a, *b, *c;
};
__global__ void kernel(long, __uint128_t, long, long, long, bool, bool, State, int *out, long p, long q, const long *r,
                       const long *t, const int *u, long v) {
  if (p > q)
    return;
  out[threadIdx.x] = int(p + q + (t ? t[0] : 1) + (u ? u[0] : 2) + v + (r ? r[0] : 3));
}

int main() {
  void *out = nullptr;
  int got[64];
  if (hipMalloc(&out, sizeof(got)))
    return 2;
  kernel<<<1, 64>>>(0, 0, 0, 0, 0, true, false, State{}, static_cast<int *>(out), 5, 7, nullptr, nullptr, nullptr, 11);
  if (hipMemcpy(got, out, sizeof(got), hipMemcpyDeviceToHost))
    return 1;
  puts(got[3] == 5 + 7 + 1 + 2 + 11 + 3 ? "right" : "WRONG");
}
