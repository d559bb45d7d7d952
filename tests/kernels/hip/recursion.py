import numpy as np


def ackermann(m, n):
    return n + 1 if m == 0 else ackermann(m - 1, 1 if n == 0 else ackermann(m, n - 1))


def run(gpu):
    out = np.zeros((64, 4), np.int32)
    gpu.launch("recurse", [out])
    queens = [0, 1, 1, 1, 1, 0]  # the four solutions for six queens have their first one there
    gpu.expect(out, [[ackermann(i % 3, i % 5), queens[i % 6], i % 2 == 0, ackermann(2, i % 4) if i % 2 else -1] for i in range(64)])
    data = gpu.rng.integers(-1000, 1000, (64, 25), dtype=np.int16)
    want = np.sort(data, axis=1)
    gpu.launch("sortEach", [data, np.int32(25)], options=["--scratch", "8192"])
    gpu.expect(data, want)
