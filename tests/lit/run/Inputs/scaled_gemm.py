"""scaled_gemm.py INFLIGHT examples/gemm: kernels of plain.py on floats of 4 and 6 bits with scales, against numpy."""
import re
import subprocess
import sys

import numpy

inflight, folder = sys.argv[1:]
sys.path.insert(0, folder)
from microscaling import TABLES, random_matrix, shuffle, shuffle_factor  # noqa: E402
from plain import PlainGemm  # noqa: E402

# The largest and the smallest numbers of the specification's table.
assert TABLES["f4E2M1FN"].max() == 6 and TABLES["f4E2M1FN"][1] == 0.5
assert TABLES["f6E2M3FN"].max() == 7.5 and TABLES["f6E2M3FN"][1] == 0.125
assert TABLES["f6E3M2FN"].max() == 28 and TABLES["f6E3M2FN"][1] == 0.0625

CASES = [  # type, M, N, K, bytes of a step, bank conflicts, other arguments of PlainGemm
    ("f4E2M1FN", 128, 256, 1280, 128, "0", {"fragment": 32, "turned": True}),
    ("f4E2M1FN", 128, 128, 2048, 128, "0", {"shuffled": "scales"}),
    ("f4E2M1FN", 128, 128, 768, 128, "0", {"shuffled": "scales", "scales": "direct"}),
    ("f4E2M1FN", 128, 128, 768, 128, "0", {"shuffled": "all", "scales": "direct"}),
    ("f4E2M1FN", 128, 128, 768, 128, "0", {"fragment": 32, "scales": "direct"}),
    ("f4E2M1FN", 200, 100, 1024, 128, "0", {"fragment": 32}),  # beyond the last row and column are zeros
    ("f4E2M1FN", 128, 128, 768, 128, "0", {}),
    ("f4E2M1FN", 128, 128, 768, 64, "0", {}),  # two scales a lane
    ("f6E2M3FN", 128, 128, 768, 96, r"\d+", {"scales": "direct"}),
    ("f6E3M2FN", 128, 128, 768, 96, r"\d+", {"scales": "direct", "shuffled": "scales"}),
    ("f6E3M2FN", 128, 128, 768, 96, "0", {"scales": "direct", "shuffled": "all"}),
    ("f6E3M2FN", 128, 128, 768, 96, r"\d+", {"fragment": 32, "scales": "direct"}),
]
generator = numpy.random.default_rng(1)
for element, m, n, k, step, conflicts, more in CASES:
    a, scales_a, numbers_a = random_matrix(generator, element, m, k)
    b, scales_b, numbers_b = random_matrix(generator, element, n, k)
    gemm = PlainGemm(element, (128, 128), (2, 2), (m, n, k), step, **more)
    if gemm.shuffled:
        scales_a, scales_b = shuffle(scales_a, gemm.slices), shuffle(scales_b, gemm.slices)
    if gemm.shuffled == "all":
        a, b = shuffle_factor(a, element), shuffle_factor(b, element)
    for name, data in {"a": a, "b": b, "sa": scales_a, "sb": scales_b, "c": (numbers_a @ numbers_b.T).astype("f4")}.items():
        numpy.save(name + ".npy", data)
    with open("k.mlir", "w") as file:
        file.write(gemm.text())
    made = subprocess.run([inflight, "compile", "-mcpu=gfx950", "--remarks", "--verify-each", "k.mlir", "-o", "k.hsaco"], check=True,
                          capture_output=True, text=True)
    done = re.search(r"tiles are copied (?:by LDS DMA|through registers), .* as written, (\d+) now", made.stderr)
    assert done and re.fullmatch(conflicts, done[1]), (element, more, made.stderr)
    assert " 0 VGPRs and 0 SGPRs spilled" in made.stderr, (element, more, made.stderr)
    report = subprocess.run([inflight, "waits", "--report", "k.hsaco"], check=True, capture_output=True, text=True).stdout
    assert "--relax would" not in report, (element, more, report)
    # Sums of f6E3M2FN may need a bit more than f32 has.
    arguments = [x for name in ("a", "b", "sa", "sb") for x in ("--arg", name + ".npy")]
    subprocess.run([inflight, "run", "k.hsaco", "--grid", f"{-(-n // 128)},{-(-m // 128)}", *arguments, "--arg", f"zeros:{m}x{n}:f32",
                    "--expect", "4=c.npy,1e-6,0", "--check=all"], check=True)
