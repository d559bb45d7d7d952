import numpy as np
from gpu import Local


def run(gpu):
    n, m = 130, 200
    dense = gpu.rng.standard_normal((n, m)) * (gpu.rng.random((n, m)) < 0.15)
    dense[7] = 0
    dense[9] = gpu.rng.standard_normal(m)
    dense = dense.astype(np.float32)
    x = gpu.rng.standard_normal(m, dtype=np.float32)
    want = dense.astype(np.float64) @ x
    rows = np.concatenate([[0], np.cumsum((dense != 0).sum(1))]).astype(np.uint32)
    columns, values = np.nonzero(dense)[1].astype(np.uint32), dense[dense != 0]
    for kernel, block, grid, local in [("csr_scalar", 64, 3, []), ("csr_vector", 256, 33, [Local(1024)])]:
        y = np.zeros(n, np.float32)
        gpu.launch(kernel, [rows, columns, values, x, y, np.uint32(n), *local], grid=grid, block=block)
        gpu.expect(y, want, atol=2e-5, what=kernel)
    width = int((dense != 0).sum(1).max())
    ell_columns, ell_values = np.full((width, n), -1, np.int32), np.zeros((width, n), np.float32)
    for row in range(n):
        places = np.nonzero(dense[row])[0]
        ell_columns[:len(places), row], ell_values[:len(places), row] = places, dense[row, places]
    y = np.zeros(n, np.float32)
    gpu.launch("ell", [ell_columns, ell_values, x, y, np.uint32(n), np.uint32(width)], grid=3)
    gpu.expect(y, want, atol=2e-5, what="ell")
