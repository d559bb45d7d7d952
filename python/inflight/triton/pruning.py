"""Configurations of Triton's autotuner, chosen on the timed model: only those that it likes are timed on the GPU.

    @triton.autotune(configs, key=["M"], prune_configs_by=inflight.triton.prune_configs_by(model="MI355X", keep=0.25))
"""
import copy
import math
import sys
import warnings

from triton import knobs
from triton.backends.compiler import GPUTarget
from triton.runtime.autotuner import Autotuner
from triton.runtime.driver import driver as active
from triton.runtime.jit import JITFunction, TensorWrapper

import inflight
from inflight._library import Error
from inflight.devices import device as device_of
from inflight.devices import devices
from inflight.timing import range_text

from .arrays import Tensor
from .launcher import GRANULE, Launcher

# Kernels that wait for workgroups which a sample hasn't got would never end.
MOST_STEPS = 20_000_000


def prune_configs_by(model=None, keep=0.25, sample=6, clock=0):
    """What Triton's autotuner takes as `prune_configs_by`: it then times the part `keep` of its configurations, those that are fastest on the model.

    `model`: a device ("MI355X") or chip; without one the usual device with the GPU's chip. `sample`: workgroups of a compute unit that are timed
    (0: all). `clock`: MHz; 0: what power leaves.
    """
    if not 0 < keep <= 1:
        raise ValueError(f"inflight: keep is the part of the configurations that are timed, above 0 and up to 1, not {keep!r}")
    return {"early_config_prune": Pruner(model, keep, sample, clock)}


class Estimate:
    """A configuration on the model. `microseconds` is None if it can't be timed there, and `why` says why; `accuracy` is what a Result's time has."""

    def __init__(self, config, time=None, why=None, runs=True):
        self.config, self.why, self.runs = config, why, runs
        self.microseconds = time and time["microseconds"]
        self.accuracy = time and time["accuracy"]

    def __str__(self):
        if self.why:
            return f"{self.config}: {self.why}"
        return f"{self.microseconds:.2f} us ({range_text(self.accuracy)}): {self.config}"


class Pruner:
    """estimates: those of the last call, the fastest first, then what couldn't be timed."""

    def __init__(self, model, keep, sample, clock):
        self.model = model and device_of(model)
        self.keep, self.sample, self.clock = keep, sample, clock
        self.estimates = []

    def __call__(self, configs, named, **given):
        tuner = _asking()
        device = self._device()
        found = [self._estimate(tuner, device, config, {**named, **given}) for config in configs]
        timed = sorted((one for one in found if one.microseconds is not None), key=lambda one: one.microseconds)
        untimed = [one for one in found if one.microseconds is None]
        self.estimates = timed + untimed
        for one in untimed:
            warnings.warn(f"inflight: {'kept without a modelled time' if one.runs else 'left out'}: {one}", stacklevel=2)
        kept = timed[:math.ceil(self.keep * len(timed))] + [one for one in untimed if one.runs]
        if not kept:
            raise Error(f"inflight: no configuration of '{tuner.base_fn.__name__}' compiles for {device['name']}; the first one: {untimed[0]}")
        if knobs.autotuning.print:
            print(f"inflight: {len(kept)} of {len(configs)} configurations of {tuner.base_fn.__name__} kept, by the model of {device['name']}:")
            print("".join(f"  {one}\n" for one in kept), end="")
        return [one.config for one in kept]

    def _device(self):
        target = active.active.get_current_target()
        chips = sorted({one["chip"] for one in devices()})
        arch = str(target.arch).partition(":")[0]
        if target.backend != "hip" or arch not in chips:
            raise Error(f"inflight: no model of '{target.arch}': there are models of {', '.join(chips)}")
        device = self.model or device_of(arch)
        if device["chip"] != arch:
            raise Error(f"inflight: the model is of {device['name']}, which is {device['chip']}, but kernels are for {arch}")
        return device

    def _estimate(self, tuner, device, config, arguments):
        arguments = {name: stand_in(value, name in tuner.reset_to_zero) for name, value in arguments.items()}
        arguments.update(config.all_kwargs())
        try:
            if config.pre_hook:
                config.pre_hook(arguments)
            fn = tuner.fn
            while not isinstance(fn, JITFunction):
                for name, value in getattr(fn, "values", {}).items():  # @triton.heuristics
                    arguments[name] = value(arguments)
                fn = fn.fn
            grid = arguments.pop("grid")
            arguments.pop("warmup", None)
            kernel = _compiled(fn, device, grid, arguments)
        except Exception as error:  # whatever a compiler, a hook or a heuristic raises: Triton's autotuner meets it, too, and says more
            return Estimate(config, why=f"doesn't compile: {_first_line(error)}", runs=not _is_passed_over(error))
        metadata = kernel.metadata
        for what, wanted, there in (("bytes of LDS", metadata.shared, device["lds_bytes"]),
                                    ("lanes", metadata.num_warps * metadata.warp_size, device["workgroup_lanes"])):
            if wanted > there:
                return Estimate(config, why=f"wants {wanted} {what} of {there}", runs=False)
        try:
            return Estimate(config, self._time(kernel, fn, device, grid, arguments))
        except (Error, NotImplementedError, ValueError, TypeError) as error:
            return Estimate(config, why=f"isn't timed: {_first_line(error)}")

    def _time(self, kernel, fn, device, grid, arguments):
        bound = {name: arguments.get(name, parameter.default) for name, parameter in fn.signature.parameters.items()}
        if callable(grid):
            grid = grid(bound)
        grid = tuple(grid) + (1,) * (3 - len(grid))
        module = inflight.load(kernel.asm["hsaco"], device["chip"])
        try:
            launcher = Launcher(kernel.src, kernel.metadata)
            segment, buffers = launcher.segment(grid, module[kernel.metadata.name], list(bound.values()))
            return module[kernel.metadata.name].launch(grid, (launcher.lanes, 1, 1), kernarg=segment, buffers=buffers, lds=kernel.metadata.shared, timed=True,
                                                       device=device["name"], clock=self.clock, sample=self.sample, max_steps=MOST_STEPS,
                                                       granule=GRANULE).time
        finally:
            module.close()


