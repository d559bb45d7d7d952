"""torch.compile on torch's device "cuda", where the CPU stands for it: test_cuda.py runs pytest on this file, in a process of its own.

Inductor's own options decide what becomes a Triton kernel. What it leaves to torch's operators (products of matrices, convolutions) runs on the CPU.
"""
import copy

import inflight
import pytest
import torch
import triton
import triton.language as tl
from inflight.triton import launcher
from torch import nn
from torch.nn import functional

CPU, CUDA = torch.device("cpu"), torch.device("cuda", 0)


class Function(nn.Module):
    def __init__(self, function, **parameters):
        super().__init__()
        self.function = function
        for name, value in parameters.items():
            setattr(self, name, nn.Parameter(value))

    def forward(self, *arguments):
        return self.function(self, *arguments)


def rotary(self, x):
    x = x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * self.weight
    angle = torch.arange(x.shape[-2], device=x.device)[:, None] / 100 ** (torch.arange(0, 20, device=x.device) / 20)
    a, b = x.chunk(2, -1)
    return torch.cat([a * angle.cos() - b * angle.sin(), b * angle.cos() + a * angle.sin()], -1)


def attention(self, x):
    q, k, v = ((x @ weight).unflatten(-1, (2, 20)).transpose(1, 2) for weight in (self.q, self.k, self.v))
    # With a cap: what Inductor knows as attention becomes one operator of torch's.
    scores = 3 * ((q @ k.transpose(-1, -2)) / 20**0.5).tanh()
    scores = scores.masked_fill(torch.ones_like(scores, dtype=torch.bool).triu(1), -float("inf"))
    return (scores.softmax(-1) @ v).transpose(1, 2).flatten(-2)


def gated(self, x):
    return x + (functional.silu(functional.layer_norm(x, (40,)) @ self.gate) * (x @ self.up)) @ self.down


def next_token(self, tokens):
    return functional.cross_entropy((self.table[tokens] @ self.table.T).flatten(0, 1), tokens.roll(1, -1).flatten())


def modules():
    """By name: a module, and what it is given."""
    torch.manual_seed(3)
    square = [torch.randn(40, 40) / 6 for _ in range(6)]
    x = torch.randn(2, 17, 40)
    return {
        "mlp": (nn.Sequential(nn.Linear(40, 72), nn.GELU(), nn.Linear(72, 24)), x),
        "layer norm": (nn.LayerNorm(40), x),
        "softmax": (nn.Softmax(-1), torch.randn(5, 1000)),
        "gelu": (nn.GELU("tanh"), torch.randn(1000)),
        "attention": (Function(attention, q=square[0], k=square[1], v=square[2]), x),
        "convolution and batch norm": (nn.Sequential(nn.Conv2d(3, 8, 3), nn.BatchNorm2d(8), nn.ReLU(), nn.MaxPool2d(2)), torch.randn(2, 3, 12, 12)),
        "embedding and cross entropy": (Function(next_token, table=torch.randn(50, 16)), torch.randint(50, (3, 11))),
        "RMS norm and rotary": (Function(rotary, weight=torch.rand(40)), x),
        "residual": (Function(gated, gate=square[3], up=square[4], down=square[5]), x),
        "group norm": (nn.GroupNorm(4, 16), torch.randn(2, 16, 9)),
        "reductions": (Function(lambda self, x: x.var(0).sum() + x.amax(1).sum() * x.mean()), torch.randn(300, 200)),
        "scan and sort": (Function(lambda self, x: x.cumsum(-1) * x.sort(-1).values), torch.randn(4, 100)),
    }


@pytest.fixture(autouse=True)
def compiled_anew():
    torch.compiler.reset()


@pytest.fixture
def launched(monkeypatch):
    """Names of the kernels that were launched."""
    names, plain = [], launcher._launch
    monkeypatch.setattr(launcher, "_launch", lambda kernel, *rest: names.append(kernel.name) or plain(kernel, *rest))
    return names


@pytest.mark.parametrize("name", modules())
def test_modules(name, launched):
    """Forward and backward, with all checks, against the same in float64 on the CPU."""
    module, given = modules()[name]
    expected, wide = copy.deepcopy(module).double(), given.double() if given.is_floating_point() else given
    module, given = module.cuda(), given.cuda()
    for one in (given, wide):
        one.requires_grad_(one.is_floating_point())
    with inflight.check():
        out = torch.compile(module)(given)
        count = len(launched)
        gradient = torch.randn(out.shape)
        out.backward(gradient.cuda())
    assert 0 < count < len(launched) and all(one.startswith("triton_") for one in launched)
    reference = expected(wide)
    reference.backward(gradient.double())
    assert out.device == CUDA
    torch.testing.assert_close(out.cpu().double(), reference, rtol=1e-5, atol=1e-5)
    for one, other in zip([*module.parameters(), given], [*expected.parameters(), wide]):
        if other.grad is not None:
            torch.testing.assert_close(one.grad.cpu().double(), other.grad, rtol=1e-5, atol=2e-5)


