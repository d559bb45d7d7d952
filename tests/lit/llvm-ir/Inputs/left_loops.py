"""What left-loops.ll's kernels get and give: each lane goes round its own number of times."""
import sys

import numpy as np

path, step = sys.argv[1], 0x123456789
times = np.random.default_rng(5).integers(0, 20, 64)
rows = np.ones((20, 64), "i4")
rows[times, np.arange(64)] = 0
np.save(path + ".in.npy", rows)
np.save(path + ".index.npy", times.astype("i4"))
np.save(path + ".sum.npy", (times + 1) * step)
np.save(path + ".odd.npy", (times % 2).astype("i4"))
np.save(path + ".count.npy", times.astype("i4"))
np.save(path + ".total.npy", 7 + times * step)
np.save(path + ".parity.npy", (times % 2).astype("i4"))
np.save(path + ".last.npy", np.where(times < 2, -1, (times - 2) ** 2).astype("i4"))
