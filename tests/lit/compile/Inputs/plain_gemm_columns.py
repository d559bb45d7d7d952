"""plain_gemm_columns.py INFLIGHT plain.py: C, with what is computed from it, of odd sizes, against numpy's."""
import subprocess
import sys

import numpy

inflight, plain = sys.argv[1:]
FORMS = [((200, 130, 96), "f16", []), ((130, 201, 64), "f32", []), ((130, 131, 64), "f16", ["--bias", "--activation=relu"]),
         ((130, 131, 128), "f32", ["--split=2"])]

rng = numpy.random.default_rng(1)
for (m, n, k), result, more in FORMS:
    with open("k.mlir", "w") as file:
        subprocess.run([sys.executable, plain, f"--size={m}x{n}x{k}", f"--result={result}", "--turned", *more], stdout=file, check=True)
    subprocess.run([inflight, "compile", "-mcpu=gfx950", "--verify-each", "k.mlir", "-o", "k.hsaco"], check=True)
    a, b, bias = (rng.integers(-3, 4, shape).astype("f2") for shape in ((m, k), (n, k), n))
    c = a.astype("f4") @ b.astype("f4").T
    arguments = ["--arg", "a.npy", "--arg", "b.npy", "--arg", f"zeros:{m}x{n}:{result}"]
    if "--bias" in more:
        c = numpy.maximum(c + bias.astype("f4"), 0)
        arguments += ["--arg", "bias.npy"]
    for name, array in (("a", a), ("b", b), ("bias", bias), ("c", c.astype("f2" if result == "f16" else "f4"))):
        numpy.save(name + ".npy", array)
    grid = f"{-(-n // 128)},{-(-m // 128)}" + (",2" if "--split=2" in more else "")
    subprocess.run([inflight, "run", "k.hsaco", "--grid", grid, *arguments, "--expect", "2=c.npy", "--check=all"], check=True)
