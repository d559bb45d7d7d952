"""async_uniform.py INFLIGHT CODE PREFIX: runs the kernels of async-copies-uniform.mlir; sums of small integers, exact in any order."""
import subprocess
import sys

import numpy

inflight, code, prefix = sys.argv[1:]
a = numpy.random.default_rng(1).integers(-50, 50, (64, 512)).astype("f4")
numpy.save(prefix + ".a.npy", a)


def expect(kernel, table, steps):
    """Lane t adds up four elements of row t mod 64 in each step of 16 columns, its wave's four of sixteen."""
    numpy.save(prefix + ".table.npy", numpy.array(table, dtype="i8"))
    parts = sum((a[:, first:first + 16].reshape(64, 4, 4) for first in steps), numpy.zeros((64, 4, 4), "f4"))
    numpy.save(prefix + ".c.npy", numpy.ascontiguousarray(parts.transpose(1, 0, 2)).reshape(256, 4))
    subprocess.run([inflight, "run", code, "--kernel", kernel, "--arg", prefix + ".a.npy", "--arg", prefix + ".table.npy", "--arg", "zeros:256x4:f32",
                    "--expect", f"2={prefix}.c.npy", "--check=all"], check=True)


for trips in 0, 1, 5:
    expect("shared", [7, 16 * trips, 1000, 0], range(0, 16 * trips, 16))
pages = [320, 0, 496, 64]
expect("looked_up", pages, pages)
