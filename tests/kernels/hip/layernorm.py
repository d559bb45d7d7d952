import math

import numpy as np


def bf16(x):
    return (x.astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)


def wide(x):
    return (x.astype(np.uint32) << 16).view(np.float32).astype(np.float64)


def run(gpu):
    rows, columns = 3, 300
    x = (gpu.rng.standard_normal((rows, columns)) * 3 + 10).astype(np.float32)
    gamma, beta = gpu.rng.standard_normal((2, columns), dtype=np.float32)
    out = np.zeros_like(x)
    gpu.launch("layernorm", [x, gamma, beta, out, np.int32(columns), np.float32(1e-5)], grid=rows, block=256)
    d = x.astype(np.float64)
    gpu.expect(out, (d - d.mean(1, keepdims=True)) / np.sqrt(d.var(1, keepdims=True) + 1e-5) * gamma + beta, atol=2e-5)

    a, residual, weight = bf16(x - 10), bf16(gpu.rng.standard_normal((rows, columns))), bf16(gamma)
    total = wide(a) + wide(residual)
    out = np.zeros_like(a)
    gpu.launch("rmsnormResidual", [a, residual, weight, out, np.int32(columns), np.float32(1e-6)], grid=rows)
    gpu.expect(wide(residual), total, rtol=2**-8)
    r = wide(residual)
    gpu.expect(wide(out), r / np.sqrt((r * r).mean(1, keepdims=True) + 1e-6) * wide(weight), rtol=2**-8)

    v = np.linspace(-9, 30, 256, dtype=np.float32)
    results = [np.zeros_like(v) for _ in range(3)]
    gpu.launch("activations", [v, *results], grid=4)
    d = v.astype(np.float64)
    gpu.expect(results[0], d * 0.5 * (1 + np.vectorize(math.erf)(d / math.sqrt(2))), atol=2e-6, rtol=1e-6)
    gpu.expect(results[1], d / (1 + np.exp(-d)), rtol=1e-6)
    gpu.expect(results[2], np.log1p(np.exp(d)), rtol=1e-6)
