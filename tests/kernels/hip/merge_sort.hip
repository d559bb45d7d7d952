#include <hip/hip_runtime.h>

struct Record {
  float key;
  int id;
  __device__ bool operator<(const Record &other) const { return key < other.key || (key == other.key && id < other.id); }
};

template <class T> __device__ void exchange(T &a, T &b) {
  T t = a;
  a = b;
  b = t;
}
// Insertion sort of a few elements a thread in registers or scratch.
template <class T, int N> __global__ void sortSmall(T *data, int n) {
  int base = (blockIdx.x * blockDim.x + threadIdx.x) * N;
  T mine[N];
  int count = n - base < N ? n - base : N;
  for (int i = 0; i < count; ++i) {
    mine[i] = data[base + i];
    for (int j = i; j > 0 && mine[j] < mine[j - 1]; --j)
      exchange(mine[j], mine[j - 1]);
  }
  for (int i = 0; i < count; ++i)
    data[base + i] = mine[i];
}
// Merge path: each thread finds where its part of the output begins in both runs.
template <class T> __global__ void mergeRuns(const T *in, T *out, int n, int width, int each) {
  int begin = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  if (begin >= n)
    return;
  int pair = begin / (2 * width) * (2 * width), diagonal = begin - pair;
  int na = min(width, n - pair), nb = max(min(width, n - pair - width), 0);
  const T *a = in + pair, *b = a + na;
  int low = max(diagonal - nb, 0), high = min(diagonal, na);
  while (low < high) {
    int middle = (low + high) / 2;
    if (b[diagonal - 1 - middle] < a[middle])
      high = middle;
    else
      low = middle + 1;
  }
  int i = low, j = diagonal - low;
  for (int k = 0; k < each && diagonal + k < na + nb; ++k) {
    bool takeB = i >= na || (j < nb && b[j] < a[i]);
    out[begin + k] = takeB ? b[j++] : a[i++];
  }
}
template __global__ void sortSmall<Record, 8>(Record *, int);
template __global__ void mergeRuns<Record>(const Record *, Record *, int, int, int);
