import numpy as np


def run(gpu):
    n = 1500
    data = gpu.rng.integers(-1000, 1000, n, dtype=np.int32)
    for kernel, more, keep in [("keepOdd", [], data % 2 != 0), ("keepBetween", [np.int32(-5), np.int32(300)], (data >= -5) & (data < 300))]:
        out, count = np.zeros(n, np.int32), np.zeros(1, np.uint32)
        gpu.launch(kernel, [data, out, count, np.int32(n), *more], grid=3, block=128)
        gpu.expect(count, [keep.sum()], what=kernel)
        gpu.expect(np.sort(out[:count[0]]), np.sort(data[keep]), what=kernel)

    v, out = gpu.rng.integers(0, 100, 64, dtype=np.int32), np.zeros((3, 64), np.uint64)
    gpu.launch("votes", [v, out])
    mask = lambda which: sum(1 << i for i in range(64) if which[i])
    gpu.expect(out[0], np.array([mask(v % 3 == 0) if x % 3 == 0 else 0 for x in v], np.uint64))
    gpu.expect(out[1], np.full(64, (v > 90).any() * 4 + 2 + (v > 50).all(), np.uint64))
    gpu.expect(out[2], np.array([mask(v == x) for x in v], np.uint64))
