"""torch.cuda, torch.accelerator and torch.version where the CPU stands for "cuda" (cuda.py): what answers, and what is refused by its name."""
import collections
import contextlib
import functools
import itertools
import os
import threading
import types

import torch

from .timing import Event, Timing

# A release of ROCm that torch is built for: programs ask whether there is one, or compare it.
HIP_VERSION = "6.4.0"

# Classes that programs make or inherit from, and modules whose own functions are fine or patched below.
_KEPT = {"CudaError", "DeferredCudaCallError", "amp", "cudaStatus", "default_generators", "graphs", "has_half", "has_magma", "memory", "nvtx", "profiler",
         "random", "sparse", "streams"}


class Stream:
    """All is done when a call returns, so a stream has nothing to wait for."""

    _numbers = itertools.count(1)

    def __init__(self, device=None, priority=0, **keywords):
        self.device, self.device_index, self.device_type = torch.device("cuda", 0), 0, 1
        self.priority, self.cuda_stream = priority, keywords.get("number", next(self._numbers))
        self.stream_id = self.cuda_stream

    def _nothing(self, *arguments, **keywords):
        pass

    synchronize = wait_stream = wait_event = _nothing

    def record_event(self, event=None):
        event = event or CudaEvent()
        event.record(self)
        return event

    def query(self):
        return True

    def is_capturing(self):
        return False

    def __enter__(self):
        _current.streams.append(self)
        return self

    def __exit__(self, *raised):
        _current.streams.pop()


class _Current(threading.local):
    def __init__(self):
        self.streams = [_default]


_default = Stream(number=0)
_current = _Current()


def _current_stream(device=None):
    return _current.streams[-1]


def _set_stream(stream):
    if stream is not None:
        _current.streams[-1] = stream


class StreamContext:
    def __init__(self, stream):
        self.stream = stream

    def __enter__(self):
        _current.streams.append(self.stream or _current_stream())

    def __exit__(self, *raised):
        _current.streams.pop()


class CudaEvent(Event):
    def __init__(self, device=None, enable_timing=False, **keywords):
        self.at, self.device, self.cuda_event = Timing.microseconds, torch.device("cuda", 0), 0

    def query(self):
        return True

    def wait(self, stream=None):
        pass


def _index(device):
    """The number of a device argument; there is one device."""
    number = getattr(device, "idx", device)
    if number is None or isinstance(number, (str, torch.device)):
        number = torch.device("cuda" if number is None else number).index or 0
    if number not in (0, -1):
        raise RuntimeError(f"inflight: device {number}: there is one device, cuda:0")
    return 0


class Device:
    """A `with` statement's, and what Triton and torch ask for its number."""

    def __init__(self, device=None):
        self.idx, self.prev_idx = _index(device), 0

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        return False


class DeviceOf(Device):
    def __init__(self, tensor=None):
        super().__init__()


def _properties(found):
    units = found["simds_per_cu"] * found["lanes"]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")  # the host's is the device's
    return types.SimpleNamespace(
        name=f"AMD Instinct {found['name']}", gcnArchName=found["chip"], major=int(found["chip"][3:-2]), minor=int(found["chip"][-2], 16),
        multi_processor_count=found["compute_units"], warp_size=found["lanes"], max_threads_per_multi_processor=found["waves_per_simd"] * units,
        shared_memory_per_block=found["lds_bytes"], shared_memory_per_block_optin=found["lds_bytes"], shared_memory_per_multiprocessor=found["lds_bytes"],
        regs_per_multiprocessor=found["arch_vgprs"] * units, total_memory=memory, is_integrated=0, is_multi_gpu_board=0)


def _answers(properties):
    """Names of functions and what they give, whatever they are called with."""
    memory = properties.total_memory
    nothing = ("synchronize", "init", "empty_cache", "ipc_collect", "reset_peak_memory_stats", "reset_accumulated_memory_stats",
               "reset_peak_host_memory_stats", "reset_accumulated_host_memory_stats", "reset_max_memory_allocated", "reset_max_memory_cached",
               "set_sync_debug_mode", "set_per_process_memory_fraction", "caching_allocator_enable")
    zero = ("current_device", "memory_allocated", "memory_reserved", "memory_cached", "max_memory_allocated", "max_memory_reserved", "max_memory_cached",
            "get_sync_debug_mode")
    statistics = ("memory_stats", "memory_stats_as_nested_dict", "host_memory_stats", "host_memory_stats_as_nested_dict")
    return {
        **dict.fromkeys(nothing), **dict.fromkeys(zero, 0), **{name: collections.OrderedDict() for name in statistics}, "is_available": True,
        "is_initialized": True, "device_count": 1, "get_device_capability": (properties.major, properties.minor), "get_device_name": properties.name,
        "get_device_properties": properties, "is_bf16_supported": True, "is_tf32_supported": False, "mem_get_info": (memory, memory),
        "is_current_stream_capturing": False, "can_device_access_peer": False, "get_arch_list": [properties.gcnArchName], "get_gencode_flags": "",
        "get_allocator_backend": "native", "get_per_process_memory_fraction": 1.0, "memory_summary": "", "_is_compiled": True, "_lazy_init": None,
    }


