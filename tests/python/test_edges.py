"""Indices that are out of every tensor, and what right kernels do at a tensor's edges."""
import inflight
import pytest
import torch
import triton
import triton.language as tl
from planted import assert_found, found_by


@triton.jit
def gather(source, index, target, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.store(target + at, tl.load(source + tl.load(index + at)))  # BUG


@triton.jit
def scatter(source, index, target, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.store(target + tl.load(index + at), tl.load(source + at))  # BUG


@triton.jit
def scatter_sums(source, index, target, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.atomic_add(target + tl.load(index + at), tl.load(source + at))  # BUG


@pytest.mark.parametrize("kernel", [gather, scatter, scatter_sums], ids=lambda kernel: kernel.fn.__name__)
@pytest.mark.parametrize("kind", [torch.int32, torch.int64], ids=str)
@pytest.mark.parametrize("wrong", [-1, -64, 64, 100000, (1 << 29) - 1, -(1 << 28)])
def test_indices(chip, kernel, kind, wrong):
    source, index, target = torch.rand(64), torch.arange(64, dtype=kind), torch.zeros(64)
    assert found_by(kernel, (1,), source, index, target, N=64) == []
    assert torch.equal(source, target)
    index[3] = wrong
    findings = found_by(kernel, (1,), source, index, target, N=64)
    assert_found(findings, "memory", kernel)
    assert len(findings) == 1
    name, byte = "source" if kernel is gather else "target", 4 * wrong
    assert f"lane 3: {name} {'-' if byte < 0 else '+'} 0x{abs(byte):x}" in findings[0].message


@triton.jit
def rows_of(source, target, pitch, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.store(target + tl.program_id(0) * N + at, tl.load(source + tl.program_id(0) * pitch + at))  # BUG


def test_overflowing_products(chip):
    """The second row's bytes begin at 2^32 - 2^29, which as 32 bits are negative."""
    source, target = torch.rand(1000), torch.zeros(128)
    assert found_by(rows_of, (2,), source, target, 64, N=64) == []
    assert_found(found_by(rows_of, (2,), source, target, (1 << 30) - (1 << 27), N=64), "memory", rows_of)


def test_products_that_wrap_to_a_place_inside(chip):
    """The second row's bytes begin at 2^32, which as 32 bits are 0: only Triton's own assertions see that."""
    source, target = torch.rand(64), torch.zeros(192)
    assert found_by(rows_of, (3,), source, target, 1 << 30, N=64) == [] and torch.equal(target[64:128], source)
    with pytest.raises(inflight.KernelFault, match="trap"):
        rows_of[(3,)](source, target, 1 << 30, N=64, debug=True)


def test_index_with_the_offset_of_masks(chip, monkeypatch):
    """Its bytes are 2^31: without buffer instructions it is an access like any other."""
    source, index, target = torch.rand(64), torch.arange(64), torch.zeros(64)
    index[3] = 1 << 29
    assert found_by(gather, (1,), source, index, target, N=64) == [] and target[3] == 0
    monkeypatch.setenv("AMDGCN_USE_BUFFER_OPS", "0")
    assert_found(found_by(gather, (1,), source, index, target, N=64), "memory", gather)


@triton.jit
def masked(source, target, rows, columns, pitch, R: tl.constexpr, C: tl.constexpr):
    row, column = tl.program_id(0) * R + tl.arange(0, R), tl.arange(0, C)
    mask = (row < rows)[:, None] & (column < columns)[None, :]
    at = row[:, None] * pitch + column[None, :]
    value = tl.load(source + at, mask=mask, other=1)
    tl.store(target + at, value + value, mask=mask)
    tl.atomic_add(target + at, value, mask=mask)


@triton.jit
def masked_loop(source, target, count, N: tl.constexpr):
    total = tl.zeros((N,), tl.float32)
    for begin in tl.range(0, count, N, num_stages=3):
        at = begin + tl.arange(0, N)
        total += tl.load(source + at, mask=at < count, other=0.0).to(tl.float32)
    tl.store(target + tl.arange(0, N), total)


@pytest.mark.parametrize("kind", [torch.int8, torch.float16, torch.bfloat16, torch.int32, torch.float32, torch.int64, torch.float64], ids=str)
def test_masks_are_no_mistake(chip, kind):
    source, target = (torch.rand(37, 61) * 10).to(kind), torch.zeros(37, 61, dtype=kind)
    if kind not in (torch.int8,):  # for which there are no atomics
        assert found_by(masked, (5,), source, target, 37, 61, 61, R=8, C=64) == []
        assert torch.allclose(target.double(), 3 * source.double(), rtol=0.02)
    sums = torch.zeros(128)
    assert found_by(masked_loop, (1,), source.flatten(), sums, 1000, N=128) == []
    expected = torch.cat([source.flatten()[:1000].float(), torch.zeros(24)]).reshape(8, 128).sum(0)
    assert torch.allclose(sums, expected)


@triton.jit
def add_ones(target, count, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.atomic_add(target + at, 1.0, mask=at < count)


@triton.jit
def exchange_last(target, number):
    tl.atomic_cas(target + number, tl.full((), 0, tl.float16), tl.full((), 1, tl.float16))


@pytest.mark.parametrize("kind", [torch.float16, torch.bfloat16], ids=str)
@pytest.mark.parametrize("count", [1, 3, 5, 8])
def test_atomics_on_the_last_half(chip, kind, count):
    """Of an odd number of halves the last one is alone in its dword; so is the first one of a view."""
    for begin in (0, 1):
        whole = torch.zeros(begin + count, dtype=kind)
        assert found_by(add_ones, (1,), whole[begin:], count, N=8) == []
        assert whole.tolist() == [0] * begin + [1] * count
    if kind is torch.float16:
        target = torch.zeros(count, dtype=kind)
        assert found_by(exchange_last, (1,), target, count - 1) == []
        assert target.tolist() == [0] * (count - 1) + [1]


def test_atomics_behind_the_end(chip):
    assert_found(found_by(add_marked, (1,), torch.zeros(5, dtype=torch.float16), 7, N=8), "memory", add_marked)


@triton.jit
def add_marked(target, count, N: tl.constexpr):
    at = tl.arange(0, N)
    tl.atomic_add(target + at, 1.0, mask=at < count)  # BUG


@triton.jit
def copy_ahead(source, target, ahead):
    tl.store(target, tl.load(source + ahead))  # BUG


def test_loads_behind_the_end(chip):
    """What a GPU lets pass, as torch's memory goes on there, is a finding of the checks alone; no store is let pass."""
    source, target = torch.rand(1), torch.zeros(1)
    copy_ahead[(1,)](source, target, 1)
    assert_found(found_by(copy_ahead, (1,), source, target, 1), "memory", copy_ahead)
    with pytest.raises(inflight.KernelFault, match="load outside every allocation"):
        copy_ahead[(1,)](source, target, 1 << 20)
    with pytest.raises(inflight.KernelFault, match="outside every allocation"):
        scatter[(1,)](torch.rand(64), torch.arange(64), torch.zeros(63), N=64)
