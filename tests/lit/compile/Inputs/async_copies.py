"""async_copies.py INFLIGHT SOURCE.mlir CHIP...: runs its kernels with all trip counts and numbers of buffers."""
import re
import subprocess
import sys

import numpy

inflight, source, *chips = sys.argv[1:]
TRIPS = range(9)
a = numpy.random.default_rng(1).integers(-50, 50, (64, 512)).astype("f4")
numpy.save("a.npy", a)
for kind, matrix in ("", a), ("strided", a[:, ::2]):
    for trips in TRIPS:
        # Lane t adds up four elements of row t mod 64 in each iteration, its wave's four of sixteen.
        parts = matrix[:, :16 * trips].reshape(64, trips, 4, 4).sum(axis=1)
        numpy.save(f"c{kind}{trips}.npy", numpy.ascontiguousarray(parts.transpose(1, 0, 2)).reshape(256, 4))
with open(source) as file:
    kernels = re.findall(r"gpu\.func @(\w+)", file.read())
for chip in chips:
    for stages in range(1, 5):
        subprocess.run([inflight, "compile", f"-mcpu={chip}", f"--stages={stages}", "--verify-each", source, "-o", "k.hsaco"],
                       check=True)
        report = subprocess.run([inflight, "waits", "--report", "k.hsaco"], check=True, capture_output=True, text=True)
        assert "--relax would" not in report.stdout, (chip, stages, report.stdout)
        for kernel in kernels:
            kind = "strided" if kernel == "strided" else ""
            # Of several kernels the first has gone through all trip counts.
            for trips in TRIPS if kernel == kernels[0] else (0, 3, 8):
                bound = 16 * trips - (trips % 2) * 3  # now and then no multiple of the step
                subprocess.run([inflight, "run", "k.hsaco", "--kernel", kernel, "--arg", "a.npy", "--arg", f"i64:{bound}", "--arg",
                                "zeros:256x4:f32", "--expect", f"2=c{kind}{trips}.npy", "--check=all"], check=True)
