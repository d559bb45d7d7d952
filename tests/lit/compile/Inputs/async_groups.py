"""async_groups.py INFLIGHT async-groups.mlir groups.py CHIP...: runs its kernels, and those that groups.py writes. All numbers are small integers, exact
in any order."""
import subprocess
import sys

import numpy

inflight, source, generator, *chips = sys.argv[1:]
random = numpy.random.default_rng(1)


def run(*arguments, kernel=None):
    subprocess.run([inflight, "run", "k.hsaco", *(["--kernel", kernel] if kernel else []), "--check=all", *arguments], check=True)


def argument(name, values):
    numpy.save(name, values)
    return "--arg", name


wide = random.integers(-50, 50, (64, 1024)).astype("f4")
small = wide[:, :4].copy()
lanes = numpy.arange(256)
for chip in chips:
    subprocess.run([inflight, "compile", f"-mcpu={chip}", "--verify-each", source, "-o", "k.hsaco"], check=True)
    for trips in range(5):
        # Each iteration adds a piece twice; it is the other lane's: 64 lanes further are 16 rows.
        expected = numpy.zeros((256, 4), "f4")
        for lane in lanes:
            other = lane ^ 64
            for i in range(trips):
                expected[lane] += 2 * wide[other // 4, 4 * i + other % 4 * 4:][:4]
        numpy.save("e.npy", expected)
        run(*argument("a.npy", wide), "--arg", f"i64:{trips}", "--arg", "zeros:256x4:f32", "--expect", "2=e.npy", kernel="ring")
    numpy.save("e.npy", 2 * small)
    run(*argument("a.npy", small), "--arg", "zeros:64:f32", "--arg", "zeros:64x4:f32", "--expect", "2=e.npy", kernel="named")
    numpy.save("e.npy", numpy.ascontiguousarray(small[::-1]))
    run(*argument("a.npy", small), "--arg", "zeros:64x4:f32", "--expect", "1=e.npy", kernel="padded")

a, b = (random.integers(-3, 4, (n, 256)).astype("f2") for n in (256, 128))
numpy.save("e.npy", a.astype("f4") @ b.astype("f4").T)
for chip in chips:
    for options in (["--buffers=2", "--step=128"], ["--buffers=3", "--guarded"], ["--buffers=4", "--guarded", "--size=256x128x?"], ["--buffers=3", "--size=256x128x?"], ["--buffers=4"]):
        with open("k.mlir", "w") as file:
            subprocess.run([sys.executable, generator, "--size=256x128x256", *options], check=True, stdout=file)
        subprocess.run([inflight, "compile", f"-mcpu={chip}", "--verify-each", "k.mlir", "-o", "k.hsaco"], check=True)
        run("--grid", "1,2", *argument("a.npy", a), *argument("b.npy", b), "--arg", "zeros:256x128:f32", "--expect", "2=e.npy")
