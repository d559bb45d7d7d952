"""One row of the table of versions: what works with this version of Triton, on both chips, with numpy's arrays and all checks.

    python tests/python/matrix.py VERSION
"""
import os
import sys

# Versions before 3.8 ask torch whether a tensor is small enough for buffer instructions.
os.environ.setdefault("AMDGCN_USE_BUFFER_OPS", "0")

import inflight  # noqa: E402
import inflight.triton  # noqa: E402
import numpy  # noqa: E402
import triton  # noqa: E402
import triton.language as tl  # noqa: E402
from inflight.triton import tensor  # noqa: E402
from triton.experimental import gluon  # noqa: E402
from triton.experimental.gluon import language as gl  # noqa: E402

CHIPS = ("gfx942", "gfx950")


def random(*shape, dtype=numpy.float32):
    return numpy.random.default_rng(1).standard_normal(shape).astype(dtype)


@triton.jit
def add(a, b, c, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(c + at, tl.load(a + at, mask=at < count) + tl.load(b + at, mask=at < count), mask=at < count)


@triton.jit
def softmax(a, b, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = tl.load(a + tl.program_id(0) * columns + at, mask=at < columns, other=-float("inf"))
    row = tl.exp(row - tl.max(row, axis=0))
    tl.store(b + tl.program_id(0) * columns + at, row / tl.sum(row, axis=0), mask=at < columns)


@triton.jit
def matmul(a, b, c, N, K, BLOCK: tl.constexpr):
    m, n, k = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK), tl.program_id(1) * BLOCK + tl.arange(0, BLOCK), tl.arange(0, 32)
    acc = tl.zeros((BLOCK, BLOCK), tl.float32)
    for at in range(0, K, 32):
        acc += tl.dot(tl.load(a + m[:, None] * K + at + k[None, :]), tl.load(b + (at + k)[:, None] * N + n[None, :]))
    tl.store(c + m[:, None] * N + n[None, :], acc)


@gluon.jit
def transpose(source, target, N: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [16, 4], [4, 1], [1, 0])
    other: gl.constexpr = gl.BlockedLayout([4, 1], [4, 16], [1, 4], [0, 1])
    shared: gl.constexpr = gl.SwizzledSharedLayout(4, 1, 8, [1, 0])
    rows, columns = gl.arange(0, N, layout=gl.SliceLayout(1, layout)), gl.arange(0, N, layout=gl.SliceLayout(0, layout))
    room = gl.allocate_shared_memory(gl.float32, [N, N], shared)
    room.store(gl.load(source + rows[:, None] * N + columns[None, :]))
    value = room.load(other)
    rows, columns = gl.arange(0, N, layout=gl.SliceLayout(1, other)), gl.arange(0, N, layout=gl.SliceLayout(0, other))
    gl.store(target + columns[None, :] * N + rows[:, None], value)


def checked(call):
    with inflight.check():
        call()


def run_add():
    a, b, c = random(1000), random(1000), random(1000)
    checked(lambda: add[(4,)](tensor(a), tensor(b), tensor(c), 1000, BLOCK=256))
    assert numpy.array_equal(c, a + b)


def run_softmax():
    a, b = random(20, 100), random(20, 100)
    checked(lambda: softmax[(20,)](tensor(a), tensor(b), 100, BLOCK=128))
    expected = numpy.exp(a - a.max(1, keepdims=True))
    assert numpy.allclose(b, expected / expected.sum(1, keepdims=True), atol=1e-6)


def run_matmul():
    a, b, c = random(128, 256, dtype=numpy.float16), random(256, 128, dtype=numpy.float16), random(128, 128)
    checked(lambda: matmul[(2, 2)](tensor(a), tensor(b), tensor(c), 128, 256, BLOCK=64))
    assert numpy.allclose(c, a.astype("f4") @ b.astype("f4"), atol=1e-2)


def run_gluon():
    a, b = random(32, 32), numpy.zeros((32, 32), numpy.float32)
    checked(lambda: transpose[(1,)](tensor(a), tensor(b), N=32, num_warps=4))
    assert numpy.array_equal(b, a.T)


def run_autotune():
    configs = [triton.Config({"BLOCK": block}, num_warps=warps) for block in (256, 512) for warps in (2, 4)]
    tuned = triton.autotune(configs, key=["count"])(add)
    a, b, c = random(1000), random(1000), random(1000)
    tuned[lambda meta: (triton.cdiv(1000, meta["BLOCK"]),)](tensor(a), tensor(b), tensor(c), 1000)
    assert numpy.array_equal(c, a + b) and tuned.best_config in configs


def run_do_bench():
    a, b, c = random(1000), random(1000), random(1000)
    assert 0 < triton.testing.do_bench(lambda: add[(4,)](tensor(a), tensor(b), tensor(c), 1000, BLOCK=256)) < 1


def run_findings():
    a, b, c = random(1000), random(1000), random(900)
    try:
        checked(lambda: add[(4,)](tensor(a), tensor(b), tensor(c), 1000, BLOCK=256))
    except inflight.FindingsError as error:
        finding = error.findings[0]
        assert finding.rule == "memory" and finding.file == os.path.abspath(__file__) and "c + 0x" in finding.message, str(finding)
    else:
        raise AssertionError("nothing was found")


def run_verified():
    with inflight.triton.verified() as kernels:
        add.warmup(tensor(random(8)), tensor(random(8)), tensor(random(8)), 8, BLOCK=512, grid=(1,))
    assert len(kernels) == 1 and kernels[0].waits.status == 0, kernels


TESTS = {"add": run_add, "softmax": run_softmax, "matmul": run_matmul, "Gluon": run_gluon, "autotune": run_autotune, "do_bench": run_do_bench,
         "findings": run_findings, "waits": run_verified}


def main():
    version = sys.argv[1]
    assert triton.__version__ == version, triton.__version__
    failed = {}
    for chip in CHIPS:
        inflight.triton.activate(chip)
        for name, test in TESTS.items():
            try:
                test()
            except Exception as error:
                failed.setdefault(name, f"{chip}: {type(error).__name__}: {error}")
    print(f"| {version} | " + " | ".join("no" if name in failed else "yes" for name in TESTS) + " |", flush=True)
    for name, why in failed.items():
        print(f"  {name}: {why}", file=sys.stderr)
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
