"""Triton's driver: what its JIT asks of a device, on the machine model. No torch is needed; its CPU tensors work."""
import os
import struct
import sys

from triton.backends.compiler import GPUTarget
from triton.backends.driver import DriverBase

import inflight
from inflight import findings
from inflight.arrays import buffer_of
from inflight._library import Error

# Of one device as hipGetDeviceProperties reports it: compute units, kHz, kHz of the memory, bits.
DEVICES = {"gfx90a": (110, 1700000, 1600000, 4096), "gfx942": (304, 2100000, 1300000, 8192), "gfx950": (256, 2400000, 2000000, 8192)}
LDS = {"gfx90a": 65536, "gfx942": 65536, "gfx950": 163840}

FORMATS = {"i1": "<b", "i8": "<b", "u1": "<B", "u8": "<B", "i16": "<h", "u16": "<H", "i32": "<i", "u32": "<I", "i64": "<q", "u64": "<Q",
           "fp16": "<e", "fp32": "<f", "f32": "<f", "fp64": "<d"}


def packed(value, type_name):
    if type_name == "bf16":
        return struct.pack("<f", value)[2:]
    if type_name not in FORMATS:
        raise TypeError(f"inflight: a kernel argument of type '{type_name}' isn't supported")
    form = FORMATS[type_name]
    if form[1] in "BHIQbhiq":
        size = struct.calcsize(form)
        return (int(value) & ((1 << 8 * size) - 1)).to_bytes(size, "little")
    return struct.pack(form, value)


class Utils:
    """Code objects."""

    def __init__(self, driver):
        self.driver = driver

    def get_device_properties(self, device):
        units, clock, memory_clock, width = DEVICES[self.driver.chip]
        return {"max_shared_mem": LDS[self.driver.chip], "max_num_regs": 512, "multiprocessor_count": units, "sm_clock_rate": clock,
                "mem_clock_rate": memory_clock, "mem_bus_width": width, "arch": self.driver.chip, "warpSize": 64, "max_threads_per_sm": 2048,
                "cooperativeLaunch": 1}

    def load_binary(self, name, image, shared, device):
        module = inflight.load(image, self.driver.chip)
        kernel = module[name]
        return module, kernel, kernel.info["vgprs"], kernel.info["vgpr_spills"] + kernel.info["sgpr_spills"], 1024

    def unload_module(self, module):
        module.close()


class Launcher:
    """Triton's launcher protocol; arguments are those of the signature without constants, and two scratch pointers."""

    def __init__(self, source, metadata):
        constants = {path if isinstance(path, tuple) else (path,) for path in getattr(source, "constants", {})}
        self.names = [str(name) for name in source.signature]
        self.types = []
        for number, name in enumerate(source.signature):
            self.flatten(source.signature[name], (number,), constants)
        self.metadata = metadata

    def flatten(self, kind, path, constants):
        if isinstance(kind, (tuple, list)):
            for number, inner in enumerate(kind):
                self.flatten(inner, path + (number,), constants)
        elif kind == "constexpr" or path in constants:
            pass
        elif isinstance(kind, str) and kind.startswith("tensordesc"):
            raise NotImplementedError("inflight: tensor descriptors as kernel arguments aren't supported")
        else:
            self.types.append((path, kind))

    def __call__(self, grid_x, grid_y, grid_z, stream, function, packed_metadata, launch_metadata, enter_hook, exit_hook, *arguments):
        if enter_hook is not None:
            enter_hook(launch_metadata)
        if grid_x * grid_y * grid_z:
            self.launch((grid_x, grid_y, grid_z), function, arguments)
        if exit_hook is not None:
            exit_hook(launch_metadata)

    def launch(self, grid, kernel, arguments):
        parameters = kernel.parameters
        segment = bytearray(kernel.info["kernarg_bytes"])
        buffers = []
        for (path, kind), parameter in zip(self.types, parameters):
            value = arguments[path[0]]
            for step in path[1:]:
                value = value[step]
            if kind.startswith("*"):
                buffer = buffer_of(value) if value is not None and not isinstance(value, int) else None
                if buffer is None and hasattr(value, "data_ptr"):
                    raise Error(f"kernel '{kernel.name}': argument '{self.names[path[0]]}' has an address but not how many bytes are there: "
                                "give a torch or numpy array")
                if buffer is not None:
                    buffers.append((buffer, self.names[path[0]]))
                data = struct.pack("<Q", buffer.address if buffer else value or 0)
            else:
                data = packed(value, kind)
            offset = parameter["offset"]
            segment[offset:offset + len(data)] = data
        metadata = self.metadata
        _launch(kernel, grid, metadata.num_warps * metadata.warp_size, bytes(segment), buffers, metadata.shared)


