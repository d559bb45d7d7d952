"""Checks matrix-vector.mlir against numpy in double precision."""
import sys
import numpy as np

a, x, y = (np.load(f"{sys.argv[1]}.{name}.npy") for name in "axy")
expected = a.astype(np.float64) @ x.astype(np.float64)
if not np.allclose(y, expected, rtol=1e-5, atol=1e-5):
    sys.exit(f"{y} instead of {expected}")
