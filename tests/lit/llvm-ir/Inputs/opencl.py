"""opencl.py STEM: the input of opencl.cl and what it has to compute, by plain Python."""
import sys

import numpy

values = numpy.random.default_rng(7).integers(0, 1 << 32, 768, dtype=numpy.uint32)
values[:4] = 0, 1, 2, 27


def steps(value):
    n, i = value & 0xFFFF, 0
    while i < 100 and n > 1:
        n, i = 3 * n + 1 if n & 1 else n >> 1, i + 1
    return {0: i + 1000, 1: i * 3, 5: i ^ 0x55, 6: -i}.get(value >> 29, i) & 0xFFFFFFFF


numpy.save(sys.argv[1] + ".in.npy", values)
numpy.save(sys.argv[1] + ".counts.npy", numpy.bincount(values & 15, minlength=16).astype(numpy.uint32))
numpy.save(sys.argv[1] + ".steps.npy", numpy.array([steps(int(value)) for value in values], numpy.uint32))
