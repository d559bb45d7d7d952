"""Input and results of divisions.ll."""
import sys

import numpy as np

rng = np.random.default_rng(3)
EDGES = np.array([1, 2, 3, 5, 7, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x10001, 0xffff, 0xffffff, 0x1000000], np.uint32)
edges = np.array([(a, b) for a in [0, *EDGES] for b in EDGES], np.uint32)
some = (rng.integers(0, 1 << 32, (4096, 2), np.uint32) >> rng.integers(0, 32, (4096, 2), np.uint32)).astype(np.uint32)
# Multiples and their neighbours, where an estimate of the quotient is wrong first.
divisors = rng.integers(1, 1 << 20, 4096, np.uint32)
near = np.stack([divisors * rng.integers(0, 1 << 12, 4096, np.uint32) + rng.integers(-1, 2, 4096).astype(np.uint32), divisors], 1).astype(np.uint32)
numbers = np.concatenate([edges, some, near])
numbers = numbers[numbers[:, 1] != 0]
overflows = (numbers[:, 0] == 0x80000000) & (numbers[:, 1] == 0xffffffff)
numbers = numbers[~overflows][:8192]
a, b = numbers.T.astype(np.int64)
sa, sb = numbers.view(np.int32).T.astype(np.int64)
quotient = np.abs(sa) // np.abs(sb) * np.sign(sa) * np.sign(sb)
np.save(sys.argv[1] + ".in.npy", numbers)
np.save(sys.argv[1] + ".out.npy", np.stack([a // b, a % b, quotient, sa - quotient * sb], 1).astype(np.int64).astype(np.uint32))
