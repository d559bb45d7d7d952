import numpy as np


def run(gpu):
    nx, ny, nz = 20, 13, 9
    a = gpu.rng.standard_normal((nz, ny, nx), dtype=np.float32)
    out = np.zeros_like(a)
    gpu.launch("laplacian", [a, out, np.int32(nx), np.int32(ny), np.int32(nz)], lanes=(nx, ny), block=(8, 8))
    d, want = a.astype(np.float64), np.zeros(a.shape)
    c = d[1:-1, 1:-1, 1:-1]
    want[1:-1, 1:-1, 1:-1] = (d[:-2, 1:-1, 1:-1] + d[2:, 1:-1, 1:-1] + d[1:-1, :-2, 1:-1] + d[1:-1, 2:, 1:-1] + d[1:-1, 1:-1, :-2] + d[1:-1, 1:-1, 2:] - 6 * c)
    gpu.expect(out, want, atol=1e-5)

    now, before = gpu.rng.standard_normal((2, 6, 8, 10))
    want = [now.copy(), before.copy()]
    for _ in range(3):
        gpu.launch("wave_step", [now, before, np.float64(0.1)], lanes=(10, 8, 6), block=(5, 4, 3))
        n, b = want
        l = sum(np.roll(n, s, axis) for s in (1, -1) for axis in range(3)) - 6 * n
        want = [2 * n - b + 0.1 * l, n]
        now, before = before, now
    gpu.expect(now, want[0], atol=1e-12)
