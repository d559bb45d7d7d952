import numpy as np


def run(gpu):
    n = 777
    for kernel, kind in [("vectorAdd<float>", np.float32), ("vectorAdd<double>", np.float64), ("vectorAdd<short>", np.int16)]:
        a, b = (gpu.rng.standard_normal((2, n)) * 1000).astype(kind)
        out = np.zeros_like(a)
        gpu.launch(kernel, [a, b, out, np.int32(n)], grid=4, block=256)
        gpu.expect(out, a + b, what=kernel)

    out = np.zeros(5000, np.uint32)
    gpu.launch("iota", [out, np.int32(5000)], grid=(2, 3, 2), block=(8, 4, 3))
    i = np.arange(5000, dtype=np.uint32)
    gpu.expect(out, i * 3 + i % 96 // 32)