def test_where_tensors_are(launched):
    host, there = torch.randn(70), torch.randn(70, device="cuda")

    def places(x):
        made = torch.arange(70, device="cuda") + torch.ones(70, device=x.device) + torch.tensor([2.0] * 70, device="cuda")
        return x + made * torch.tensor(3.0, device="cuda"), str(x.device), x.is_cuda

    out, device, is_cuda = torch.compile(places)(there)
    assert (out.device, device, is_cuda) == (CUDA, "cuda:0", True)
    assert torch.equal(out.cpu(), there.cpu() + 3 * (torch.arange(70) + 3.0))
    count = len(launched)
    assert count
    assert torch.compile(lambda x: x.sin() + 1)(host).device == CPU and len(launched) == count
    assert torch.compile(lambda x: x.cuda() + 1)(host).device == CUDA and len(launched) > count
    assert torch.compile(lambda x: (x + 1).cpu() * 2)(there).device == CPU
    both = torch.compile(lambda x: x.cos() + 1)
    assert [both(x).device for x in (host, there, host)] == [CPU, CUDA, CPU]
    with pytest.raises(ValueError, match="cannot be accessed from Triton"):
        torch.compile(lambda x, y: x + y)(there, host)


def test_writes_to_parts(launched):
    def written(x):
        y = x * 2
        y[3:4] = x.sum()
        y[7:9].add_(1)
        y[x > 0] = 5
        return y.index_put((torch.arange(3, device="cuda"),), torch.ones(3, device="cuda"))

    x = torch.randn(64, device="cuda")
    torch.testing.assert_close(torch.compile(written)(x), written(x))
    assert launched


def test_autocast(launched):
    a = torch.randn(40, 40, device="cuda")

    @torch.compile
    def product(x):
        with torch.autocast("cuda", torch.bfloat16):
            return (x @ x).relu()

    assert product(a).dtype == torch.bfloat16 and launched


def test_random_numbers(launched):
    kept = torch.compile(lambda x: functional.dropout(x, 0.25))(torch.ones(4000, device="cuda"))
    assert launched and set(kept.tolist()) == {0.0, kept.max().item()} and 0.7 < (kept != 0).float().mean() < 0.8


def test_dynamic_shapes(launched):
    softmax = torch.compile(lambda x: x.softmax(-1), dynamic=True)
    for rows, columns in ((3, 50), (7, 90), (5, 300)):
        x = torch.randn(rows, columns, device="cuda")
        torch.testing.assert_close(softmax(x), x.softmax(-1))
    assert len(launched) == 3


@triton.jit
def double(a, b, COUNT: tl.constexpr):
    at = tl.arange(0, COUNT)
    tl.store(b + at, 2 * tl.load(a + at))


def test_kernels_of_the_program(launched):
    @torch.compile(fullgraph=True)
    def twice(x):
        out = torch.empty_like(x)
        double[(1,)](x, out, COUNT=64)
        return out + 1

    x = torch.randn(64, device="cuda")
    assert torch.equal(twice(x), 2 * x + 1) and "double" in launched[0]


def test_choices_by_modelled_time(launched):
    """Of Triton's templates and torch's own product, which has no modelled time, a template is chosen, and of templates one by its time."""
    a = torch.randn(33, 70, device="cuda").half()
    product = torch.compile(lambda x: (x @ x.T).relu(), options={"max_autotune": True, "max_autotune_gemm_search_space": "DEFAULT"})
    torch.testing.assert_close(product(a).cpu().float(), (a.cpu().float() @ a.cpu().float().T).relu(), rtol=1e-3, atol=1e-2)
    assert "triton_tem" in launched[-1]


def test_what_another_torch_lacks_is_named(monkeypatch):
    from inflight import _inductor
    monkeypatch.setattr(torch, "compile", torch.compile)  # afterwards it is what it was
    _inductor._or_refused(lambda: torch.no_such_function)()
    with pytest.raises(NotImplementedError, match="no_such_function"):
        torch.compile(torch.sin)


def test_graphs_are_refused():
    with pytest.raises(NotImplementedError, match="torch.cuda.CUDAGraph"):
        torch.compile(lambda x: x.sin() + 1, mode="reduce-overhead")(torch.ones(3, device="cuda"))
