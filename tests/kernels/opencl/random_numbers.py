import numpy as np

M = 0xffffffff
FLAGS = ["-cl-std=CL1.2"]  # sincos of each address space


def philox(c, k):
    c, k = list(c), list(k)
    for _ in range(10):
        p0, p1 = c[0] * 0xd2511f53, c[2] * 0xcd9e8d57
        c = [(p1 >> 32) ^ c[1] ^ k[0], p1 & M, (p0 >> 32) ^ c[3] ^ k[1], p0 & M]
        k = [(k[0] + 0x9e3779b9) & M, (k[1] + 0xbb67ae85) & M]
    return c


def run(gpu):
    # The known answer of the Random123 distribution for all zeros.
    assert philox([0] * 4, [0] * 2) == [0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8]
    key = np.array([0x12345678, 0x9abcdef0], np.uint32)
    out = np.zeros((128, 4), np.uint32)
    gpu.launch("philox_words", [out, key.tobytes()], grid=2)
    gpu.expect(out, np.array([philox([i, i * 7, 1, 2], key.tolist()) for i in range(128)], np.uint32))

    hits, tries = np.zeros(64, np.uint32), 40
    gpu.launch("pi_hits", [hits, np.uint32(tries)])
    want = []
    for i in range(64):
        s, count = (i * 0x9e3779b97f4a7c15 + 1) % 2**64, 0
        for _ in range(tries):
            s = (s ^ s << 13) % 2**64
            s ^= s >> 7
            s = (s ^ s << 17) % 2**64
            x, y = np.float32((s >> 40) * 2.0**-24), np.float32((s & 0xffffff) * 2.0**-24)
            count += float(x) ** 2 + float(y) ** 2 < 1
        want.append(count)
    gpu.expect(hits, want, atol=1)  # the sum of squares is rounded

    pairs = np.zeros((64, 2), np.float32)
    gpu.launch("normals", [pairs, key.tobytes()])
    r = np.array([philox([i, 0, 0, 0], key.tolist()) for i in range(64)], np.float64)
    radius, angle = np.sqrt(-2 * np.log((r[:, 0] + 0.5) / 2**32)), 2 * np.pi * np.floor(r[:, 1] / 256) / 2**24
    gpu.expect(pairs, np.stack([radius * np.cos(angle), radius * np.sin(angle)], -1), atol=1e-5, rtol=1e-5)

    states = gpu.rng.integers(0, 2**48, 64, dtype=np.uint64)
    want = [int(s) for s in states]
    for _ in range(20):
        want = [(s * 0x5deece66d + 11) % 2**48 for s in want]
    gpu.launch("lcg48", [states, np.uint32(20)])
    gpu.expect(states, np.array(want, np.uint64))
