import numpy as np


def run(gpu):
    rows, columns = 4, 150
    x = gpu.rng.standard_normal((rows, columns), dtype=np.float32)
    x[3] = 0
    out, scales = np.zeros((rows, columns), np.int8), np.zeros(rows, np.float32)
    gpu.launch("quantizeRows", [x, out, scales, np.int32(columns)], grid=rows)
    top = np.abs(x).max(1)
    gpu.expect(scales, top / np.float32(127))
    inverse = np.divide(np.float32(127), top, out=np.zeros_like(top), where=top > 0)
    gpu.expect(out, np.rint(x * inverse[:, None]).astype(np.int8))

    values = gpu.rng.standard_normal((64, 8), dtype=np.float32)
    words, ranges = np.zeros(64, np.uint32), np.zeros((64, 2), np.float32)
    gpu.launch("pack4", [values, words, ranges])
    codes = words[:, None] >> (4 * np.arange(8, dtype=np.uint32)) & 15
    gpu.expect(ranges[:, :1] + codes * ranges[:, 1:], values, atol=float(ranges[:, 1].max()) * 0.501)
    gpu.expect(codes.min(1), np.zeros(64))
    gpu.expect(codes.max(1), np.full(64, 15))

    weights, v = gpu.rng.integers(-128, 128, (64, 32), dtype=np.int8), gpu.rng.integers(-128, 128, 32, dtype=np.int8)
    y = np.zeros((64, 2), np.int32)
    gpu.launch("gemvInt8", [weights, v, y, np.int32(8)])
    gpu.expect(y[:, 0], weights.astype(np.int32) @ v)
    nibbles = lambda a: np.stack([a.view(np.uint8) & 15, a.view(np.uint8) >> 4]).astype(np.int32)
    gpu.expect(y[:, 1], (nibbles(weights[:, :4]) * nibbles(v[:4])[:, None]).sum((0, 2)) + 5)
