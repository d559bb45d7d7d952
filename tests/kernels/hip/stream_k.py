import numpy as np


def run(gpu, sizes=((96, 64, 128, 13), (64, 96, 80, 1), (32, 32, 160, 7)), options=()):
    for kernel in ("streamK", "streamKByScalarLoads"):
        for m, n, k, blocks in sizes:
            # Small integers: sums are exact in any order.
            a, b = (gpu.rng.integers(-8, 9, shape).astype(np.float32) for shape in ((m, k), (k, n)))
            c, parts = np.zeros((m, n), np.float32), np.zeros(blocks * 1024, np.float32)
            gpu.launch(kernel, [a, b, c, parts, np.zeros(blocks, np.uint32), np.int32(m), np.int32(n), np.int32(k)], grid=blocks, block=256, options=options)
            gpu.expect(c, a.astype(np.int64) @ b.astype(np.int64), what=kernel)
