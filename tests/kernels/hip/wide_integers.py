import numpy as np

M = 2**64 - 1


def signed(v, bits=64):
    return v - (1 << bits) if v >> (bits - 1) else v


def quotient(a, b):
    q = abs(a) // abs(b)
    return -q if (a < 0) != (b < 0) else q


def run(gpu):
    random = lambda: int.from_bytes(gpu.rng.bytes(8), "little") >> int(gpu.rng.integers(0, 64))
    a, b = ([random() or 1 for _ in range(128)] for _ in range(2))
    a[:4], b[:4] = [M, 1 << 63, 0, 1], [M, 3, 7, 1 << 63]
    out = np.zeros((128, 12), np.uint64)
    gpu.launch("arithmetic64", [np.array(a, np.uint64), np.array(b, np.uint64), out], grid=2)
    want = []
    for x, y in zip(a, b):
        sx, sy, n = signed(x), signed(y), y & 63
        want.append([v & M for v in (x * y, x * y >> 64, sx * sy >> 64, x // y, x % y, quotient(sx, sy), sx - quotient(sx, sy) * sy, x << n, x >> n, sx >> n,
                                     x << n | x >> (-n & 63), bin(x).count("1") | (64 - x.bit_length()) << 8 | (x & -x).bit_length() << 16 |
                                     (sx < sy) << 24 | (x < y) << 25)])
    gpu.expect(out, np.array(want, np.uint64))

    modulus = 0xffffffffffffffc5
    base, exponent = a[:64], b[:64]
    out = np.zeros(64, np.uint64)
    gpu.launch("powers", [np.array(base, np.uint64), np.array(exponent, np.uint64), np.uint64(modulus), out])
    gpu.expect(out, np.array([pow(x, e, modulus) for x, e in zip(base, exponent)], np.uint64))

    words = lambda values: np.array([[v & M, v >> 64] for v in values], np.uint64)
    x = [int.from_bytes(gpu.rng.bytes(16), "little") for _ in range(64)]
    y = [int.from_bytes(gpu.rng.bytes(16), "little") | 1 << 100 for _ in range(64)]
    out = np.zeros((64, 8, 2), np.uint64)
    gpu.launch("arithmetic128", [words(x), words(y), out])
    mask = 2**128 - 1
    want = [words([v & mask for v in (p + q, p - q, p * q, p // (q >> 60), p % (q >> 60), p << (q & 127), p >> (q & 127), (signed(p, 128) >> (q & 127)) ^ (p < q))])
            for p, q in zip(x, y)]
    gpu.expect(out, np.array(want))

    for top in (0, 1):
        p, q = int.from_bytes(gpu.rng.bytes(256), "little"), int.from_bytes(gpu.rng.bytes(256), "little")
        if top:
            q = 2**2048 - p  # every word carries
        dwords = lambda v: np.frombuffer(v.to_bytes(256, "little"), np.uint32).copy()
        out, carry = np.zeros(64, np.uint32), np.zeros(1, np.uint32)
        gpu.launch("bigAdd", [dwords(p), dwords(q), out, carry])
        gpu.expect(out, dwords((p + q) % 2**2048))
        gpu.expect(carry, [(p + q) >> 2048])
