"""plain_attention.py INFLIGHT plain.py: attention whose tiles are written without asynchronous copies, of both ahead of their use; compared with the host's."""
import subprocess
import sys

import numpy

inflight, generator = sys.argv[1:]
random = numpy.random.default_rng(3)
for heads, length, dim, blocks, causal in ((2, 256, 64, 2, False), (1, 256, 128, 1, True)):
    q, k, v = (random.uniform(-1, 1, (heads, length, dim)).astype("f2") for _ in range(3))
    for name, values in zip("qkv", (q, k, v)):
        numpy.save(name, values)
    scores = numpy.einsum("hid,hjd->hij", q.astype("f8"), k.astype("f8")) / dim ** 0.5
    if causal:
        scores = numpy.where(numpy.tril(numpy.ones((length, length))) > 0, scores, -numpy.inf)
    weights = numpy.exp(scores - scores.max(-1, keepdims=True))
    expected = weights / weights.sum(-1, keepdims=True) @ v.astype("f8")
    with open("k.mlir", "w") as file:
        options = [f"--size={heads}x{length}x{dim}", f"--blocks={blocks}", *(["--causal"] if causal else [])]
        subprocess.run([sys.executable, generator, *options], check=True, stdout=file)
    for stages in ("2", "3"):
        made = subprocess.run([inflight, "compile", "-mcpu=gfx950", "--remarks", "--verify-each", f"--stages={stages}", "k.mlir", "-o", "k.hsaco"],
                              check=True, capture_output=True, text=True)
        assert f"tiles are copied by LDS DMA, {stages} buffers" in made.stderr and "cycles as written, 0 now" in made.stderr, made.stderr
        subprocess.run([inflight, "run", "k.hsaco", "--grid", f"{length // 64 // blocks},{heads}", "--arg", "q.npy", "--arg", "k.npy", "--arg", "v.npy",
                        "--arg", f"zeros:{heads}x{length}x{dim}:f32", "--out", "3=o.npy", "--check=all"], check=True)
        error = abs(numpy.load("o.npy") - expected).max()
        assert error < 5e-4, error
