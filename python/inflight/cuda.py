"""Programs that say device="cuda": torch's CPU in its place, while kernels run on Inflight.

What is redirected: the device of tensors that are made or moved, Tensor.cuda(), Tensor.is_cuda, and of torch.cuda what programs ask before and
after they launch kernels. Streams and events do nothing, as all is done when a launch returns. torch's own operators run on the CPU.
"""
import contextlib
import os
import types

import torch
from torch.overrides import TorchFunctionMode

from .timing import Event, Timing

_active = None


def _on_cpu(value):
    """A device argument that means a GPU as the CPU."""
    if isinstance(value, str) and value.partition(":")[0] in ("cuda", "hip"):
        return "cpu"
    if isinstance(value, torch.device) and value.type == "cuda":
        return torch.device("cpu")
    return value


_IS_CUDA = torch.Tensor.is_cuda.__get__
_CUDA = torch.Tensor.cuda
# Functions whose positional arguments may be a device.
_MOVES = {torch.Tensor.to, torch.Tensor.new_empty, torch.Tensor.new_zeros, torch.Tensor.new_full, torch.Tensor.new_ones}


class CpuForCuda(TorchFunctionMode):
    def __torch_function__(self, function, kinds, arguments=(), keywords=None):
        keywords = dict(keywords or {})
        if "device" in keywords:
            keywords["device"] = _on_cpu(keywords["device"])
            # cudaMallocHost's memory is no other than the rest.
            keywords.pop("pin_memory", None)
        if function == _IS_CUDA:
            return True
        if function is _CUDA:
            return arguments[0]
        if function in _MOVES:
            arguments = tuple(map(_on_cpu, arguments))
        return function(*arguments, **keywords)


class Stream:
    cuda_stream = 0

    def __init__(self, *arguments, **keywords):
        pass

    def _nothing(self, *arguments, **keywords):
        pass

    synchronize = wait_stream = wait_event = record_event = _nothing

    def query(self):
        return True

    def __enter__(self):
        return self

    def __exit__(self, *raised):
        pass


class CudaEvent(Event):
    def __init__(self, enable_timing=False, **keywords):
        self.at = Timing.microseconds

    def query(self):
        return True

    def wait(self, stream=None):
        pass


def _properties(found):
    units = found["simds_a_unit"] * found["lanes"]
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")  # the host's is the device's
    return types.SimpleNamespace(
        name=f"AMD Instinct {found['name']}", gcnArchName=found["chip"], major=int(found["chip"][3:-2]), minor=int(found["chip"][-2], 16),
        multi_processor_count=found["compute_units"], warp_size=found["lanes"], max_threads_per_multi_processor=found["waves_a_simd"] * units,
        shared_memory_per_block=found["lds_bytes"], shared_memory_per_block_optin=found["lds_bytes"], shared_memory_per_multiprocessor=found["lds_bytes"],
        regs_per_multiprocessor=found["arch_vgprs"] * units, total_memory=memory)


def replace(device):
    """From now on "cuda" is the CPU in this process, with the properties of `device` (inflight.device())."""
    global _active
    if _active is None:
        _active = CpuForCuda()
        _active.__enter__()
    properties = _properties(device)
    cuda = torch.cuda
    answers = {
        "is_available": True, "is_initialized": True, "device_count": 1, "current_device": 0, "synchronize": None, "set_device": None, "init": None,
        "empty_cache": None, "manual_seed": None, "manual_seed_all": None, "get_device_capability": (properties.major, properties.minor),
        "get_device_name": properties.name, "get_device_properties": properties, "is_bf16_supported": True, "reset_peak_memory_stats": None,
        "max_memory_allocated": 0, "memory_allocated": 0, "mem_get_info": (properties.total_memory, properties.total_memory), "is_current_stream_capturing": False,
    }
    for name, answer in answers.items():
        setattr(cuda, name, lambda *arguments, _answer=answer, **keywords: _answer)
    cuda.Stream, cuda.Event = Stream, CudaEvent
    cuda.current_stream = cuda.default_stream = lambda *arguments, **keywords: Stream()
    cuda.set_stream = lambda *arguments: None
    cuda.stream = cuda.device = lambda *arguments, **keywords: contextlib.nullcontext()
