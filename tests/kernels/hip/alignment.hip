#include <hip/hip_runtime.h>

// Dynamic programming along anti-diagonals: edit distance with three diagonals in LDS, and Smith-Waterman scores a lane a pair.
__global__ void editDistance(const char *a, const char *b, int na, int nb, int *result) {
  __shared__ int diagonals[3][257];
  int t = threadIdx.x;
  for (int d = 0; d <= na + nb; ++d) {
    int *now = diagonals[d % 3], *last = diagonals[(d + 2) % 3], *before = diagonals[(d + 1) % 3];
    for (int i = t; i <= na; i += blockDim.x) {
      int j = d - i;
      if (j < 0 || j > nb)
        continue;
      now[i] = i == 0 ? j : j == 0 ? i : min(min(last[i] + 1, last[i - 1] + 1), before[i - 1] + (a[i - 1] != b[j - 1]));
    }
    __syncthreads();
  }
  if (t == 0)
    *result = diagonals[(na + nb) % 3][na];
}
__global__ void smithWaterman(const unsigned char *queries, const unsigned char *texts, int nq, int nt, short *scores) {
  int pair = blockIdx.x * blockDim.x + threadIdx.x;
  short row[33], gaps[33], best = 0;
  for (int j = 0; j <= nt; ++j)
    row[j] = gaps[j] = 0;
  for (int i = 0; i < nq; ++i) {
    short diagonal = 0, gap = 0;
    for (int j = 1; j <= nt; ++j) {
      short match = diagonal + (queries[pair * nq + i] == texts[pair * nt + j - 1] ? 3 : -2);
      gap = max(short(row[j - 1] - 5), short(gap - 1));
      gaps[j] = max(short(row[j] - 5), short(gaps[j] - 1));
      diagonal = row[j];
      row[j] = max(max(match, short(0)), max(gap, gaps[j]));
      best = max(best, row[j]);
    }
  }
  scores[pair] = best;
}
