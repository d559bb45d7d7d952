import numpy as np


def run(gpu):
    m, n, k = 20, 36, 28
    for name, kind, acc, tolerance in [("float", np.float32, np.float32, 1e-5), ("double", np.float64, np.float64, 1e-13),
                                       ("half", np.float16, np.float32, 1e-5), ("int", np.int32, np.int64, 0)]:
        a, b = ((gpu.rng.standard_normal(s) * (1e6 if name == "int" else 1)).astype(kind) for s in [(m, k), (k, n)])
        c = np.zeros((m, n), acc)
        gpu.launch("matmul_" + name, [a, b, c, np.int32(m), np.int32(n), np.int32(k)], grid=(3, 2), block=(16, 16))
        gpu.expect(c, a.astype(np.int64 if name == "int" else np.float64) @ b.astype(np.int64 if name == "int" else np.float64), atol=tolerance, what=name)
        if name == "float":
            c[:] = 0
            gpu.launch("matmul_4x4", [a, b, c, np.int32(n // 4), np.int32(k // 4)], lanes=(9, 5), block=(9, 5))
            gpu.expect(c, a.astype(np.float64) @ b, atol=1e-5)
