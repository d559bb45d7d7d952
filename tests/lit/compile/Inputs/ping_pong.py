"""ping_pong.py INFLIGHT EXAMPLES CHIP...: GEMM kernels whose waves ping-pong, on sizes with and without edges, with constant and run-time numbers
of iterations; small integers, whose sums are exact. Each must ping-pong, and pass all checks."""
import subprocess
import sys

import numpy

inflight, examples, *chips = sys.argv[1:]
sys.path.insert(0, examples + "/gemm")
from plain import PlainGemm  # noqa: E402

FP8 = {"gfx942": "f8E4M3FNUZ", "gfx950": "f8E4M3FN"}
STEP = 64  # bytes of K
UNDECIDED = 4  # exit status
random = numpy.random.default_rng(1)


def encoded(values, element):
    if element == "f16":
        return values.astype("f2")
    one = 0x40 if element == "f8E4M3FNUZ" else 0x38
    return numpy.where(values == 0, 0, one + 0x80 * (values < 0)).astype("u1")


def test(chip, element, stages, m, n, k, is_constant):
    size = (m, n, k if is_constant else None)
    with open("k.mlir", "w") as file:
        file.write(PlainGemm(element, (128, 128), (2, 4), size, STEP).text())
    made = subprocess.run([inflight, "compile", f"-mcpu={chip}", "--ping-pong", f"--stages={stages}", "--verify-each", "--remarks", "k.mlir",
                           "-o", "k.hsaco"], check=True, capture_output=True, text=True)
    assert "two halves of the waves alternate" in made.stderr, made.stderr
    a, b = (random.integers(-1, 2, (rows, k)) for rows in (m, n))
    for name, values in ("a", a), ("b", b):
        numpy.save(name + ".npy", encoded(values, element))
    numpy.save("c.npy", (a @ b.T).astype("f4"))
    subprocess.run([inflight, "run", "k.hsaco", "--grid", f"{-(-n // 128)},{-(-m // 128)}", "--arg", f"a.npy:{element}", "--arg",
                    f"b.npy:{element}", "--arg", f"zeros:{m}x{n}:f32", "--expect", "2=c.npy", "--check=all"], check=True)
    assert subprocess.run([inflight, "waits", "k.hsaco"]).returncode in (0, UNDECIDED)


for chip in chips:
    for element in ("f16", FP8[chip]):
        step = STEP // (2 if element == "f16" else 1)
        for stages in (2, 3):
            for steps in (stages, 5):
                test(chip, element, stages, 128, 128, steps * step, True)
            test(chip, element, stages, 100, 200, 5 * step - 16, True)
        for steps in (1, 2, 3, 6):
            test(chip, element, 2, 128, 128, steps * step, False)
