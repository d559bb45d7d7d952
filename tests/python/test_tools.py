"""Around launches: waits verified while Triton compiles, timelines for notebooks, pytest's plugin."""
import os
import pathlib
import subprocess
import sys
import textwrap

import inflight
import inflight.triton
import pytest
import torch
import triton
import triton.language as tl
from planted import edited_assembly, without


@triton.jit
def matmul(a, b, c, M: tl.constexpr, N: tl.constexpr, K: tl.constexpr):
    m, n, k = tl.arange(0, M), tl.arange(0, N), tl.arange(0, 32)
    acc = tl.zeros((M, N), tl.float32)
    for at in range(0, K, 32):
        acc += tl.dot(tl.load(a + m[:, None] * K + at + k[None, :]), tl.load(b + (at + k)[:, None] * N + n[None, :]))
    tl.store(c + m[:, None] * N + n[None, :], acc)


def operands():
    return torch.randn(64, 128).half(), torch.randn(128, 64).half(), torch.zeros(64, 64)


@pytest.mark.parametrize("relax", [False, True])
def test_waits_are_verified(chip, relax):
    matmul.device_caches.clear()
    a, b, c = operands()
    with inflight.triton.verified(relax=relax) as kernels, inflight.check():
        matmul[(1,)](a, b, c, 64, 64, 128)
    assert [(kernel.name, kernel.waits.status) for kernel in kernels] == [("matmul", 0)]
    assert torch.allclose(c, a.float() @ b.float(), atol=1e-2)


def test_missing_waits_are_errors(chip):
    matmul.device_caches.clear()
    a, b, c = operands()
    with edited_assembly(without(r"s_waitcnt vmcnt\(0\)")):
        broken = matmul.warmup(a, b, c, 64, 64, 128, grid=(1,)).asm["amdgcn"]
    findings = inflight.waits(broken).findings
    assert "missing-wait" in [finding.rule for finding in findings]
    from inflight.triton.waits import _visit

    with pytest.raises(inflight.FindingsError, match="missing-wait"):
        _visit(broken, {"name": "matmul"}, False, True, [])


def test_timelines(chip, tmp_path):
    a, b, c = operands()
    with inflight.trace(kernel="matmul") as trace:
        matmul[(1,)](a, b, c, 64, 64, 128)
        matmul[(1,)](a, b, c, 64, 64, 128)
    assert torch.allclose(c, a.float() @ b.float(), atol=1e-2)
    assert len(trace.pages) == 1 and trace.pages[0].result.microseconds > 0
    assert trace._repr_html_().startswith('<iframe srcdoc="&lt;!doctype html')
    trace.save(tmp_path / "page.html")
    assert "<script" in (tmp_path / "page.html").read_text()


def test_plugin(tmp_path):
    (tmp_path / "conftest.py").write_text("import torch\n\nDEVICE = 'cuda' if torch.cuda.is_available() else 'cpu'\n")
    (tmp_path / "test_it.py").write_text(textwrap.dedent('''
        import conftest, pytest, torch, triton, triton.language as tl

        @triton.jit
        def double(a, b, count, BLOCK: tl.constexpr):
            at = tl.arange(0, BLOCK)
            tl.store(b + at, 2 * tl.load(a + at, mask=at < count), mask=at < 100)

        def run(count):
            a, b = torch.ones(100, device=conftest.DEVICE), torch.zeros(100).cuda()
            double[(1,)](a, b, count, BLOCK=256)
            assert b.is_cuda and (count > 100 or b.sum() == 200)

        @pytest.mark.inflight
        def test_right():
            run(100)

        @pytest.mark.inflight
        def test_wrong():
            run(101)

        @pytest.mark.inflight(ignore=["memory"])
        def test_ignored():
            run(101)

        def test_chip(inflight_chip):
            assert inflight_chip == "gfx950" and triton.runtime.driver.active.get_current_target().arch == "gfx950"
    '''))
    package = pathlib.Path(inflight.__file__).parent.parent
    done = subprocess.run([sys.executable, "-W", "ignore", "-m", "pytest", "-p", "inflight_pytest", "-p", "no:cacheprovider", "--inflight-chip=gfx950",
                           "--inflight-cuda", "-rA", "test_it.py"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(package)}, capture_output=True, text=True)
    assert "3 passed" in done.stdout and "1 failed" in done.stdout, done.stdout + done.stderr
    assert "FAILED test_it.py::test_wrong" in done.stdout
    assert "inflight findings" in done.stdout and "test_it.py:7: error: buffer access outside every allocation" in done.stdout
