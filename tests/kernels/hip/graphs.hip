#include <hip/hip_runtime.h>

// Breadth-first search by frontiers, connected components by union-find, all shortest paths.
__global__ void bfsStep(const int *rows, const int *columns, int *distance, const int *frontier, int size, int *next, int *nextSize, int level) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= size)
    return;
  int node = frontier[i];
  for (int e = rows[node]; e < rows[node + 1]; ++e) {
    int to = columns[e];
    if (atomicCAS(&distance[to], -1, level) == -1)
      next[atomicAdd(nextSize, 1)] = to;
  }
}
__device__ int find(int *parent, int x) {
  while (true) {
    int p = __hip_atomic_load(&parent[x], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    if (p == x)
      return x;
    int g = __hip_atomic_load(&parent[p], __ATOMIC_RELAXED, __HIP_MEMORY_SCOPE_AGENT);
    if (g != p)
      atomicCAS(&parent[x], p, g); // halve the path
    x = p;
  }
}
__global__ void unite(const int2 *edges, int n, int *parent) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  int2 e = edges[i];
  while (true) {
    int a = find(parent, e.x), b = find(parent, e.y);
    if (a == b)
      return;
    int high = max(a, b), low = min(a, b);
    if (atomicCAS(&parent[high], high, low) == high)
      return;
  }
}
__global__ void flatten(int *parent, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    parent[i] = find(parent, i);
}
__global__ void floydWarshall(float *d, int n) {
  extern __shared__ float row[];
  for (int k = 0; k < n; ++k) {
    for (int i = threadIdx.x; i < n; i += blockDim.x)
      row[i] = d[k * n + i];
    __syncthreads();
    for (int i = threadIdx.x; i < n * n; i += blockDim.x) {
      float through = d[i / n * n + k] + row[i % n];
      if (through < d[i])
        d[i] = through;
    }
    __syncthreads();
  }
}
