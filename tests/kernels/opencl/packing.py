import numpy as np

FLAGS = ["-cl-std=CL1.2"]  # vload of each address space


def run(gpu):
    a, b = gpu.rng.integers(0, 256, (2, 64, 8), dtype=np.uint8)
    out = np.zeros((64, 8, 8), np.uint8)
    gpu.launch("saturating", [a, b, out])
    x, y, sx, sy = a.astype(int), b.astype(int), a.view(np.int8).astype(int), b.view(np.int8).astype(int)
    gpu.expect(out, np.stack([np.minimum(x + y, 255), np.maximum(x - y, 0), abs(x - y), (x + y) >> 1, (x + y + 1) >> 1, x * y >> 8,
                              np.maximum(x, y) - np.minimum(x, 3), np.clip(sx + sy, -128, 127) & 255], 1).astype(np.uint8))

    a, b = gpu.rng.integers(-32768, 32768, (2, 64, 4), dtype=np.int16)
    wide, out = np.zeros((64, 4), np.int32), np.zeros((64, 3, 4), np.int16)
    gpu.launch("shorts", [a, b, wide, out])
    x, y = a.astype(int), b.astype(int)
    upsampled = ((x & 255) << 8 | (y & 255)).astype(np.uint16).view(np.int16).reshape(64, -1)[:, :4].astype(int)
    gpu.expect(wide, x * y + upsampled)
    gpu.expect(out[:, 0], np.clip(x + y, -32768, 32767))
    gpu.expect(out[:, 1], (a[:, ::-1] + b[:, [0, 0, 1, 1]]))
    gpu.expect(out[:, 2], (a << 3) ^ (b >> 2))

    rgb = gpu.rng.integers(0, 256, (64, 3), dtype=np.uint8)
    luma, packed = np.zeros(64, np.uint8), np.zeros(64, np.uint16)
    gpu.launch("luma", [rgb, luma, packed])
    r, g, bl = rgb.astype(int).T
    gpu.expect(luma, (77 * r + 150 * g + 29 * bl + 128) >> 8)
    gpu.expect(packed, (r >> 3) << 11 | (g >> 2) << 5 | bl >> 3)

    v, mask = gpu.rng.integers(0, 65536, (64, 8), dtype=np.uint16), np.array([7, 0, 3, 3, 9, 2, 12, 5], np.uint16)
    out = np.zeros((64, 2, 8), np.uint16)
    gpu.launch("shuffles", [v, out, mask.tobytes()])
    gpu.expect(out[:, 0], v[:, mask % 8])
    gpu.expect(out[:, 1], np.concatenate([v[:, 1::2], v[:, ::2]], 1))

    records = np.frombuffer(gpu.rng.bytes(64 * 7), [("tag", "u1"), ("value", "<u4"), ("tail", "<u2")]).copy()
    out = np.zeros(64, np.uint64)
    gpu.launch("unaligned", [np.frombuffer(records.tobytes(), np.uint8).copy(), out])
    gpu.expect(out, records["value"].astype(np.uint64) << np.uint64(24) | records["tail"].astype(np.uint64) << np.uint64(8) | records["tag"])
