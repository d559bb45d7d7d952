"""Checks reciprocal-root.mlir against double precision: within two units in the last place."""
import sys
import numpy as np

got = np.load(sys.argv[1])
n = np.arange(1, 65, dtype=np.uint32)
for row, step in zip(got, (0x00040000, 0x01EDCBA9)):
    x = (n * np.uint32(step)).view(np.float32).astype(np.float64)
    expected = 1 / np.sqrt(x)
    error = np.abs(row - expected) / np.spacing(expected.astype(np.float32))
    if not np.all(error <= 2):
        sys.exit(f"{error.max()} units in the last place at {x[error.argmax()]}")
