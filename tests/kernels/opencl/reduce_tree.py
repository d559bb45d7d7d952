import numpy as np
from gpu import Local


def run(gpu):
    n = 3000
    data = gpu.rng.standard_normal(n, dtype=np.float32)
    out = np.zeros(4, np.float32)
    gpu.launch("sum_tree", [data, out, np.uint32(n), Local(1024)], grid=4, block=256)
    gpu.expect(out.sum(dtype=np.float64), data.sum(dtype=np.float64), atol=1e-3)

    data[[40, 2000]] = -9
    best = np.zeros(2, [("value", np.float32), ("index", np.uint32)])
    gpu.launch("argmin", [data, best, np.uint32(n)], grid=2, block=128)
    gpu.expect(best["value"].min(), np.float32(-9))
    gpu.expect(best["index"][best["value"] == -9].min(), 40)

    values = gpu.rng.integers(-20, 20, 256, dtype=np.int32)
    values[130] = 7
    values[:128][values[:128] == 7] = 8
    result = np.zeros((2, 5), np.int32)
    gpu.launch("builtin", [values, result], grid=2, block=128)
    gpu.expect(result, [[g.sum(), g.min(), 7 in g, 1, g[5]] for g in values.reshape(2, 128)])
