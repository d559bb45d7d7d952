"""exchange.py STEM: inputs and results of exchange.ll."""
import sys

import numpy

lane = numpy.arange(64)
same = lane % 3 != 0
halves = numpy.where(same, lane, lane + 1000).astype(numpy.uint16)
numpy.save(sys.argv[1] + ".halves.npy", halves)
numpy.save(sys.argv[1] + ".exchanged.npy", numpy.where(same, 0xFFFF, halves).astype(numpy.uint16))
numpy.save(sys.argv[1] + ".old.npy", halves | numpy.where(same, 1 << 16, 0).astype(numpy.uint32))
numpy.save(sys.argv[1] + ".sums.npy", numpy.uint32([64, 63 * 64 // 2, numpy.float32(64).view(numpy.uint32)]))
