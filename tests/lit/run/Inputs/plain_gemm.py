"""plain_gemm.py INFLIGHT examples/gemm: kernels of plain.py against numpy, on small integers, whose sums are exact."""
import re
import subprocess
import sys

import numpy

inflight, folder = sys.argv[1:]
sys.path.insert(0, folder)
from plain import PlainGemm  # noqa: E402

VALUES = numpy.array([0, 1, 2, -1], "f4")
CODES = {"f16": numpy.array([0, 1, 2, -1], "f2"), "bf16": numpy.array([0, 0x3F80, 0x4000, 0xBF80], "u2"),
         "f8E4M3FNUZ": numpy.array([0, 0x40, 0x48, 0xC0], "u1"), "f8E4M3FN": numpy.array([0, 0x38, 0x40, 0xB8], "u1")}
DIES = {"result": "f16", "turned": True, "dies": (1, 2)}
CASES = [  # chip, type, tile, waves, M, N, K, bytes of a step, padding, run-time K, options, other arguments of PlainGemm
    ("gfx942", "f16", (64, 64), (2, 2), 128, 192, 64, 64, 0, False, [], {}),
    ("gfx942", "f16", (64, 64), (2, 2), 128, 192, 160, 64, 0, False, [], {}),
    ("gfx942", "f16", (64, 64), (2, 2), 64, 64, 96, 64, 16, True, ["--stages=4"], {}),
    ("gfx942", "bf16", (128, 64), (2, 2), 128, 64, 288, 64, 0, True, ["--stages=3"], {}),
    ("gfx942", "f8E4M3FNUZ", (64, 64), (2, 2), 64, 64, 320, 64, 0, False, [], {}),
    ("gfx950", "f16", (128, 128), (2, 2), 128, 128, 192, 128, 0, False, [], {}),
    ("gfx950", "f16", (64, 64), (2, 2), 64, 128, 224, 64, 16, True, ["--stages=3"], {}),
    ("gfx950", "f8E4M3FN", (64, 64), (2, 2), 128, 64, 192, 64, 0, True, ["--stages=2"], {}),
    ("gfx90a", "f16", (64, 64), (2, 2), 64, 64, 160, 64, 0, False, ["--stages=3"], {}),
    ("gfx90a", "bf16", (64, 64), (2, 2), 64, 64, 64, 64, 0, False, [], {}),
    ("gfx942", "f16", (64, 64), (2, 2), 64, 128, 160, 64, 0, False, [], DIES),
    ("gfx950", "f16", (256, 256), (2, 2), 256, 512, 640, 128, 0, False, [], {"wide": True, **DIES}),
    # Not multiples of the tile.
    ("gfx942", "f16", (128, 128), (2, 2), 200, 264, 120, 64, 0, False, [], {"turned": True, "result": "f16"}),
    ("gfx942", "f8E4M3FNUZ", (64, 128), (2, 2), 65, 130, 336, 64, 0, False, [], {}),
    ("gfx950", "bf16", (128, 64), (2, 2), 130, 68, 200, 128, 16, False, [], {"wide": True}),
    ("gfx950", "f16", (64, 64), (2, 2), 100, 64, 328, 128, 0, False, ["--stages=3"], {}),
    ("gfx90a", "f16", (64, 64), (2, 2), 64, 100, 40, 64, 0, False, [], {}),
    # The factors of two iterations don't fit into registers beside the sums.
    ("gfx950", "f8E4M3FN", (256, 256), (2, 2), 256, 256, 2432, 128, 0, False, [], {"turned": True}),
    ("gfx950", "f8E4M3FN", (256, 256), (2, 4), 256, 256, 2432, 128, 0, False, [], {"turned": True}),
    ("gfx950", "f8E4M3FN", (256, 256), (2, 4), 256, 256, 512, 128, 0, False, [], {"turned": True, "read": 16}),
    ("gfx942", "f8E4M3FNUZ", (64, 64), (2, 2), 64, 128, 320, 64, 0, False, [], {"read": 16}),
    # What is done with sums.
    ("gfx942", "f16", (64, 64), (2, 2), 128, 128, 160, 64, 0, False, ["--stages=2"],
     {"turned": True, "result": "f16", "alpha": True, "bias": True, "activation": "gelu"}),
    ("gfx950", "f16", (128, 64), (2, 2), 130, 68, 200, 64, 0, False, [], {"turned": True, "result": "f16", "bias": True, "activation": "relu"}),
    ("gfx950", "bf16", (64, 64), (2, 2), 64, 72, 160, 64, 0, False, [], {"alpha": True, "bias": True, "activation": "silu"}),
    ("gfx90a", "f16", (64, 64), (2, 2), 64, 64, 64, 64, 0, False, [], {"activation": "gelu"}),
    # Parts of K.
    ("gfx942", "f16", (64, 64), (2, 2), 128, 64, 640, 64, 0, False, [], {"split": 4}),
    ("gfx950", "bf16", (64, 64), (2, 2), 64, 100, 384, 64, 0, False, [], {"split": 2}),
    ("gfx90a", "f16", (64, 64), (2, 2), 64, 64, 256, 64, 0, False, [], {"split": 4, "turned": True}),
    # Workgroups that compute several tiles, and different numbers of them.
    ("gfx942", "f16", (64, 64), (2, 2), 192, 320, 192, 64, 0, False, ["--stages=2"], {"workgroups": 4, "turned": True, "result": "f16"}),
    ("gfx942", "f16", (64, 64), (2, 2), 128, 192, 288, 64, 0, False, ["--stages=3"], {"workgroups": 5}),
    ("gfx950", "f16", (128, 128), (2, 2), 256, 256, 256, 64, 0, False, ["--stages=2"], {"workgroups": 1}),
    ("gfx950", "f8E4M3FN", (256, 256), (2, 4), 512, 512, 768, 128, 0, False, [], {"workgroups": 3, "read": 16, "turned": True, "result": "f16"}),
    ("gfx90a", "f16", (64, 64), (2, 2), 128, 128, 192, 64, 0, False, [], {"workgroups": 7}),
    ("gfx90a", "f16", (64, 64), (2, 2), 128, 128, 160, 64, 0, False, [], {"workgroups": 2}),
]


