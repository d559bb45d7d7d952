"""What programs for Triton get wrong: an exception that says what to do, and the process goes on."""
import multiprocessing
import os
import signal
import threading

import inflight
import inflight.triton
import numpy
import pytest
import torch
import triton
import triton.language as tl


@triton.jit
def add(a, b, c, count, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = at < count
    tl.store(c + at, tl.load(a + at, mask=mask) + tl.load(b + at, mask=mask), mask=mask)


def add_is_right():
    a, b = torch.rand(2, 1000)
    c = torch.empty(1000)
    add[(4,)](a, b, c, 1000, BLOCK=256)
    return torch.equal(c, a + b)


@triton.jit
def count_up(c, most):
    number = 0
    while number < most:
        number += 1
        tl.debug_barrier()
    tl.store(c, number)


@triton.jit
def follow(table, c, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    tl.store(c + at, tl.load(tl.load(table).to(tl.pointer_type(tl.float32)) + at))


@pytest.mark.parametrize("kind", ["float32", "float64", "float16", "int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"])
def test_numpy_without_copies(chip, kind):
    a, b = (numpy.random.rand(2, 1000) * 100).astype(kind)
    c = numpy.zeros(1000, kind)
    add[(4,)](*map(inflight.triton.tensor, (a, b, c)), 1000, BLOCK=256)
    assert numpy.array_equal(c, a + b)


def test_what_no_kernel_takes(chip):
    with pytest.raises(TypeError, match="takes a numpy array, not a list"):
        inflight.triton.tensor([1.0, 2.0])
    backwards = inflight.triton.tensor(numpy.arange(8, dtype=numpy.float32)[::-1])
    with pytest.raises(ValueError, match="negative stride"):
        add[(1,)](backwards, backwards, backwards, 8, BLOCK=256)


def test_addresses_without_extent(chip):
    class Address:
        dtype = "fp32"

        def data_ptr(self):
            return 4096

    with pytest.raises(inflight.Error, match="'a' has an address but not how many bytes"):
        add[(4,)](Address(), torch.rand(8), torch.rand(8), 8, BLOCK=256)
    assert add_is_right()


def test_tensors_that_are_nowhere(chip):
    with pytest.raises(ValueError, match="meta"):
        add[(4,)](torch.rand(8, device="meta"), torch.rand(8), torch.rand(8), 8, BLOCK=256)
    assert add_is_right()


def test_freed_tensor(chip):
    tensor = torch.rand(1 << 19)
    table = torch.tensor([tensor.data_ptr()])
    del tensor
    with pytest.raises(inflight.KernelFault, match=r"\(524288,\) tensor of torch.float32 was there, which is gone"):
        follow[(1,)](table, torch.rand(256), BLOCK=256)
    assert add_is_right()


def test_foreign_address(chip):
    with pytest.raises(inflight.KernelFault, match="this process has no memory there"):
        follow[(1,)](torch.tensor([1 << 45]), torch.rand(256), BLOCK=256)
    assert add_is_right()


def test_another_chip(chip):
    other = "gfx950" if chip == "gfx942" else "gfx942"
    compiled = add.warmup(torch.float32, torch.float32, torch.float32, 1000, BLOCK=256, grid=(4,))
    with pytest.raises(inflight.Error, match=f"for {chip}, not {other}"):
        inflight.load(compiled.asm["hsaco"], other)
    assert add_is_right()


def test_interrupt(chip):
    place = torch.zeros(1, dtype=torch.int32)
    threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        count_up[(1,)](place, 2**31 - 1)
    assert add_is_right()


def test_threads(chip):
    right = []
    threads = [threading.Thread(target=lambda: right.extend(add_is_right() for _ in range(10))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert right == [True] * 40


def child(results):
    results.put(add_is_right())


def test_fork(chip):
    assert add_is_right()
    fork = multiprocessing.get_context("fork")
    results = fork.Queue()
    processes = [fork.Process(target=child, args=(results,)) for _ in range(2)]
    for process in processes:
        process.start()
    assert [results.get(timeout=100) for _ in processes] == [True, True]
    for process in processes:
        process.join()
