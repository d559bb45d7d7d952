"""Bugs that Triton's and Gluon's users make: each is found, with its line; the kernel without the bug is clean."""
import pytest
import torch
import triton
import triton.language as tl
from planted import assert_found, edited_assembly, found_by, without
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.amd import cdna4


@triton.jit
def copy_kernel(source, target, count, BLOCK: tl.constexpr, BUG: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if BUG == "mask of the load":
        value = tl.load(source + at, mask=at <= count)  # BUG load
    else:
        value = tl.load(source + at, mask=at < count)
    if BUG == "no mask at the store":
        tl.store(target + at, value)  # BUG store
    else:
        tl.store(target + at, value, mask=at < count)


@pytest.mark.parametrize("bug, mark", [("mask of the load", "# BUG load"), ("no mask at the store", "# BUG store")])
def test_masks(chip, bug, mark):
    source, target = torch.rand(1000), torch.zeros(1000)
    assert found_by(copy_kernel, (4,), source, target, 1000, BLOCK=256, BUG="") == []
    assert torch.equal(source, target)
    assert_found(found_by(copy_kernel, (4,), source, target, 1000, BLOCK=256, BUG=bug), "memory", copy_kernel, mark)


@triton.jit
def row_sums(matrix, sums, rows, columns, stride, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    at = tl.arange(0, BLOCK)
    values = tl.load(matrix + row * stride + at, mask=at < columns, other=0.0)  # BUG
    tl.store(sums + row, tl.sum(values))


def test_wrong_stride(chip):
    matrix, sums = torch.rand(16, 100), torch.zeros(16)
    assert found_by(row_sums, (16,), matrix, sums, 16, 100, matrix.stride(0), BLOCK=128) == []
    assert torch.allclose(sums, matrix.sum(1))
    # Bytes instead of elements.
    assert_found(found_by(row_sums, (16,), matrix, sums, 16, 100, matrix.stride(0) * 4, BLOCK=128), "memory", row_sums)


def test_wrong_dtype(chip):
    """A kernel that was written for singles gets halves: half of its loads are beyond the array."""
    singles, halves = torch.rand(1024), torch.rand(1024).half()

    @triton.jit
    def kernel(source, target, BLOCK: tl.constexpr):
        at = tl.arange(0, BLOCK)
        tl.store(target + at, tl.load(source.to(tl.pointer_type(tl.float32)) + at))  # BUG

    assert found_by(kernel, (1,), singles, torch.zeros(1024), BLOCK=1024) == []
    assert_found(found_by(kernel, (1,), halves, torch.zeros(1024), BLOCK=1024), "memory", kernel)


@triton.jit
def gather(table, target, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    source = tl.load(table + tl.program_id(0)).to(tl.pointer_type(tl.float32))
    tl.store(target + tl.program_id(0) * BLOCK + at, tl.load(source + at))  # BUG


def test_freed_tensor(chip):
    """A table of addresses keeps nothing alive."""
    tensors = [torch.rand(1 << 19) for _ in range(3)]
    table = torch.tensor([tensor.data_ptr() for tensor in tensors])
    target = torch.zeros(3 * 256)
    assert found_by(gather, (3,), table, target, BLOCK=256) == []
    assert torch.equal(target[512:], tensors[2][:256])
    del tensors[1]
    assert_found(found_by(gather, (3,), table, target, BLOCK=256), "memory", gather)


@gluon.jit
def transposed(source, target, N: gl.constexpr, BUG: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [16, 4], [gl.num_warps(), 1], [1, 0])
    other: gl.constexpr = gl.BlockedLayout([4, 1], [4, 16], [1, gl.num_warps()], [0, 1])
    shared: gl.constexpr = gl.SwizzledSharedLayout(4, 1, 8, [1, 0])
    rows = gl.arange(0, N, layout=gl.SliceLayout(1, layout))
    columns = gl.arange(0, N, layout=gl.SliceLayout(0, layout))
    room = gl.allocate_shared_memory(gl.float32, [N, N], shared)
    if not BUG:
        room.store(gl.load(source + rows[:, None] * N + columns[None, :]))  # STAGED
    value = room.load(other)  # READ
    rows = gl.arange(0, N, layout=gl.SliceLayout(1, other))
    columns = gl.arange(0, N, layout=gl.SliceLayout(0, other))
    gl.store(target + columns[None, :] * N + rows[:, None], value)  # STORE


def test_uninitialised_lds(chip):
    source, target = torch.rand(32, 32), torch.zeros(32, 32)
    assert found_by(transposed, (1,), source, target, N=32, BUG=False, num_warps=4) == []
    assert torch.equal(source.T, target)
    assert_found(found_by(transposed, (1,), source, target, N=32, BUG=True, num_warps=4), "uninitialised", transposed, "# STORE")


@gluon.jit
def half_of_the_rows(source, target, N: gl.constexpr, SWIZZLE: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1, 4], [8, 8], [gl.num_warps(), 1], [1, 0])
    written: gl.constexpr = gl.SwizzledSharedLayout(4, 1, 8, [1, 0])
    rows = gl.arange(0, N // 2, layout=gl.SliceLayout(1, layout))
    columns = gl.arange(0, N, layout=gl.SliceLayout(0, layout))
    place = rows[:, None] * N + columns[None, :]
    room = gl.allocate_shared_memory(gl.float32, [N, N], written)
    room.slice(0, N // 2, dim=0).store(gl.load(source + place))
    value = room.reinterpret(gl.float32, [N, N], SWIZZLE).slice(0, N // 2, dim=0).load(layout)
    gl.store(target + place, value)  # STORE


def test_wrong_swizzle(chip):
    """Read as another layout has it: what belongs to rows that nobody has written."""
    source, target = torch.rand(16, 32), torch.zeros(16, 32)
    right, wrong = gl.SwizzledSharedLayout(4, 1, 8, [1, 0]), gl.SwizzledSharedLayout(4, 1, 8, [0, 1])
    assert found_by(half_of_the_rows, (1,), source, target, N=32, SWIZZLE=right, num_warps=2) == []
    assert torch.equal(source, target)
    assert_found(found_by(half_of_the_rows, (1,), source, target, N=32, SWIZZLE=wrong, num_warps=2), "uninitialised", half_of_the_rows, "# STORE")


def test_removed_barrier(chip):
    source, target = torch.rand(32, 32), torch.zeros(32, 32)
    with edited_assembly(without("s_barrier")):
        findings = found_by(transposed, (1,), source, target, N=32, BUG=False, num_warps=4)
    assert_found(findings, "race", transposed, "# READ")


@pytest.mark.parametrize("counter, mark", [("vmcnt", "# STAGED"), ("lgkmcnt", "# STORE")])
def test_removed_wait(chip, counter, mark):
    source, target = torch.rand(32, 32), torch.zeros(32, 32)
    with edited_assembly(without(rf"s_waitcnt {counter}\(0\)")):
        findings = found_by(transposed, (1,), source, target, N=32, BUG=False, num_warps=4)
    assert_found(findings, "in-flight", transposed, mark)


@gluon.jit
def pipelined(source, target, count, BLOCK: gl.constexpr, AHEAD: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([4], [64], [gl.num_warps()], [0])
    shared: gl.constexpr = gl.SwizzledSharedLayout(1, 1, 1, [0])
    at = gl.arange(0, BLOCK, layout=layout)
    rooms = gl.allocate_shared_memory(gl.float32, [2, BLOCK], shared)
    cdna4.async_copy.buffer_load_to_shared(rooms.index(0), source, at)  # COPY
    cdna4.async_copy.commit_group()
    for number in range(count - 1):
        cdna4.async_copy.buffer_load_to_shared(rooms.index((number + 1) % 2), source, at + (number + 1) * BLOCK)
        cdna4.async_copy.commit_group()
        cdna4.async_copy.wait_group(AHEAD)
        value = cdna4.async_copy.load_shared_relaxed(rooms.index(number % 2), layout)  # READ
        gl.store(target + at + number * BLOCK, value + 1)
    cdna4.async_copy.wait_group(0)
    value = cdna4.async_copy.load_shared_relaxed(rooms.index((count - 1) % 2), layout)
    gl.store(target + at + (count - 1) * BLOCK, value + 1)


def test_wrong_wait_group(chip):
    if chip != "gfx950":
        pytest.skip("asynchronous copies of 16 bytes are gfx950's")
    source, target = torch.rand(8 * 1024), torch.zeros(8 * 1024)
    assert found_by(pipelined, (1,), source, target, 8, BLOCK=1024, AHEAD=1, num_warps=4) == []
    assert torch.equal(target, source + 1)
    assert_found(found_by(pipelined, (1,), source, target, 8, BLOCK=1024, AHEAD=2, num_warps=4), "in-flight", pipelined, "# READ")


@gluon.jit
def histogram(source, target, N: gl.constexpr, BINS: gl.constexpr):
    layout: gl.constexpr = gl.BlockedLayout([1], [64], [gl.num_warps()], [0])
    at = gl.arange(0, N, layout=layout)
    value = gl.load(source + at)
    gl.store(target + value, value + at)  # BUG


def test_racing_stores(chip):
    """Lanes of several waves store different values in the same place: an atomic was meant."""
    source, target = torch.arange(256, dtype=torch.int32) % 16, torch.zeros(16, dtype=torch.int32)
    apart = torch.arange(256, dtype=torch.int32)
    assert found_by(histogram, (1,), apart, torch.zeros(256, dtype=torch.int32), N=256, BINS=256, num_warps=4) == []
    assert_found(found_by(histogram, (1,), source, target, N=256, BINS=16, num_warps=4), "race", histogram)


@triton.jit
def turned(row, target, N: tl.constexpr, SYNCHRONISED: tl.constexpr):
    at = tl.arange(0, N)
    tl.store(row + at, at.to(tl.float32))
    if SYNCHRONISED:
        tl.debug_barrier()
    tl.store(target + at, tl.load(row + N - 1 - at))  # BUG


def test_missing_barrier_is_told_once(chip):
    """Of the several instructions of each side one pair is reported, in Triton's words."""
    row, target = torch.zeros(1024), torch.zeros(1024)
    address = row.data_ptr()  # a program that knows the address of an argument, too
    assert found_by(turned, (1,), row, target, N=1024, SYNCHRONISED=True) == []
    findings = found_by(turned, (1,), row, target, N=1024, SYNCHRONISED=False)
    assert_found(findings, "race", turned)
    assert address and len(findings) == 1 and findings[0].facts["instructions"] > 1
    assert "global memory at row + 0x" in findings[0].message and findings[0].hint == "a tl.debug_barrier() between them"


@triton.jit
def in_place(row, N: tl.constexpr, REVERSED: tl.constexpr, SUM: tl.constexpr):
    at = tl.arange(0, N)
    value = tl.load(row + (N - 1 - at if REVERSED else at))  # BUG
    tl.store(row + at, value / tl.sum(value) if SUM else value + 1)


@pytest.mark.parametrize("size", [1, 16, 64, 128, 256, 1024])
def test_in_place(chip, size):
    """Small rows are loaded by several waves and stored by one: the others load what is stored already, and don't use it."""
    row = torch.zeros(size)
    assert found_by(in_place, (1,), row, N=size, REVERSED=False, SUM=False) == []
    assert torch.equal(row, torch.ones(size))
    assert found_by(in_place, (1,), row, N=size, REVERSED=False, SUM=True) == []
    assert torch.allclose(row, torch.full((size,), 1 / size))
    if size > 64:  # more than a wave
        assert_found(found_by(in_place, (1,), row, N=size, REVERSED=True, SUM=False), "race", in_place)


@triton.jit
def under_a_lock(total, lock, N: tl.constexpr):
    at = tl.arange(0, N)
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    tl.store(total + at, tl.load(total + at) + 1)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


def test_in_place_under_a_lock(chip):
    total, lock = torch.zeros(128), torch.zeros(1, dtype=torch.int32)
    assert found_by(under_a_lock, (50,), total, lock, N=128) == []
    assert torch.equal(total, torch.full((128,), 50.0))
