"""contract.py STEM: a * b + c is 0 by two roundings and 2^-24 by one."""
import sys

import numpy

factor, sum_, small = 1 + 2.0**-12, 1 + 2.0**-11, 2.0**-24
lane = [small, small, small, -small, 0, 0, 0, sum_, small, small]
numpy.save(sys.argv[1] + ".in.npy", numpy.float32([[factor, factor, -sum_, sum_]] * 64))
numpy.save(sys.argv[1] + ".out.npy", numpy.float32([lane] * 64).ravel())
