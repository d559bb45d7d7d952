import itertools

import numpy as np


def run(gpu):
    rows = list(itertools.permutations(range(1, 5)))
    valid = lambda g: all(sorted(g[:, i]) == [1, 2, 3, 4] for i in range(4)) and all(len(set(g[r:r + 2, c:c + 2].ravel())) == 4 for r in (0, 2) for c in (0, 2))
    puzzles = np.zeros((64, 4, 4), np.int8)
    for p in puzzles:
        while True:
            g = np.array([rows[i] for i in gpu.rng.integers(0, 24, 4)])
            if len({tuple(r) for r in g}) == 4 and valid(g):
                break
        p[:] = np.where(gpu.rng.random((4, 4)) < 0.4, g, 0)
    puzzles[5] = 0
    puzzles[5, 0, :2] = 1  # unsolvable
    out = np.zeros_like(puzzles)
    gpu.launch("sudoku", [puzzles, out])
    gpu.expect(out[5], np.zeros((4, 4)))
    for i in set(range(64)) - {5}:
        gpu.expect(valid(out[i]) and all(sorted(r) == [1, 2, 3, 4] for r in out[i]), True)
        gpu.expect(out[i][puzzles[i] > 0], puzzles[i][puzzles[i] > 0])

    weights = gpu.rng.integers(-30, 60, 7, dtype=np.int32)
    targets, found = gpu.rng.integers(-20, 150, 64, dtype=np.int32), np.zeros(64, np.uint32)
    gpu.launch("subsetSums", [weights, np.int32(7), targets, found])
    sums = [sum(int(w) for i, w in enumerate(weights) if s >> i & 1) for s in range(128)]
    gpu.expect(found, np.array([sums.index(t) if t in sums else 2**32 - 1 for t in targets.tolist()], np.uint32))

    counts = np.zeros(64, np.uint32)
    gpu.launch("primes", [counts, np.uint32(30)])
    is_prime = np.array([v > 1 and all(v % d for d in range(2, int(v ** 0.5) + 1)) for v in range(64 * 30)])
    gpu.expect(counts, is_prime.reshape(64, 30).sum(1))
