"""Configurations that the timed model chooses for Triton's autotuner."""
import math

import inflight
import inflight.triton
import pytest
import torch
import triton
import triton.language as tl
from inflight.triton import pruning
from triton.backends.compiler import GPUTarget
from triton.runtime.driver import driver
from triton.tools.tensor_descriptor import TensorDescriptor

BLOCKS = [triton.Config({"BLOCK": block}, num_warps=warps) for block in (64, 256, 1024, 4096) for warps in (1, 4)]
DEVICES = {"gfx942": "MI300X", "gfx950": "MI355X"}


def scaled(configs, pruner, **options):
    @triton.autotune(configs, key=["count"], prune_configs_by=pruner, **options)
    @triton.jit
    def scale(a, out, count, BLOCK: tl.constexpr):
        at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
        tl.store(out + at, 2 * tl.load(a + at, mask=at < count), mask=at < count)

    return scale


def run(kernel, count=1 << 18):
    a, out = torch.randn(count), torch.zeros(count)
    kernel[lambda meta: (triton.cdiv(count, meta["BLOCK"]),)](a, out, count)
    assert torch.equal(out, 2 * a)


def test_a_quarter_is_timed(chip):
    prune = inflight.triton.prune_configs_by(model=DEVICES[chip])
    kernel = scaled(BLOCKS, prune)
    run(kernel)
    estimates = prune["early_config_prune"].estimates
    times = [one.microseconds for one in estimates]
    assert len(times) == len(BLOCKS) and times == sorted(times)
    assert list(kernel.configs_timings) == [one.config for one in estimates[:math.ceil(len(BLOCKS) / 4)]]
    assert all("launches" in one.accuracy for one in estimates)


@pytest.mark.parametrize("keep,count", [(0.01, 1), (0.5, 4), (1, 8)])
def test_how_many_are_kept(chip, keep, count):
    prune = inflight.triton.prune_configs_by(keep=keep)["early_config_prune"]
    kernel = scaled(BLOCKS, {"early_config_prune": prune})
    a, out = torch.randn(1000), torch.zeros(1000)
    kernel.nargs = {"a": a, "out": out, "count": 1000}
    assert len(kernel.prune_configs({"grid": lambda meta: (triton.cdiv(1000, meta["BLOCK"]),), "warmup": False})) == count
    assert not out.any()  # the model has memory of its own


def test_the_best_is_kept(chip):
    """Of all configurations, as good as the best is among those that are kept. Hardware is the model here, but with warm caches, which the autotuner on a
    GPU empties."""
    every = scaled(BLOCKS, None)
    run(every)
    some = scaled(BLOCKS, inflight.triton.prune_configs_by(keep=0.5))
    run(some)
    best, kept, worst = min(every.configs_timings.values()), min(some.configs_timings.values()), max(every.configs_timings.values())
    assert kept[0] - best[0] < 0.1 * (worst[0] - best[0]), (best, kept, worst)


def test_what_hardware_has_no_room_for_is_left_out(chip):
    @triton.autotune([triton.Config({"N": n}) for n in (64, 1024)], key=[], prune_configs_by=inflight.triton.prune_configs_by(keep=1))
    @triton.jit
    def product(a, b, c, N: tl.constexpr):
        m, n = tl.arange(0, 64), tl.arange(0, N)
        x = tl.load(a + m[:, None] * N + n[None, :])
        tl.store(c + m[:, None] * 64 + m[None, :], tl.dot(x, tl.load(b + n[:, None] * 64 + m[None, :])))

    with pytest.warns(UserWarning, match=r"left out: N: 1024.*wants \d+ bytes of LDS of \d+"):
        product[(1,)](torch.randn(64, 1024), torch.randn(1024, 64), torch.zeros(64, 64))
    assert product.best_config.kwargs["N"] == 64


def test_what_doesnt_compile_is_kept(chip):
    prune = inflight.triton.prune_configs_by(keep=0.25)
    kernel = scaled([*BLOCKS, triton.Config({"BLOCK": 100})], prune)  # no power of two
    kernel.nargs = {"a": torch.zeros(1000), "out": torch.zeros(1000), "count": 1000}
    with pytest.warns(UserWarning, match="kept without a modelled time: BLOCK: 100.*doesn't compile"):
        kept = kernel.prune_configs({"grid": (1,), "warmup": False})
    assert [one.kwargs["BLOCK"] for one in kept][2:] == [100]


