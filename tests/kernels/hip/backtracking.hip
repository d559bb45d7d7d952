#include <hip/hip_runtime.h>

// Searches with much divergence: Sudoku by bit masks and an explicit stack, subset sums, and prime sieving by wheels.
__global__ void sudoku(const char *puzzles, char *solutions) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  const char *puzzle = puzzles + 16 * id;
  char cell[16], order[16], tried[16];
  unsigned rows[4] = {}, columns[4] = {}, boxes[4] = {};
  int open = 0;
  for (int i = 0; i < 16; ++i) {
    cell[i] = puzzle[i];
    if (cell[i]) {
      unsigned bit = 1u << cell[i];
      rows[i / 4] |= bit;
      columns[i % 4] |= bit;
      boxes[i / 8 * 2 + i % 4 / 2] |= bit;
    } else {
      order[open] = i;
      tried[open++] = 0;
    }
  }
  int depth = 0;
  while (depth >= 0 && depth < open) {
    int i = order[depth], box = i / 8 * 2 + i % 4 / 2;
    if (tried[depth]) {
      unsigned bit = 1u << tried[depth];
      rows[i / 4] &= ~bit;
      columns[i % 4] &= ~bit;
      boxes[box] &= ~bit;
    }
    unsigned free = ~(rows[i / 4] | columns[i % 4] | boxes[box]) & 0x1e & ~((2u << tried[depth]) - 1);
    if (!free) {
      tried[depth--] = 0;
      continue;
    }
    int digit = __ffs(free) - 1;
    tried[depth] = cell[i] = digit;
    rows[i / 4] |= 1u << digit;
    columns[i % 4] |= 1u << digit;
    boxes[box] |= 1u << digit;
    ++depth;
  }
  for (int i = 0; i < 16; ++i)
    solutions[16 * id + i] = depth < 0 ? 0 : cell[i];
}
__global__ void subsetSums(const int *weights, int n, const int *targets, unsigned *found) {
  int target = targets[threadIdx.x];
  unsigned best = ~0u;
  for (unsigned set = 0; set < 1u << n && best == ~0u; ++set) {
    int sum = 0;
    for (unsigned rest = set; rest; rest &= rest - 1)
      sum += weights[__ffs(rest) - 1];
    if (sum == target)
      best = set;
  }
  found[threadIdx.x] = best;
}
__global__ void primes(unsigned *counts, unsigned span) {
  unsigned first = threadIdx.x * span, count = 0;
  for (unsigned v = first; v < first + span; ++v) {
    bool prime = v >= 2;
    for (unsigned d = 2; prime && d * d <= v; d += d == 2 ? 1 : 2)
      prime = v % d != 0;
    count += prime;
  }
  counts[threadIdx.x] = count;
}
