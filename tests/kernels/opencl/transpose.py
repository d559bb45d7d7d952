import numpy as np


def run(gpu):
    h, w = 35, 50
    for name, kind, parts in [("uchar", np.uint8, 1), ("ushort", np.uint16, 1), ("float", np.float32, 1), ("double", np.float64, 1), ("float4", np.float32, 4)]:
        data = (gpu.rng.random((h, w, parts)) * 250).astype(kind)
        out = np.zeros((w, h, parts), kind)
        gpu.launch("transpose_" + name, [data, out, np.int32(w), np.int32(h)], grid=(4, 3), block=(16, 16))
        gpu.expect(out, data.transpose(1, 0, 2), what=name)
