import numpy as np


def run(gpu):
    n = 192
    a, b, c = gpu.rng.standard_normal((3, n), dtype=np.float32)
    p = gpu.rng.standard_normal(7)
    out, sums, values = np.zeros(n, np.float32), np.zeros(n, np.int64), np.zeros(n)
    gpu.launch("generic", [a, b, c, out, sums, p.tobytes(), values], grid=3)
    gpu.expect(out, a * b + c * (a + b), atol=1e-6)
    want = []
    for i in range(n):
        total = 0
        for v in (int(np.int8(i - 256 if i > 127 else i)), i * 3, 1000000007 * i, i // 2):
            total = total * 31 + v
        want.append(total + 45 * i)
    gpu.expect(sums, want)
    gpu.expect(values, np.polyval(p[::-1], a.astype(np.float64)), rtol=1e-12)
