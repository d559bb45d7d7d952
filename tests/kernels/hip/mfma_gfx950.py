import numpy as np

CHIPS = ["gfx950"]
E2M1 = np.array([0, 0.5, 1, 1.5, 2, 3, 4, 6])


def run(gpu):
    m, n, k = 32, 16, 256
    a, b = gpu.rng.standard_normal((m, k)).astype(np.float16), gpu.rng.standard_normal((n, k)).astype(np.float16)
    out = np.zeros((m, n), np.float32)
    gpu.launch("gemmF16x32", [a, b, out, np.int32(n), np.int32(k)], grid=(1, 2))
    gpu.expect(out, a.astype(np.float64) @ b.T, atol=1e-4)

    bytes = [gpu.rng.integers(0, 256, (rows, k // 2), dtype=np.uint8) for rows in (m, n)]
    scales = [gpu.rng.integers(120, 132, (rows, k // 32), dtype=np.uint8) for rows in (m, n)]
    full = []
    for codes, scale in zip(bytes, scales):
        nibbles = np.stack([codes & 15, codes >> 4], -1).reshape(len(codes), k)
        full.append(np.where(nibbles & 8, -1, 1) * E2M1[nibbles & 7] * np.repeat(2.0 ** (scale.astype(int) - 127), 32, axis=1))
    gpu.launch("gemmMxfp4", [bytes[0], scales[0], bytes[1], scales[1], out, np.int32(n), np.int32(k)], grid=(1, 2))
    gpu.expect(out, full[0] @ full[1].T, rtol=1e-5, atol=1e-2)
