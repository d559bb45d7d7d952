"""Numbers for packed-singles.ll, into a file; and with its results, whether the host computes the same."""
import sys

import numpy as np

if len(sys.argv) == 2:
    np.save(sys.argv[1], np.random.default_rng(1).standard_normal((64, 4), np.float32))
    sys.exit()
before, after = np.load(sys.argv[1]), np.load(sys.argv[2])
products = before[:, :2] * before[:, :1:-1]
assert (after == np.stack([products[:, 0] + products[:, 1], products[:, 0], products[:, 1], before[:, 3]], 1)).all()
