"""Input and results of long-divisions.ll."""
import sys

import numpy as np

rng = np.random.default_rng(5)
ROWS, LANES = 96, 64
numbers = rng.integers(0, 1 << 64, (ROWS, LANES, 2), np.uint64, endpoint=False)
shifts = rng.integers(0, 64, (ROWS, LANES, 2), np.uint64)
# Rows whose lanes all have small numbers, whose lanes have all sizes, of which one lane has a large number, and of negative ones.
shifts[:32] = 32 + shifts[:32] // 2
shifts[64:] = 42 + shifts[64:] // 3
numbers >>= shifts
numbers[64:80, 17] = rng.integers(1 << 32, 1 << 63, (16, 2), np.uint64)
numbers[80:, ::3, 0] = 0 - numbers[80:, ::3, 0]
numbers[84:, ::5, 1] = 0 - numbers[84:, ::5, 1]
# Quotients of the same numbers in all lanes.
numbers[:, 0] = np.where(numbers[:, 0] == 0, 3, numbers[:, 0])
numbers[..., 1] = np.where(numbers[..., 1] == 0, 1, numbers[..., 1])
numbers[0, :14] = [(0xffffffff, 1), (0xffffffff, 0xffffffff), (0x3fffff, 1), (0x3fffff, 0xffffff), (0x3ffffe, 0x3fffff), (0, 5), (1, 1), (0xfffffffe, 0xffffffff),
                   (0x80000000, 0x7fffffff), (0x3fffff, 3), (0x3fffff, 0x1fffff), (0x2aaaaa, 0x155555), (0x3ffffd, 0x3fffff), (0x200000, 2)]


def results(pairs):
    out = np.empty((*pairs.shape[:-1], 4), np.uint64)
    for at in np.ndindex(pairs.shape[:-1]):
        a, b = (int(x) for x in pairs[at])
        sa, sb = (x - (1 << 64) if x >> 63 else x for x in (a, b))
        q = abs(sa) // abs(sb) * (-1 if (sa < 0) != (sb < 0) else 1)
        out[at] = [x % (1 << 64) for x in (a // b, a % b, q, sa - q * sb)]
    return out


np.save(sys.argv[1] + ".in.npy", numbers)
np.save(sys.argv[1] + ".lanes.npy", results(numbers))
np.save(sys.argv[1] + ".waves.npy", results(numbers[:, 0]))
# Small ones: what of them divides 22 bits by 24.
small = np.stack([numbers[..., 0] & 0x3fffff, np.maximum(numbers[..., 1] & 0xffffff, 1)], -1)
np.save(sys.argv[1] + ".small.npy", results(small)[..., :2])
