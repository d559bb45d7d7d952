import numpy as np


def run(gpu):
    r = (gpu.rng.integers(1, 50, 128) / 4).astype(np.float32)
    out = np.zeros_like(r)
    gpu.launch("shapes", [r, out], grid=2)
    circle, box = 3 * r * r, r * 2
    gpu.expect(out, np.choose(np.arange(128) % 3, [circle * 3, (r * 2) * 4 - box, (circle + box) * 3]))

    codes = gpu.rng.integers(0, 4, 128, dtype=np.int32)
    a, b = gpu.rng.integers(-9, 10, 128, dtype=np.int32), gpu.rng.integers(0, 8, 128, dtype=np.int32)
    out = np.zeros_like(a)
    gpu.launch("apply", [codes, a, b, out], grid=2)
    gpu.expect(out, np.choose(codes, [a + b, a - b, a * b, a ** b]))
    gpu.launch("applyUniform", [np.array([3], np.int32), a, b, out])
    gpu.expect(out[:64], (a ** b)[:64])
