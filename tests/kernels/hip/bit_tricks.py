import numpy as np


def run(gpu):
    v = gpu.rng.integers(0, 1 << 30, 64, dtype=np.int32)
    out, lane = np.zeros((17, 64), np.int32), np.arange(64)
    gpu.launch("moves", [v, out])
    row, place = lane // 16, lane % 16
    forward = np.zeros(64, np.int32)
    forward[(lane * 5 + 3) % 64] = v
    gpu.expect(out, np.array([
        v[lane ^ 3],
        np.where(place + 3 < 16, v[np.minimum(lane + 3, 63)], -1),
        np.where(place >= 2, v[lane - 2], 0),
        v[row * 16 + (place - 5) % 16],
        v[row * 16 + 15 - place],
        v[lane ^ 7],
        np.where(row % 2 == 1, v[row * 16 - 1], -1),
        np.where(row >= 2, v[31], -1),
        np.where(lane > 0, v[lane - 1], -1),
        v[(lane + 1) % 64],
        np.where((row % 2 == 0) & (place // 4 < 2), v[lane ^ 3], -1),
        v[lane ^ 2],
        v[lane ^ 16],
        v[lane & 32 | lane & 0x18 | 3],
        forward,
        v[(lane * 5 + 3) % 64],
        np.full(64, v[13] + v[0]),
    ]))

    words = [int(x) for x in gpu.rng.integers(0, 1 << 32, 128, dtype=np.uint32)]
    words[:4] = [0, 1, 0xffffffff, 0x80000000]
    out, want = np.zeros((64, 12), np.uint32), []
    gpu.launch("bits", [np.array(words, np.uint32), out])
    for x, y in zip(words[::2], words[1::2]):
        bytes = x.to_bytes(4, "little") + y.to_bytes(4, "little")
        other = y.to_bytes(4, "little") + x.to_bytes(4, "little")
        pick = lambda *b: int.from_bytes(b, "little")
        sbfe = x >> 5 & 0x1ff
        pair = x << 32 | y
        want.append([bin(x).count("1"), 32 - x.bit_length(), (x & -x).bit_length(), int(f"{x:032b}"[::-1], 2), pick(bytes[0], bytes[4], bytes[1], bytes[5]),
                     pick(other[1], 255, other[6], 0), x >> (y & 31) & 127, (sbfe - (sbfe >> 8 << 9)) % 2**32, pair >> 11 & 0xffffffff, pair >> 24 & 0xffffffff,
                     100 + sum(abs(p - q) for p, q in zip(bytes[:4], bytes[4:])), pick(*((p + q + 1) >> 1 for p, q in zip(bytes[:4], bytes[4:])))])
    gpu.expect(out, np.array(want, np.uint32))

    out = np.zeros((3, 64), np.uint32)
    gpu.launch("masks", [out])
    low = [sum(1 << i for i in range(20) if i % 3 == 0), sum(1 << i for i in range(20, 64) if i % 5 == 0)]
    gpu.expect(out, np.array([100 + lane // 2, [low[i >= 20] & 0xffffffff for i in range(64)], [low[i >= 20] >> 32 for i in range(64)]], np.uint32))
