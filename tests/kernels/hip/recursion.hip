#include <hip/hip_runtime.h>

// Functions that call themselves: Ackermann, quicksort, n queens, and two that call each other.
__device__ int ackermann(int m, int n) {
  if (m == 0)
    return n + 1;
  if (n == 0)
    return ackermann(m - 1, 1);
  return ackermann(m - 1, ackermann(m, n - 1));
}
__device__ void quicksort(short *data, int low, int high) {
  if (low >= high)
    return;
  short pivot = data[(low + high) / 2];
  int i = low, j = high;
  while (i <= j) {
    while (data[i] < pivot)
      ++i;
    while (data[j] > pivot)
      --j;
    if (i <= j) {
      short t = data[i];
      data[i++] = data[j];
      data[j--] = t;
    }
  }
  quicksort(data, low, j);
  quicksort(data, i, high);
}
__device__ int queens(int n, int row, unsigned columns, unsigned left, unsigned right) {
  if (row == n)
    return 1;
  int count = 0;
  for (unsigned free = ~(columns | left | right) & ((1u << n) - 1); free; free &= free - 1) {
    unsigned bit = free & -free;
    count += queens(n, row + 1, columns | bit, (left | bit) << 1, (right | bit) >> 1);
  }
  return count;
}
__device__ bool isOdd(unsigned n);
__device__ bool isEven(unsigned n) { return n == 0 || isOdd(n - 1); }
__device__ bool isOdd(unsigned n) { return n != 0 && isEven(n - 1); }

__global__ void recurse(int *out) {
  int i = threadIdx.x;
  out[4 * i] = ackermann(i % 3, i % 5);
  // Lane i places the first queen in column i % 6 of a board of 6.
  unsigned bit = 1u << i % 6;
  out[4 * i + 1] = queens(6, 1, bit, bit << 1, bit >> 1);
  out[4 * i + 2] = isEven(i);
  out[4 * i + 3] = i % 2 ? ackermann(2, i % 4) : -1;
}
__global__ void sortEach(short *data, int n) { quicksort(data + threadIdx.x * n, 0, n - 1); }
