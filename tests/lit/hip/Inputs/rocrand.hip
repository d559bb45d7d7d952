// rocRAND's Philox on the device, and as its authors define it on the host.
#include <hip/hip_runtime.h>
#include <rocrand/rocrand_kernel.h>

#include <cstdint>
#include <cstdio>

constexpr unsigned threads = 192, skipped = 8;

__global__ void draw(uint4 *results, unsigned long long seed) {
  rocrand_state_philox4x32_10 state;
  rocrand_init(seed, threadIdx.x, 0, &state);
  results[2 * threadIdx.x] = rocrand4(&state);
  skipahead(skipped, &state);
  results[2 * threadIdx.x + 1] = rocrand4(&state);
}

struct Block {
  uint32_t x[4];
};

static Block philox(Block counter, uint64_t seed) {
  uint32_t key[2] = {uint32_t(seed), uint32_t(seed >> 32)};
  uint32_t(&x)[4] = counter.x;
  for (int round = 0; round < 10; ++round) {
    const uint64_t a = uint64_t(0xd2511f53) * x[0], b = uint64_t(0xcd9e8d57) * x[2];
    counter = {{uint32_t(b >> 32) ^ x[1] ^ key[0], uint32_t(b), uint32_t(a >> 32) ^ x[3] ^ key[1], uint32_t(a)}};
    key[0] += 0x9e3779b9;
    key[1] += 0xbb67ae85;
  }
  return counter;
}

int main() {
  uint4 *device, host[2 * threads];
  if (hipMalloc(&device, sizeof(host)) != hipSuccess)
    return 1;
  for (unsigned long long seed : {0ull, 0x123456789abcdefull}) {
    draw<<<1, threads>>>(device, seed);
    if (hipMemcpy(host, device, sizeof(host), hipMemcpyDeviceToHost) != hipSuccess)
      return 1;
    unsigned wrong = 0;
    for (unsigned i = 0; i < 2 * threads; ++i) {
      // Four numbers a block; a thread has 2^64 blocks.
      const Block right = philox({{i % 2 ? 1 + skipped / 4 : 0, 0, i / 2, 0}}, seed);
      wrong += host[i].x != right.x[0] || host[i].y != right.x[1] || host[i].z != right.x[2] || host[i].w != right.x[3];
    }
    printf("%08x %08x %08x %08x, %u wrong\n", host[0].x, host[0].y, host[0].z, host[0].w, wrong);
  }
  return hipFree(device) != hipSuccess;
}
