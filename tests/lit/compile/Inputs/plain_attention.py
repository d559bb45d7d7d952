"""plain_attention.py INFLIGHT plain.py: attention whose tiles are written without asynchronous copies, of both ahead of their use; compared with the host's."""
import subprocess
import sys

import numpy

inflight, generator = sys.argv[1:]
random = numpy.random.default_rng(3)
# The last: how large Q is. Large scores outgrow the first tile's maximum. The loop over the longest one is rotated.
for chip, heads, length, dim, causal, large in (
        ("gfx950", 2, 256, 64, False, 1), ("gfx950", 1, 2048, 64, False, 4), ("gfx950", 1, 256, 128, True, 1), ("gfx950", 1, 256, 64, False, 32),
        ("gfx942", 1, 256, 64, True, 1), ("gfx942", 1, 256, 128, False, 16)):
    q, k, v = (random.uniform(-1, 1, (heads, length, dim)).astype("f2") for _ in range(3))
    q *= large
    for name, values in zip("qkv", (q, k, v)):
        numpy.save(name, values)
    scores = numpy.einsum("hid,hjd->hij", q.astype("f8"), k.astype("f8")) / dim ** 0.5
    if causal:
        scores = numpy.where(numpy.tril(numpy.ones((length, length))) > 0, scores, -numpy.inf)
    weights = numpy.exp(scores - scores.max(-1, keepdims=True))
    expected = weights / weights.sum(-1, keepdims=True) @ v.astype("f8")
    with open("k.mlir", "w") as file:
        options = [f"--size={heads}x{length}x{dim}", f"--chip={chip}", *(["--causal"] if causal else [])]
        subprocess.run([sys.executable, generator, *options], check=True, stdout=file)
    for stages in ("1", "2", "3"):
        made = subprocess.run([inflight, "compile", f"-mcpu={chip}", "--remarks", "--verify-each", f"--stages={stages}", "k.mlir", "-o", "k.hsaco"],
                              check=True, capture_output=True, text=True)
        assert f"tiles are copied by LDS DMA, {stages} buffers" in made.stderr and "cycles as written, 0 now" in made.stderr, made.stderr
        subprocess.run([inflight, "run", "k.hsaco", "--grid", f"{heads},{length // 128}", "--arg", "q.npy", "--arg", "k.npy", "--arg", "v.npy",
                        "--arg", f"zeros:{heads}x{length}x{dim}:f32", "--out", "3=o.npy", "--check=all"], check=True)
        error = abs(numpy.load("o.npy") - expected).max()
        assert error < 5e-4 * large, error
