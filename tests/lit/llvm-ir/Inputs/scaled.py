"""scaled.py STEM: inputs and results of scaled.ll."""
import sys

import numpy


def decode(bits, exponents, mantissa, bias):
    """Of a float without infinities."""
    sign = bits >> exponents + mantissa
    exponent = bits >> mantissa & (1 << exponents) - 1
    fraction = bits & (1 << mantissa) - 1
    normal = numpy.ldexp(1 + fraction / 2**mantissa, exponent - bias)
    return numpy.where(sign, -1, 1) * numpy.where(exponent, normal, numpy.ldexp(fraction / 2**mantissa, 1 - bias))


values = numpy.arange(256)
values[values & 127 == 127] = 0x35  # NaNs
numpy.random.default_rng(3).shuffle(values)
values = values.reshape(64, 4)
bytes_ = 2 * decode(values, 4, 3, 7)
nibbles = 4 * decode(numpy.stack([values & 15, values >> 4], 2), 2, 1, 1).reshape(64, 8)
numpy.save(sys.argv[1] + ".in.npy", (values << numpy.arange(4) * 8).sum(1).astype(numpy.uint32))
numpy.save(sys.argv[1] + ".wide.npy", numpy.hstack([bytes_[:, :2], nibbles[:, :6]]).ravel().astype(numpy.float16))
numpy.save(sys.argv[1] + ".upper.npy", bytes_[:, 2:].ravel().astype(numpy.float32))
