"""Input and results of many-loads.hip."""
import sys

import numpy as np

rng = np.random.default_rng(5)
x, w = rng.integers(-1 << 31, 1 << 31, 8192).astype(np.int32), rng.integers(-1 << 31, 1 << 31, 65536 + 8192).astype(np.int32)
out = np.zeros(4096, np.int32)
with np.errstate(over="ignore"):
    for tap in range(16):
        at = np.arange(4096) + tap - 8
        out += np.where(at >= 0, x[np.maximum(at, 0)], w[at + 65536]) * w[tap * 4096 :][:4096]
for name, values in (("x", x), ("w", w), ("out", out)):
    np.save(f"{sys.argv[1]}.{name}.npy", values)
