import zlib

import numpy as np

P = [2654435761, 2246822519, 3266489917, 668265263, 374761393]
MASK = 0xffffffff


def xxhash32(data, seed):
    """As its specification words it."""
    def rotl(x, n):
        return (x << n | x >> (32 - n)) & MASK

    lane = lambda i: int.from_bytes(data[i:i + 4], "little")
    i = 0
    if len(data) >= 16:
        acc = [seed + P[0] + P[1], seed + P[1], seed, seed - P[0]]
        while i + 16 <= len(data):
            acc = [rotl((a + lane(i + 4 * k) * P[1]) & MASK, 13) * P[0] & MASK for k, a in enumerate(acc)]
            i += 16
        h = sum(rotl(a, n) for a, n in zip(acc, (1, 7, 12, 18)))
    else:
        h = seed + P[4]
    h += len(data)
    while i + 4 <= len(data):
        h = rotl((h + lane(i) * P[2]) & MASK, 17) * P[3]
        i += 4
    for byte in data[i:]:
        h = rotl((h + byte * P[4]) & MASK, 11) * P[0]
    h &= MASK
    h = (h ^ h >> 15) * P[1] & MASK
    h = (h ^ h >> 13) * P[2] & MASK
    return h ^ h >> 16


def run(gpu):
    n, size = 64, 100
    text = gpu.rng.integers(0, 256, (n, size), dtype=np.uint8)
    table, out = np.zeros(256, np.uint32), np.zeros((n, 4), np.uint64)
    gpu.launch("make_table", [table], grid=4)
    gpu.launch("checksums", [text, np.uint32(size), table, out], grid=1)
    want = []
    for i in range(n):
        data = text[i, :size - i % 23].tobytes()
        fnv = 0xcbf29ce484222325
        for byte in data:
            fnv = (fnv ^ byte) * 0x100000001b3 % 2**64
        want.append([zlib.crc32(data) * 0x100000001, zlib.adler32(data), fnv, xxhash32(data, i)])
    gpu.expect(out, np.array(want, np.uint64))
