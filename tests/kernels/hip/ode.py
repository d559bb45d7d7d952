import numpy as np


def rk4(f, s, h, steps):
    for _ in range(steps):
        a = f(s)
        b = f(s + a * (h / 2))
        c = f(s + b * (h / 2))
        s = s + (a + b * 2 + c * 2 + f(s + c * h)) * (h / 6)
    return s


def run(gpu):
    def kepler(s):
        r3 = (s[:, 0] ** 2 + s[:, 1] ** 2) ** 1.5
        return np.stack([s[:, 2], s[:, 3], -s[:, 0] / r3, -s[:, 1] / r3], 1)

    def lorenz(s):
        x, y, z = s.T
        return np.stack([10 * (y - x), x * (28 - z) - y, x * y - 8 / 3 * z], 1)

    start = np.stack([np.linspace(0.8, 1.2, 64), np.zeros(64), np.zeros(64), np.linspace(0.7, 1.1, 64)], 1)
    for name, f, s in [("Kepler", kepler, start), ("Lorenz", lorenz, gpu.rng.standard_normal((64, 3)) + [1, 1, 20])]:
        want = rk4(f, s, 0.01, 30)
        gpu.launch(f"integrate<{name}>", [s, np.float64(0.01), np.int32(30)])
        gpu.expect(s, want, rtol=1e-11, what=name)

    w = 24
    roots = np.zeros((w, w), np.uint8)
    gpu.launch("newton", [roots, np.int32(w)], grid=(3, 3), block=(8, 8))
    z = ((np.arange(w) + 0.5) * 4 / w - 2)[None] + 1j * ((np.arange(w) + 0.5) * 4 / w - 2)[:, None]
    for _ in range(40):
        z = z - (z ** 3 - 1) / (3 * z ** 2)
    gpu.expect(roots, np.where(z.real > 0, 0, np.where(z.imag > 0, 1, 2)))
