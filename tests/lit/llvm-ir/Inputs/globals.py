"""What globals.hip computes: its input, and its output."""
import sys

import numpy

lanes = numpy.arange(64)
values = (lanes * 7 % 9).astype(numpy.int32)
names = (b"ab", 0.5), (b"xyz", 2)
table = {0: 17, 1: 4, 2: 99, 3: -5, 4: 23}
out = []
for lane, x in enumerate(values):
    name, factor = names[lane & 1]
    out.append((1, 10, 100, 1000)[lane & 3] + name[lane % len(name)] + int(factor * 8) + table.get(int(x), 0) + int(x) + 40)
numpy.save(sys.argv[1], values)
numpy.save(sys.argv[2], numpy.array(out, numpy.int32))
