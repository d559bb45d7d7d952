import numpy as np
from gpu import Local


def run(gpu):
    data = gpu.rng.standard_normal(2048, dtype=np.float32)
    want = np.sort(data)
    gpu.launch("sort_block", [data, Local(2048)], grid=4, block=256)
    for i in range(4):
        gpu.expect(data[512 * i:512 * (i + 1)], np.sort(data[512 * i:512 * (i + 1)])[::-1 if i % 2 else 1])
    size = 1024
    while size <= 2048:
        stride = size // 2
        while stride:
            gpu.launch("merge_step", [data, np.uint32(size), np.uint32(stride)], grid=4, block=256)
            stride //= 2
        size *= 2
    gpu.expect(data, want)
