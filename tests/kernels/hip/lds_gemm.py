import numpy as np


def run(gpu):
    m, n, k = 128, 64, 96
    a, b = gpu.rng.standard_normal((m, k)).astype(np.float16), gpu.rng.standard_normal((n, k)).astype(np.float16)
    bias, c = gpu.rng.standard_normal(n, dtype=np.float32), np.zeros((m, n), np.float16)
    gpu.launch("gemmBiasRelu", [a, b, bias, c, np.int32(n), np.int32(k)], grid=(n // 64, m // 64), block=256)
    gpu.expect(c.astype(np.float64), np.maximum(a.astype(np.float64) @ b.T + bias, 0), rtol=2e-3, atol=2e-3)