def test_what_waits_for_other_workgroups_is_kept(chip, monkeypatch):
    monkeypatch.setattr(pruning, "MOST_STEPS", 20000)

    @triton.autotune([triton.Config({"WAIT": wait}) for wait in (False, True)], key=[], prune_configs_by=inflight.triton.prune_configs_by(keep=0.5))
    @triton.jit
    def wait_for(flag, out, WAIT: tl.constexpr):
        if WAIT:
            while tl.atomic_add(flag, 0) == 0:
                pass
        tl.store(out, 1)

    wait_for.nargs = {"flag": torch.zeros(1, dtype=torch.int32), "out": torch.zeros(1, dtype=torch.int32)}
    with pytest.warns(UserWarning, match="kept without a modelled time: WAIT: True.*isn't timed.*step limit"):
        assert len(wait_for.prune_configs({"grid": (1,), "warmup": False})) == 2


def test_indices_heuristics_and_hooks(chip):
    """Indices are those of the tensor: others would be outside of it. A descriptor's block is the configuration's."""
    def hook(named):
        named["table"].block_shape = [16, named["N"]]

    @triton.autotune([triton.Config({"N": n}, pre_hook=hook) for n in (16, 32)], key=[], prune_configs_by=inflight.triton.prune_configs_by(keep=0.5))
    @triton.heuristics({"TWICE": lambda named: 2 * named["N"]})
    @triton.jit
    def gather(rows, table, out, N: tl.constexpr, TWICE: tl.constexpr):
        tl.static_assert(TWICE == 2 * N)
        tile = table.load([tl.load(rows), 0])
        tl.store(out + tl.arange(0, 16)[:, None] * N + tl.arange(0, N)[None, :], tile)

    values = torch.randn(64, 32)
    table = TensorDescriptor.from_tensor(values, [16, 16])
    out = torch.zeros(16 * 32)
    gather[(1,)](torch.tensor([32], dtype=torch.int32), table, out)
    n = gather.best_config.kwargs["N"]
    assert torch.equal(out[:16 * n].reshape(16, n), values[32:48, :n])


def test_stand_ins():
    base = torch.arange(1000, dtype=torch.int32)
    view = base[3:903].view(30, 30).t()
    made = pruning.stand_in(view)
    assert made.shape == view.shape and made.stride() == view.stride() and torch.equal(made, view)
    assert (made.data_ptr() - view.data_ptr()) % 256 == 0 and made.data_ptr() != view.data_ptr()
    assert not pruning.stand_in(view, is_zero=True).any()
    assert not pruning.stand_in(torch.randn(4, 4)).any()
    assert pruning.stand_in(torch.randn(4, 4).to(torch.float8_e4m3fn)).dtype == torch.float8_e4m3fn
    assert pruning.stand_in((1, 2.5, None)) == (1, 2.5, None)
    assert pruning.stand_in(torch.zeros(0, 4)).shape == (0, 4)
    assert torch.equal(pruning.stand_in(base[::7]), base[::7])


def test_errors(chip):
    for keep in (0, 1.5):
        with pytest.raises(ValueError, match="above 0 and up to 1"):
            inflight.triton.prune_configs_by(keep=keep)
    with pytest.raises(inflight.Error, match="MI9000"):
        inflight.triton.prune_configs_by(model="MI9000")
    other = "gfx950" if chip == "gfx942" else "gfx942"
    with pytest.raises(inflight.Error, match=f"{DEVICES[other]}, which is {other}, but kernels are for {chip}"):
        run(scaled(BLOCKS, inflight.triton.prune_configs_by(model=other)))
    with pytest.raises(inflight.Error, match="no autotuner does"):
        inflight.triton.prune_configs_by()["early_config_prune"](BLOCKS, {})


def test_chips_without_a_model(chip, monkeypatch):
    monkeypatch.setattr(driver.active, "get_current_target", lambda: GPUTarget("hip", "gfx1103", 32))
    kernel = scaled(BLOCKS, inflight.triton.prune_configs_by())
    kernel.nargs = {}
    with pytest.raises(inflight.Error, match="no model of 'gfx1103': there are models of .*gfx942"):
        kernel.prune_configs({"grid": (1,)})
