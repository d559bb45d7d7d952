"""What right programs pass to kernels: reinterpreted tensors, views that torch doesn't have, and addresses of tensors in tables."""
import os
import pathlib
import subprocess
import sys
import textwrap

import inflight
import pytest
import torch
import triton
import triton.language as tl


@triton.jit
def convert(source, target, COUNT: tl.constexpr):
    at = tl.arange(0, COUNT)
    tl.store(target + at, tl.load(source + at).to(tl.float32))


def test_reinterpreted_tensors(chip):
    kinds = [(torch.float8_e4m3fnuz, tl.float8e4b8), (torch.float8_e5m2fnuz, tl.float8e5b16)] if chip == "gfx942" else [
        (torch.float8_e4m3fn, tl.float8e4nv), (torch.float8_e5m2, tl.float8e5)]
    for kind, name in kinds:
        source, target = torch.arange(-8.0, 8.0).to(kind), torch.zeros(16)
        convert[(1,)](triton.reinterpret(source.view(torch.uint8), name), target, COUNT=16)
        assert torch.equal(target, torch.arange(-8.0, 8.0))
    source, target = torch.arange(16, dtype=torch.int16), torch.zeros(16)
    convert[(1,)](triton.reinterpret(triton.reinterpret(source, tl.int16), tl.uint16), target, COUNT=16)
    assert torch.equal(target, source.float())


class Backwards:
    """A library's own view, such as FlagGems has for what torch can't: the last element is the first."""

    def __init__(self, tensor):
        self.tensor, self.dtype, self.shape, self.device = tensor, tensor.dtype, tensor.shape, tensor.device

    def data_ptr(self):
        return self.tensor.data_ptr() + (self.tensor.numel() - 1) * self.tensor.element_size()

    def element_size(self):
        return self.tensor.element_size()

    def stride(self):
        return (-1,)

    def untyped_storage(self):
        return self.tensor.untyped_storage()


@triton.jit
def copy_strided(source, target, stride, COUNT: tl.constexpr):
    at = tl.arange(0, COUNT)
    tl.store(target + at, tl.load(source + at * stride))


def test_views_of_a_library(chip):
    source, target = torch.arange(16.0), torch.zeros(16)
    with inflight.check():
        copy_strided[(1,)](Backwards(source), target, -1, COUNT=16)
    assert torch.equal(target, source.flip(0))
    with inflight.check(raises=False) as found:
        copy_strided[(1,)](Backwards(source), target, -1, COUNT=32)
    assert "source" in str(found.findings[0]) and found.findings[0].rule == "memory"


PROGRAM = textwrap.dedent('''
    {first}
    import torch, triton, triton.language as tl

    @triton.jit
    def through(table, target, COUNT: tl.constexpr):
        at = tl.arange(0, COUNT)
        tl.store(target + at, tl.load(tl.load(table).to(tl.pointer_type(tl.float32)) + at) + 1)

    tensor, target = torch.rand(64), torch.zeros(64)
    through[(1,)](torch.tensor([tensor.data_ptr()]), target, COUNT=64)
    assert torch.equal(target, tensor + 1)
''')


def run(tmp_path, first, **environment):
    (tmp_path / "program.py").write_text(PROGRAM.format(first=first))
    path = os.pathsep.join([str(pathlib.Path(inflight.__file__).parent.parent), str(tmp_path)])
    done = subprocess.run([sys.executable, "-W", "ignore", "program.py"], cwd=tmp_path, env={**os.environ, "PYTHONPATH": path, **environment},
                          capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


@triton.jit
def through(table, target, COUNT: tl.constexpr):
    at = tl.arange(0, COUNT)
    tl.store(target + at, tl.load(tl.load(table).to(tl.pointer_type(tl.float32)) + at))


def test_addresses_of_views(chip):
    """The tensor that was asked may be gone, as long as another one has its memory."""
    tensor, target = torch.rand(2, 64), torch.zeros(64)
    for view in (tensor.detach(), tensor[0], tensor.view(128)[:64]):
        table = torch.tensor([view.data_ptr()])
        del view
        through[(1,)](table, target, COUNT=64)
        assert torch.equal(target, tensor[0])


@pytest.mark.parametrize("first", ["import inflight.triton; inflight.triton.activate()", "import torch, inflight.triton; inflight.triton.activate()"])
def test_addresses_at_the_first_launch(tmp_path, first):
    run(tmp_path, first)


def test_addresses_where_the_driver_comes_with_the_first_launch(tmp_path):
    metadata = tmp_path / "inflight_gpu-0.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Metadata-Version: 2.1\nName: inflight-gpu\nVersion: 0\n")
    (metadata / "entry_points.txt").write_text("[triton.backends]\ninflight = inflight.triton\n")
    run(tmp_path, "", TRITON_DEFAULT_BACKEND="inflight", INFLIGHT_CHIP="gfx942")