def active(x, name):
    if name == "relu":
        return numpy.maximum(x, 0)
    y = x / 2 if name == "silu" else (2 / numpy.pi) ** 0.5 * (x + 0.044715 * x ** 3)
    return x * (1 + numpy.tanh(y)) / 2


def finished(sums, n, result, alpha=False, bias=False, activation=None, **others):
    """What the kernel does with its sums, and the arguments for it."""
    arguments = []
    if alpha:
        sums = sums * 0.125
    if bias:
        values = generator.integers(-8, 8, n) / 8
        numpy.save("bias.npy", values.astype({"f32": "f4", "f16": "f2"}[result]))
        arguments += ["--arg", f"bias.npy:{result}"]
        sums = sums + values
    if alpha:
        arguments += ["--arg", "f32:0.125"]
    return active(sums, activation) if activation else sums, arguments


generator = numpy.random.default_rng(1)
for chip, element, tile, waves, m, n, k, step, pad, isDynamic, options, more in CASES:
    a, b = (generator.integers(0, 4, (rows, k)) for rows in (m, n))
    numpy.save("a.npy", CODES[element][a])
    numpy.save("b.npy", CODES[element][b])
    result = more.get("result", "f32")
    sums, arguments = finished(VALUES[a].astype("f8") @ VALUES[b].T, n, **{"result": "f32", **more})
    numpy.save("c.npy", sums.astype({"f32": "f4", "f16": "f2"}[result]))
    tolerance = {"f32": ",1e-5,1e-6", "f16": ",1e-3,1e-4"}[result] if "activation" in more else ""
    with open("k.mlir", "w") as file:
        file.write(PlainGemm(element, tile, waves, (m, n, None if isDynamic else k), step, pad, **more).text())
    made = subprocess.run([inflight, "compile", f"-mcpu={chip}", "--remarks", "--verify-each", *options, "k.mlir", "-o", "k.hsaco"],
                          check=True, capture_output=True, text=True)
    # What LDS DMA writes is free of bank conflicts. Lanes that store may keep some where copies take less time so, never more than as written.
    done = re.search(r"tiles are copied (by LDS DMA|through registers), .* (\d+) cycles as written, (\d+) now", made.stderr)
    assert done and int(done[3]) <= (int(done[2]) if done[1] == "through registers" else 0), (chip, element, k, made.stderr)
    assert "2 buffers" in made.stderr or tile != (256, 256), (chip, element, k, made.stderr)
    assert " 0 VGPRs and 0 SGPRs spilled" in made.stderr, (chip, element, k, made.stderr)
    report = subprocess.run([inflight, "waits", "--report", "k.hsaco"], check=True, capture_output=True, text=True).stdout
    # In a loop over tiles the wait for the arguments of what stores results could stand before the loop.
    assert "--relax would" not in report or "--relax would remove 1, add 1" in report and "workgroups" in more, (chip, element, k, report)
    workgroups = more.get("workgroups")
    iterations, buffers = k * CODES[element].itemsize // step, int(re.search(r"(\d+) buffers", made.stderr)[1])
    early = "the next tile's copies start before this one's results are stored" in made.stderr
    assert early == bool(workgroups and iterations % buffers == 0), (chip, element, k, made.stderr)
    grid = str(workgroups) if workgroups else f"{-(-n // tile[1])},{-(-m // tile[0])},{more.get('split', 1)}"
    launch = [inflight, "run", "k.hsaco", "--grid", grid, "--arg", f"a.npy:{element}", "--arg", f"b.npy:{element}", "--arg", f"zeros:{m}x{n}:{result}",
              *arguments, "--expect", f"2=c.npy{tolerance}", "--check=all"]
    subprocess.run(launch, check=True)
