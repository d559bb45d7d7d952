import numpy as np


def run(gpu):
    rows, columns = 5, 333
    for name, kind, tolerance in [("float", np.float32, 1e-6), ("_Float16", np.float16, 5e-4)]:
        x = (gpu.rng.standard_normal((rows, columns)) * 4).astype(kind)
        x[2, 7] = -np.inf
        out = np.zeros_like(x)
        gpu.launch(f"softmax<{name}>", [x, out, np.int32(columns), np.float32(1.5)], grid=rows, block=256)
        e = np.exp(x.astype(np.float64) / 1.5 - (x.max(1, keepdims=True) / 1.5))
        gpu.expect(out, e / e.sum(1, keepdims=True), atol=tolerance, what=name)

    x, labels = gpu.rng.standard_normal((rows, 100), dtype=np.float32), gpu.rng.integers(0, 100, rows, dtype=np.int32)
    loss, gradient = np.zeros(rows, np.float32), np.zeros_like(x)
    gpu.launch("crossEntropy", [x, labels, loss, gradient, np.int32(100)], grid=rows)
    p = np.exp(x.astype(np.float64))
    p /= p.sum(1, keepdims=True)
    gpu.expect(loss, -np.log(p[np.arange(rows), labels]), atol=1e-5)
    p[np.arange(rows), labels] -= 1
    gpu.expect(gradient, p, atol=1e-6)
