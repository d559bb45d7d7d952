"""Checks cross-lane.mlir: row k of the result is the input seen through the k-th exchange."""
import sys
import numpy as np

prefix = sys.argv[1]
a, got = np.load(prefix + ".in.npy"), np.load(prefix + ".out.npy")
lanes = np.arange(64)
expected = [a[lanes ^ mask] for mask in (1, 2, 4, 7, 8, 15, 16, 32)] + [np.full(64, a[5])]
for row, (e, g) in enumerate(zip(expected, got)):
    if not np.array_equal(e, g):
        sys.exit(f"exchange {row}: {g} instead of {e}")