class _Timing:
    """While do_bench measures, launches are timed and their modelled times added up."""

    depth = 0
    microseconds = 0.0


def _launch(kernel, grid, lanes, segment, buffers, lds):
    options = {"kernarg": segment, "buffers": buffers, "lds": lds}
    if _Timing.depth:
        result = kernel.launch(grid, (lanes, 1, 1), timed=True, warm=True, **options)
        _Timing.microseconds += result.microseconds
        return
    checks = None if findings.current() else os.environ.get("INFLIGHT_CHECK")
    result = kernel.launch(grid, (lanes, 1, 1), checks=checks, **options)
    if checks:
        for finding in result.findings:
            print(finding, file=sys.stderr)


def modelled_milliseconds(call):
    """Runs `call` once; the time that its launches take on the modelled device."""
    _Timing.depth += 1
    before, _Timing.microseconds = _Timing.microseconds, 0.0
    try:
        call()
        return _Timing.microseconds * 1e-3
    finally:
        _Timing.microseconds = before
        _Timing.depth -= 1


def do_bench(fn, warmup=25, rep=100, grad_to_none=None, quantiles=None, return_mode="mean", **rest):
    """triton.testing.do_bench by modelled time: the model is deterministic, so one launch says all."""
    milliseconds = modelled_milliseconds(fn)
    if quantiles is not None:
        return [milliseconds] * len(quantiles) if len(quantiles) > 1 else milliseconds
    return [milliseconds] if return_mode == "all" else milliseconds


class Event:
    def record(self, stream=None):
        self.at = _Timing.microseconds

    def elapsed_time(self, other):
        return (other.at - self.at) * 1e-3

    def synchronize(self):
        pass


class DeviceInterface:
    """What benchmarks ask of torch.cuda."""

    def synchronize(self, device=None):
        pass

    def current_device(self):
        return 0

    def Event(self, enable_timing=True):
        return Event()


class InflightDriver(DriverBase):
    def __init__(self, chip=None):
        self.chip = chip or os.environ.get("INFLIGHT_CHIP", "gfx942")
        if self.chip not in DEVICES:
            raise Error(f"inflight: no chip '{self.chip}'; there are {', '.join(DEVICES)}")
        self.utils = Utils(self)
        self.launcher_cls = Launcher
        import triton.testing

        triton.testing.do_bench = do_bench

    @classmethod
    def is_active(cls):
        return os.environ.get("TRITON_DEFAULT_BACKEND") == "inflight"

    def map_python_to_cpp_type(self, kind):
        return "void*" if kind.startswith("*") else kind

    def get_current_target(self):
        return GPUTarget("hip", self.chip, 64)

    def get_current_device(self):
        return 0

    def set_current_device(self, device):
        pass

    def get_current_stream(self, device=None):
        return 0

    def get_device_interface(self):
        return DeviceInterface()

    def get_active_torch_device(self):
        import torch

        return torch.device("cpu")

    def get_benchmarker(self):
        return lambda call, quantiles=None, **rest: do_bench(call, quantiles=quantiles or [0.5, 0.2, 0.8])

    def get_empty_cache_for_benchmark(self):
        return None

    def clear_cache(self, cache):
        pass
