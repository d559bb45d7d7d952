import numpy as np


def run(gpu):
    n, bins = 1000, 13
    data, out = gpu.rng.random(n, dtype=np.float32), np.zeros(bins + 1, np.float32)
    gpu.launch("carve", [data, out, np.int32(n), np.int32(bins)], block=192, lds=4 * n + 4 * bins + n)
    gpu.expect(out[:bins], np.bincount(np.minimum((data * np.float32(bins)).astype(int), bins - 1), minlength=bins))
    gpu.expect(out[bins], (data > 0.5).sum())

    lengths, want = np.zeros(300, np.int32), []
    gpu.launch("queue", [lengths, np.int32(300)], block=128, lds=4)
    for v in range(1, 301):
        steps = 0
        while v != 1:
            v, steps = 3 * v + 1 if v % 2 else v // 2, steps + 1
        want.append(steps)
    gpu.expect(lengths, want)
