import numpy as np


def run(gpu):
    n, capacity = 2000, 1024
    keys = gpu.rng.integers(0, 600, n, dtype=np.uint32)
    entries, failed = np.full(capacity, 2**64 - 1, np.uint64), np.zeros(1, np.int32)
    gpu.launch("build", [entries, np.uint32(capacity), keys, np.int32(n), failed], grid=4, block=128)
    gpu.expect(failed, [0])
    asked, counts = np.arange(700, dtype=np.uint32), np.zeros(700, np.int32)
    gpu.launch("probe", [entries, np.uint32(capacity), asked, counts, np.int32(700)], grid=11)
    want = np.bincount(keys, minlength=700)
    gpu.expect(counts, np.where(want, want, -1))
