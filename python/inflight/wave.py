"""Wave's kernels (wave-lang from PyPI) compiled by Inflight from the MLIR that Wave emits, and run on the machine with torch's CPU tensors.

    import inflight.wave
    inflight.wave.activate("gfx950")

From then on wave_compile() gives kernels that run on Inflight; inflight.check() goes around calls as around any launch. Programs that make tensors on
"cuda" want activate(cuda=True), or INFLIGHT_CUDA=1. For wave-lang 3.9.1: Wave has no hook between its MLIR and IREE's compiler, so three names of
its module `compile` are replaced.
"""
import os
import sys
import types

from . import runtime
from ._library import Error
from .devices import device as device_of

VERSIONS = ("3.9.1",)

_device = None


def _version():
    from importlib import metadata

    return metadata.version("wave-lang")


def _compile_to_vmfb(mlir, options):
    """In the place of IREE's compiler: the code object lands where Wave looks for it, and in its cache."""
    if options.num_devices > 1:
        raise Error("inflight: a Wave kernel for several devices isn't supported")
    _, chip = _chip_of(options)
    image = runtime.compile(mlir, chip, name=options.kernel_launch_info.func_name or "wave")
    if options.dump_binaries:
        folder = os.fspath(options.dump_binaries)
        for name in os.listdir(folder):
            if name.endswith(".hsaco"):
                os.remove(os.path.join(folder, name))
        with open(os.path.join(folder, options.kernel_launch_info.func_name + ".hsaco"), "wb") as file:
            file.write(image)
    return image


def _chip_of(options):
    chip = _device["chip"]
    if options.target not in (chip, None, "", "cpu"):
        raise Error(f"inflight: the kernel is for {options.target}, but {chip} is activated: inflight.wave.activate('{options.target}')")
    return options, chip


def _validate_options(options):
    """Before anything else: the path of Wave's own runtime has what a launch needs, and nothing of IREE's."""
    if options.run_bench:
        raise Error("inflight: run_bench isn't supported: launch inside inflight.check(), or use timed launches of the kernel's code object")
    options.backend, options.wave_runtime = "llvm", True
    if options.target in (None, "", "cpu"):
        options.target = _device["chip"]
    _chip_of(options)


def _invoke(options, inputs, outputs, scalars, bound_scalars, dynamic, kernel):
    """A launch: tensors, numbers, then the sizes that aren't known at compile time."""
    import math

    from wave_lang.kernel.wave.utils.run_utils import compute_grid

    launch = options.kernel_launch_info
    launch.grid.__globals__.setdefault("math", math)
    dimensions = tuple(scalars[place - len(inputs)] for place in bound_scalars.values()) + tuple(dynamic)
    tensors = [*inputs, *outputs]
    for number, tensor in enumerate(tensors):
        if not tensor.is_contiguous() and number >= len(inputs):
            raise ValueError(f"inflight: output {number - len(inputs)} isn't contiguous: Wave's kernels don't know strides")
    arguments = [tensor if tensor.is_contiguous() else tensor.contiguous() for tensor in tensors]
    checks = None if runtime.findings.current() else os.environ.get("INFLIGHT_CHECK")
    result = kernel.launch(compute_grid(dimensions, launch.grid), tuple(launch.blocks), [*map(_plain, arguments), *scalars, *dynamic], checks=checks)
    for finding in result.findings if checks else ():
        print(finding, file=sys.stderr)


def _plain(tensor):
    """Its memory, whatever the type of its elements: Wave has checked that."""
    from .arrays import strided

    return strided(tensor.detach())


def _load_binary(path, name):
    kernels = runtime.load(path).kernels
    if len(kernels) == 1:
        return None, next(iter(kernels.values()))
    return None, kernels[name]


def activate(chip=None, cuda=None):
    """Kernels that wave_compile() makes from now on run on Inflight. `chip`: a chip or device; without one $INFLIGHT_CHIP or gfx942."""
    global _device
    try:
        from wave_lang.kernel.wave import cache, compile as wave
    except ImportError as error:
        raise ImportError(f"inflight.wave needs wave-lang and torch (pip install wave-lang=={VERSIONS[-1]}): {error}") from error
    missing = [name for name in ("compile_to_vmfb", "invoke_with_wave_runtime", "validate_options", "get_temp_binary_dir") if not hasattr(wave, name)]
    if missing:
        raise Error(f"inflight: wave-lang {_version()} has no {', '.join(missing)} in its module compile; versions that are known: {', '.join(VERSIONS)}")
    _device = device_of(chip or os.environ.get("INFLIGHT_CHIP", "gfx942"))
    wave.compile_to_vmfb, wave.invoke_with_wave_runtime, wave.validate_options = _compile_to_vmfb, _invoke, _validate_options
    sys.modules["wave_runtime"] = types.SimpleNamespace(load_hip_functions=lambda: None, load_binary=_load_binary)
    os.environ["WAVE_DEFAULT_ARCH"] = _device["chip"]
    # Code objects of IREE's compiler have no place among Inflight's.
    cache.WAVE_CACHE_ON = 0
    if os.environ.get("INFLIGHT_CUDA", "0") not in ("", "0") if cuda is None else cuda:
        from .cuda import replace

        replace(_device)
