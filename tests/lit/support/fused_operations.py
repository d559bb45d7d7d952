"""Checks fused-operations.mlir against numpy."""
import sys
import numpy as np

prefix = sys.argv[1]
a, b, c, h, k = (np.load(f"{prefix}.{name}.npy") for name in "abchk")
i = np.arange(64, dtype=np.int32)
expected = [np.maximum(np.maximum(a, b), i), a + b + i, (a & b) | i, (a << 5) | b, (b + i) << 5]
for row, (e, g) in enumerate(zip(expected, c)):
    if not np.array_equal(e, g):
        sys.exit(f"row {row}: {g} instead of {e}")
if not np.array_equal(k, h[:, [1, 3, 0, 2]]):
    sys.exit("halves are not where they belong")
