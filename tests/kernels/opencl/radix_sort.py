import numpy as np


def run(gpu):
    n, items, per = 1500, 128, 12
    keys = gpu.rng.integers(0, 1 << 16, n, dtype=np.uint32)
    values = np.arange(n, dtype=np.uint32)
    order = np.argsort(keys, kind="stable")
    want = keys[order], order.astype(np.uint32)
    for shift in range(0, 16, 4):
        counts, new = np.zeros(16 * items, np.uint32), (np.zeros_like(keys), np.zeros_like(values))
        gpu.launch("count_digits", [keys, counts, np.uint32(n), np.uint32(shift), np.uint32(per)], grid=2)
        gpu.launch("scan_counts", [counts, np.uint32(16 * items)], grid=1)
        gpu.launch("scatter", [keys, values, *new, counts, np.uint32(n), np.uint32(shift), np.uint32(per)], grid=2)
        keys, values = new
    gpu.expect(keys, want[0])
    gpu.expect(values, want[1])