def _asking():
    """The autotuner that calls: it doesn't say which kernel it is for."""
    frame = sys._getframe(1)
    while frame:
        found = frame.f_locals.get("self")
        if isinstance(found, Autotuner):
            return found
        frame = frame.f_back
    raise Error("inflight: prune_configs_by() is for triton.autotune(prune_configs_by=...), which calls it; no autotuner does")


class _Target:
    """As much of a driver as a compilation asks."""

    def __init__(self, device):
        self.device = device

    def get_current_device(self):
        return f"inflight {self.device['name']}"  # a key of its own for what is compiled

    def get_current_stream(self, device=None):
        return 0

    def get_current_target(self):
        return GPUTarget("hip", self.device["chip"], self.device["lanes"])


def _compiled(fn, device, grid, arguments):
    """As Triton's JIT would compile it for these arguments; it isn't loaded anywhere."""
    before = active.active
    active.set_active(_Target(device))
    try:
        return fn.run(grid=grid, warmup=True, **arguments)
    finally:
        active.set_active(before)


def _is_passed_over(error):
    """Whether Triton's autotuner passes over such a configuration, too."""
    from triton.compiler.errors import CompileTimeAssertionFailure
    from triton.runtime.errors import OutOfResources

    return isinstance(error, (OutOfResources, CompileTimeAssertionFailure))


def _first_line(error):
    return f"{type(error).__name__}: {(str(error).strip().splitlines() or [''])[0]}"


def stand_in(value, is_zero=False):
    """What a launch on the model gets for an argument: memory of the host with the same layout. Whole numbers, which may be indices, are the same;
    floating-point ones are zeros, so that no memory is touched that the model doesn't read."""
    if isinstance(value, TensorWrapper):
        return TensorWrapper(stand_in(value.base, is_zero), value.dtype)
    if hasattr(value, "block_shape") and hasattr(value, "base"):  # a tensor descriptor, of Triton or Gluon
        made = copy.copy(value)
        made.base = stand_in(value.base, is_zero)
        return made
    if isinstance(value, tuple) and not hasattr(value, "_fields"):
        return tuple(stand_in(one, is_zero) for one in value)
    if isinstance(value, Tensor):
        return value.copy()
    if not hasattr(value, "untyped_storage"):
        return value
    import torch

    steps = 1 + sum((size - 1) * stride for size, stride in zip(value.shape, value.stride())) if value.numel() else 0
    # At the same place within 256 bytes, as kernels are compiled for an address's alignment.
    room = torch.zeros(steps * value.element_size() + 512, dtype=torch.uint8)
    skip = (value.data_ptr() - room.data_ptr()) % 256
    made = room[skip:skip + steps * value.element_size()].view(value.dtype).as_strided(value.shape, value.stride())
    if value.numel() and not is_zero and not value.dtype.is_floating_point and not value.dtype.is_complex:
        made.copy_(value)
    return made
