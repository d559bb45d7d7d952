#include <hip/hip_runtime.h>

// Initialised data of all kinds: tables, strings, structures that point to each other, and counters kernels change.
__constant__ float weights[4] = {0.5f, 1.5f, -2.0f, 8.0f};
__device__ int counter = 40;
__device__ int *const counterPlace = &counter;
__device__ const char *const names[] = {"wave", "lane", "", "register"};
struct Node {
  int value;
  const Node *next;
  short tail[3];
};
extern __device__ const Node nodes[];
__device__ const Node nodes[] = {{10, &nodes[2], {1, 2, 3}}, {20, nullptr, {4, 5, 6}}, {30, &nodes[1], {7, 8, 9}}};
__device__ const Node *roots[2] = {&nodes[0], &nodes[2]};
namespace {
__device__ unsigned char matrix[3][5] = {{1, 2, 3, 4, 5}, {6, 7, 8, 9, 10}, {11, 12, 13, 14, 15}};
}
__device__ double uninitialised[64];
template <int N> struct Primes {
  int value[N] = {};
  constexpr Primes() {
    int count = 0;
    for (int candidate = 2; count < N; ++candidate) {
      bool prime = true;
      for (int i = 0; i < count; ++i)
        prime = prime && candidate % value[i];
      if (prime)
        value[count++] = candidate;
    }
  }
};
__device__ constexpr Primes<64> primes;

__global__ void use(int *out) {
  int i = threadIdx.x, *o = out + 8 * i;
  const char *name = names[i & 3];
  int length = 0;
  while (name[length])
    ++length;
  o[0] = length * 256 + name[0];
  int sum = 0;
  for (const Node *n = roots[i & 1]; n; n = n->next)
    sum = sum * 100 + n->value + n->tail[i % 3];
  o[1] = sum;
  o[2] = int(weights[i & 3] * 2);
  o[3] = matrix[i % 3][i % 5];
  o[4] = primes.value[i];
  uninitialised[i] = i * 0.5;
  o[5] = int(uninitialised[i] * 2);
  o[6] = atomicAdd(counterPlace, 1) >= 40;
  __syncthreads();
  o[7] = counter;
}
