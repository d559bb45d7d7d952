import numpy as np

CHIPS = ["gfx942", "gfx950"]


def values(exponent_bits, mantissa_bits, fnuz):
    """What each byte stands for."""
    table = []
    bias = 2 ** (exponent_bits - 1) - (0 if fnuz else 1)
    for byte in range(256):
        e, m = byte >> mantissa_bits & (1 << exponent_bits) - 1, byte & (1 << mantissa_bits) - 1
        v = (m / 2 ** mantissa_bits + (e > 0)) * 2.0 ** (max(e, 1) - bias)
        if fnuz and byte == 0x80:
            v = np.nan
        elif not fnuz and e == (1 << exponent_bits) - 1:
            if exponent_bits == 5:
                v = np.nan if m else np.inf
            elif m == 7:
                v = np.nan
        table.append(-v if byte & 0x80 else v)
    return np.array(table)


def nearest(x, table):
    """The bytes of the nearest magnitudes, ties to the even one."""
    codes = np.nonzero(np.isfinite(table[:128]))[0]
    distance = np.abs(table[codes][None] - np.abs(x)[:, None])
    tied = distance == distance.min(1, keepdims=True)
    return np.array([min(codes[t], key=lambda code: code % 2) for t in tied])


def run(gpu):
    fnuz = gpu.chip == "gfx942"
    tables = {False: values(4, 3, fnuz), True: values(5, 2, fnuz)}
    x = (gpu.rng.standard_normal(256) * 10.0 ** gpu.rng.integers(-3, 3, 256)).astype(np.float32)
    x = np.clip(x, -200, 200)
    fp8, bf8, back = np.zeros(256, np.uint8), np.zeros(256, np.uint8), np.zeros(256, np.float32)
    gpu.launch("toFp8", [x, fp8, bf8, back], grid=1)
    for got, table in [(fp8, tables[False]), (bf8, tables[True])]:
        gpu.expect(np.abs(table[got]), table[nearest(x.astype(np.float64), table)])
        gpu.expect(np.signbit(table[got]) | (table[got] == 0), (x < 0) | (table[got] == 0))
    gpu.expect(back, tables[False][fp8])

    m, n, k = 32, 16, 64
    for bf_a in (False, True):
        for bf_b in (False, True):
            a, b = gpu.rng.integers(0, 256, (m, k), dtype=np.uint8), gpu.rng.integers(0, 256, (n, k), dtype=np.uint8)
            for codes, table in [(a, tables[bf_a]), (b, tables[bf_b])]:
                codes[~(np.abs(table[codes]) <= 8)] = 1
            out = np.zeros((m, n), np.float32)
            kernel = f"gemmFp8<{str(bf_a).lower()}, {str(bf_b).lower()}>"
            gpu.launch(kernel, [a, b, out, np.int32(n), np.int32(k)], grid=(n // 16, m // 16))
            gpu.expect(out, tables[bf_a][a] @ tables[bf_b][b].T, atol=1e-3, what=kernel)
    if gpu.chip == "gfx942":
        a, b = gpu.rng.standard_normal((m, k), dtype=np.float32), gpu.rng.standard_normal((n, k), dtype=np.float32)
        out = np.zeros((m, n), np.float32)
        gpu.launch("gemmXf32", [a, b, out, np.int32(n), np.int32(k)], grid=(n // 16, m // 16))
        gpu.expect(out, a.astype(np.float64) @ b.T, atol=k * 2**-10, what="xf32")
