import base64

import numpy as np

FLAGS = ["-cl-std=CL1.2"]  # vload of each address space: the device libraries lack the generic ones


def run(gpu):
    for n in (300, 301, 302):
        data = gpu.rng.integers(0, 256, n, dtype=np.uint8)
        want = np.frombuffer(base64.b64encode(data.tobytes()), np.int8)
        quads = len(want) // 4
        letters = np.zeros(len(want), np.int8)
        gpu.launch("encode", [data, np.uint32(n), letters], lanes=quads, block=64)
        gpu.expect(letters, want)
        back, bad = np.zeros(3 * quads, np.uint8), np.array([-1], np.int32)
        gpu.launch("decode", [letters, np.uint32(quads), back, bad], lanes=quads, block=64)
        gpu.expect(back[:n], data)
        gpu.expect(bad, [-1])
    letters[[40, 200]] = ord("!")
    gpu.launch("decode", [letters, np.uint32(quads), back, bad], lanes=quads, block=64)
    gpu.expect(bad, [50])
