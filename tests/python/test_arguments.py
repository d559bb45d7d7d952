"""What right programs pass to kernels: reinterpreted tensors."""
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
