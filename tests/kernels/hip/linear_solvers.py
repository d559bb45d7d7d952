import numpy as np

# clang 22 drops the wait before the barrier at the head of the loop: an LDS write of the last iteration may not be done.
FINDINGS = {"conjugateGradients": "race", "_Z18conjugateGradientsPKdPdi": "race"}


def run(gpu):
    n = 20
    a, b = gpu.rng.standard_normal((n, n)), gpu.rng.standard_normal(n)
    want = np.linalg.solve(a, b)
    gpu.launch("luSolve", [a, b, np.int32(n)])
    gpu.expect(b, want, rtol=1e-9, atol=1e-9)

    n = 128
    b, x = gpu.rng.standard_normal(n), np.zeros(n)
    gpu.launch("conjugateGradients", [b, x, np.int32(40)], block=n)
    gpu.expect(x, np.linalg.solve(2.5 * np.eye(n) - np.eye(n, k=1) - np.eye(n, k=-1), b), atol=1e-9)

    m = gpu.rng.standard_normal((64, 5, 5))
    a = (m @ m.transpose(0, 2, 1) + 5 * np.eye(5)).astype(np.float32)
    out = np.zeros_like(a)
    gpu.launch("cholesky<5>", [a, out])
    gpu.expect(out, np.linalg.cholesky(a.astype(np.float64)), atol=1e-5)
