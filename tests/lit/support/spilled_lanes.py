"""Lane 40's values, read by lanes 0 to 7, and every lane's own."""
import sys

import numpy as np

from kernels import Kernels, same

code = Kernels(sys.argv)
values = np.random.default_rng(3).integers(0, 1 << 32, (24, 64), dtype=np.uint32)
_, got = code.run("k", values.view(np.int32), np.zeros(64, np.int32))
total = np.uint64(0)
for row in values[:, 40].astype(np.uint64):
    total = (total * np.uint64(3) + row) & np.uint64(0xFFFFFFFF)
expected = np.where(np.arange(64) < 8, total, 0).astype(np.uint32) ^ np.bitwise_xor.reduce(values)
same(got.view(np.uint32), expected)
