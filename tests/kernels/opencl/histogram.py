import numpy as np


def run(gpu):
    pixels = (gpu.rng.standard_normal(4096) * 40 + 100).clip(0, 255).astype(np.uint8)
    bins = np.zeros(256, np.uint32)
    gpu.launch("histogram256", [pixels, np.uint32(1024), bins], grid=3, block=128)
    gpu.expect(bins, np.bincount(pixels, minlength=256).astype(np.uint32))

    data = gpu.rng.integers(-2**31, 2**31, 512, dtype=np.int32)
    result = np.array([2**31 - 1, -2**31, 0, 0, -1, 0], np.int32)
    gpu.launch("extremes", [data, result], grid=4, block=128)
    gpu.expect(result, np.array([data.min(), data.max(), np.bitwise_xor.reduce(data), np.bitwise_or.reduce(data), np.bitwise_and.reduce(data),
                                 (-data.astype(np.int64).sum()).astype(np.int32)], np.int32))