def _random():
    """One generator stands for the host's and the device's."""
    return {
        "manual_seed": lambda seed: torch.default_generator.manual_seed(int(seed)) and None,
        "manual_seed_all": lambda seed: torch.default_generator.manual_seed(int(seed)) and None,
        "seed": lambda: torch.default_generator.seed() and None, "seed_all": lambda: torch.default_generator.seed() and None,
        "initial_seed": lambda: torch.default_generator.initial_seed(), "get_rng_state": lambda device="cuda": torch.default_generator.get_state(),
        "get_rng_state_all": lambda: [torch.default_generator.get_state()],
        "set_rng_state": lambda state, device="cuda": torch.default_generator.set_state(state) and None,
        "set_rng_state_all": lambda states: torch.default_generator.set_state(states[0]) and None,
    }


def _refused(name, plain):
    """Dynamo looks for what decorators say of `plain`."""
    @functools.wraps(plain, updated=())
    def function(*arguments, **keywords):
        raise NotImplementedError(f"inflight: {name} isn't there, because the CPU stands for the device \"cuda\"")

    return function


def _refused_class(name, plain):
    return type(plain.__name__, (), {"__new__": _refused(name, plain.__new__)})


def _answering(answer):
    return lambda *arguments, **keywords: answer


def _stand_ins(properties):
    """For every name of torch.cuda that works."""
    found = {name: _answering(answer) for name, answer in _answers(properties).items()}
    found.update(_random())
    found.update(Stream=Stream, Event=CudaEvent, StreamContext=StreamContext, stream=StreamContext, device=Device, device_of=DeviceOf,
                 current_stream=_current_stream, default_stream=lambda device=None: _default, set_stream=_set_stream,
                 set_device=lambda device: _index(device) and None, _DeviceGuard=Device, _exchange_device=_answering(0),
                 _maybe_exchange_device=_answering(0))
    for name in torch.cuda.__all__:
        # The legacy classes, torch.cuda.FloatTensor and so on.
        if name.endswith(("Tensor", "Storage")):
            found[name] = getattr(torch, name)
    return found


def _accelerator(found):
    # Dynamo's handlers are by function, and torch.cuda's functions have theirs.
    cuda = {name: functools.partial(found[name]) for name in torch.accelerator.__all__ if name in found}
    types = {value for value in vars(torch).values() if isinstance(value, torch.dtype)}  # the CPU has all
    return {**cuda, "get_device_capability": lambda device=None: {"supported_dtypes": types}, "get_memory_info": found["mem_get_info"],
            "empty_host_cache": found["empty_cache"], "current_accelerator": lambda check_available=False: torch.device("cuda"), "current_device_index": found["current_device"],
            "current_device_idx": found["current_device"], "set_device_index": found["set_device"], "set_device_idx": found["set_device"],
            "device_index": Device}


def _fill(module, found):
    """What `found` doesn't have is refused by its name."""
    for name in module.__all__:
        if name in found or name in _KEPT:
            continue
        full = f"{module.__name__}.{name}"
        plain = getattr(module, name)
        if isinstance(plain, types.ModuleType):
            for inner, value in list(vars(plain).items()):
                if isinstance(value, types.FunctionType):
                    setattr(plain, inner, _refused(f"{full}.{inner}", value))
            continue
        found[name] = (_refused_class if isinstance(plain, type) else _refused)(full, plain)
    for name, stand_in in found.items():
        setattr(module, name, stand_in)


def _patch_markers():
    """Ranges for profilers."""
    nvtx = torch.cuda.nvtx
    nvtx.range_push = nvtx.range_pop = nvtx.range_start = _answering(0)
    nvtx.range_end = nvtx.mark = torch.cuda.profiler.start = torch.cuda.profiler.stop = _answering(None)
    nvtx.range = torch.cuda.profiler.profile = lambda *arguments, **keywords: contextlib.nullcontext()


def replace(device):
    """torch.cuda and torch.accelerator are about `device` (inflight.device()) from now on."""
    found = _stand_ins(_properties(device))
    _fill(torch.cuda, found)
    for module in (torch.cuda.memory, torch.cuda.random, torch.cuda.streams, torch.cuda.graphs):
        for name in set(found) & set(vars(module)):
            setattr(module, name, found[name])
    torch.cuda.default_generators = (torch.default_generator,)
    if hasattr(torch, "accelerator"):
        _fill(torch.accelerator, _accelerator(found))
    _patch_markers()
    torch.Stream, torch.Event = Stream, CudaEvent
    # The device is AMD's.
    torch.version.hip, torch.version.cuda = HIP_VERSION, None
