"""Programs that say device="cuda": torch's CPU in its place, while kernels run on Inflight.

A tensor is the device's if it was made there, brought there or computed from such; the host's if it was made without a device, or brought to the CPU.
All are memory of the host: what tells them apart is kept here, and whatever moves a tensor copies it, as between a host and a device. torch's own
operators run on the CPU, and all is done when a call returns. What torch.cuda has and this hasn't raises NotImplementedError (_cuda_surface.py).
"""
import contextlib
import functools
import threading
import weakref

import torch
from torch.overrides import TorchFunctionMode
from torch.utils import _device

from . import _cuda_surface, _inductor, _operators, arrays

DEVICE = torch.device("cuda", 0)

_active = _library = None


def _is_device(value):
    """Whether a device argument means the device."""
    if isinstance(value, bool) or value is None:
        return False
    if isinstance(value, int):
        index, kind = value, "cuda"
    elif isinstance(value, (str, torch.device)):
        kind, _, index = str(value).partition(":")
        index = int(index) if index.isdigit() else 0
    else:
        return False
    if kind not in ("cuda", "hip"):
        return False
    if index:
        raise RuntimeError(f"inflight: device '{kind}:{index}': there is one device, cuda:0")
    return True


def _names_place(value):
    return isinstance(value, (str, torch.device)) or isinstance(value, int) and not isinstance(value, bool)


class _Hosts:
    """The tensors that are the host's. They are known by their identity: tensors compare by element."""

    def __init__(self):
        self.references, self.pinned = {}, weakref.WeakValueDictionary()

    def has(self, tensor):
        return id(tensor) in self.references

    def add(self, tensor):
        key = id(tensor)
        if key not in self.references:
            self.references[key] = weakref.ref(tensor, lambda _: self.references.pop(key, None))

    def discard(self, tensor):
        self.references.pop(id(tensor), None)


_hosts = _Hosts()


def is_host(tensor):
    """Whether a tensor is the host's: a kernel can't be given it."""
    return _active is not None and _hosts.has(tensor) and id(tensor) not in _hosts.pinned


def _tensors_in(values, found):
    for value in values:
        if isinstance(value, torch.Tensor):
            found.append(value)
        elif isinstance(value, (tuple, list)):
            _tensors_in(value, found)
        elif isinstance(value, dict):
            _tensors_in(value.values(), found)
    return found


def _placed(tensor, on_host):
    (_hosts.add if on_host else _hosts.discard)(tensor)
    return tensor


def _moved(tensor, result, on_host):
    """`result` of a move of `tensor`: another tensor if it comes from the other side."""
    if result is tensor and _hosts.has(tensor) != on_host:
        result = tensor.clone()
    return result if result is tensor else _placed(result, on_host)


# What stands for methods and properties of tensors; the functions get the plain one first.
def _to(plain, tensor, *arguments, **keywords):
    on_host = _hosts.has(tensor)
    named = [*arguments[:1], *(keywords[name] for name in ("device", "other") if name in keywords)]
    for place in named:
        if isinstance(place, torch.Tensor):
            on_host = _hosts.has(place)
        elif _names_place(place):
            on_host = not _is_device(place)
    arguments = tuple("cpu" if _names_place(value) and _is_device(value) else value for value in arguments[:1]) + arguments[1:]
    if _is_device(keywords.get("device")):
        keywords["device"] = "cpu"
    result = plain(tensor, *arguments, **keywords)
    return result if result.device.type not in ("cpu", "cuda") else _moved(tensor, result, on_host)


def _cuda(plain, tensor, device=None, non_blocking=False, memory_format=torch.preserve_format):
    if device is not None and not _is_device(device):
        raise RuntimeError(f"Invalid device, must be cuda device: {device}")
    return _moved(tensor, tensor.contiguous(memory_format=memory_format) if memory_format is not torch.preserve_format else tensor, False)


def _cpu(plain, tensor, *arguments, **keywords):
    return _moved(tensor, plain(tensor, *arguments, **keywords), True)


def _pin_memory(plain, tensor, *arguments, **keywords):
    pinned = _placed(tensor.clone(), True)
    _hosts.pinned[id(pinned)] = pinned
    return pinned


def _set_data(plain, tensor, value):
    plain(tensor, value)
    _placed(tensor, _hosts.has(value))


def _get_grad(plain, tensor):
    found = plain(tensor)
    return found if found is None else _placed(found, _hosts.has(tensor))


def _make_parameter(plain, kind, data=None, *arguments, **keywords):
    made = plain(kind, data, *arguments, **keywords)
    return _placed(made, data is None or _hosts.has(data))


_T = torch.Tensor
_METHODS = {
    _T.to: _to, _T.cuda: _cuda, _T.cpu: _cpu, _T.pin_memory: _pin_memory,
    _T.is_pinned: lambda plain, tensor, *rest, **keywords: id(tensor) in _hosts.pinned,
    _T.get_device: lambda plain, tensor: -1 if _hosts.has(tensor) else 0,
    torch.get_device: lambda plain, tensor: -1 if _hosts.has(tensor) else 0,
    _T.is_cuda.__get__: lambda plain, tensor, *rest: _is_here(tensor) and not _hosts.has(tensor),
    _T.is_cpu.__get__: lambda plain, tensor, *rest: _is_here(tensor) and _hosts.has(tensor),
    _T.device.__get__: lambda plain, tensor, *rest: DEVICE if _is_here(tensor) and not _hosts.has(tensor) else plain(tensor, *rest),
    _T.data.__set__: _set_data,
    _T.grad.__get__: lambda plain, tensor, *rest: _get_grad(plain, tensor),
}
# These run the program's own functions, which torch would call without the mode.
_BACKWARD = {_T.backward, torch.autograd.backward, torch.autograd.grad}
_begun = threading.local()
# These share memory with what they are given.
_SHARING = {torch.as_tensor, torch.asarray, torch.from_numpy, torch.from_dlpack, torch.frombuffer}


def _is_here(tensor):
    """Not on "meta" or the like. Called in the mode, where torch's functions are the plain ones."""
    return tensor.device.type == "cpu"


class CpuForCuda(TorchFunctionMode):
    def __torch_function__(self, function, kinds, arguments=(), keywords=None):
        if torch.compiler.is_dynamo_compiling():  # below another mode: _inductor.py leaves it out otherwise
            return function(*arguments, **(keywords or {}))
        keywords = dict(keywords or {})
        method = _METHODS.get(function)
        if method is not None:
            return method(function, *arguments, **keywords)
        given = _tensors_in(arguments, _tensors_in(keywords.values(), []))
        device = keywords.get("device")
        if device is None and function in _device._device_constructors() and _is_device(_device.CURRENT_DEVICE):
            device = keywords["device"] = "cuda"
        if device is None:
            on_host = all(map(_hosts.has, given))
        else:
            on_host = not _is_device(device)
            keywords["device"] = device if on_host else "cpu"
        if keywords.pop("pin_memory", False) and on_host:
            return _pin_memory(None, self.__torch_function__(function, kinds, arguments, keywords))
        _begun.backward = function in _BACKWARD
        result = function(*arguments, **keywords)
        if function in _SHARING and not on_host and not any(map(_is_device_tensor, given)):
            result = result.clone()
        if on_host:
            for made in _tensors_in((result,), []):
                if not any(made is one for one in given):
                    _hosts.add(made)
        return result


def _is_device_tensor(tensor):
    return not _hosts.has(tensor)


def _patch_generator():
    class Kind(type(torch._C.Generator)):  # which has a metaclass of its own since 2.15
        def __instancecheck__(cls, value):
            return isinstance(value, torch._C.Generator)

    class Generator(torch._C.Generator, metaclass=Kind):
        """torch.Generator, on the CPU whatever its device."""

        def __new__(cls, device="cpu"):
            made = super().__new__(cls, "cpu" if _is_device(device) else device)
            made.asked = DEVICE if _is_device(device) else torch.device(device)
            return made

        @property
        def device(self):
            return self.asked

    Generator.__name__ = Generator.__qualname__ = "Generator"
    torch.Generator = Generator


def _patch_autocast():
    """torch's autocast for the device has the CPU's inside, with its type: the CPU's lists say what is cast."""
    kind = torch.amp.autocast_mode.autocast
    enter, leave = kind.__enter__, kind.__exit__

    @functools.wraps(enter)
    def entered(self):
        result = enter(self)
        if self.device == "cuda":
            self.inner = kind("cpu", dtype=self.fast_dtype, enabled=self._enabled, cache_enabled=self._cache_enabled)
            enter(self.inner)
        return result

    @functools.wraps(leave)
    def left(self, *raised):
        if self.device == "cuda":
            leave(self.inner, *raised)
        return leave(self, *raised)

    kind.__enter__, kind.__exit__ = entered, left


def _patch_threads():
    """Modes are a thread's own: threads that the program starts begin with this one."""
    plain = threading.Thread._bootstrap_inner

    @functools.wraps(plain)
    def begin(self):
        with CpuForCuda():
            plain(self)

    threading.Thread._bootstrap_inner = begin


def _patch_backward():
    """Backward functions of the program, and hooks, run in the mode if they begin on the device, without it on the host. What torch traces stays as it is."""
    plain = torch.autograd.graph._engine_run_backward

    @functools.wraps(plain)
    def run(outputs, *arguments, **keywords):
        begun, _begun.backward = getattr(_begun, "backward", False), False
        with torch._C.DisableTorchFunction() if all(map(_hosts.has, outputs)) else CpuForCuda() if begun else contextlib.nullcontext():
            return plain(outputs, *arguments, **keywords)

    torch.autograd._engine_run_backward = torch.autograd.graph._engine_run_backward = run


def _patch_parameters():
    plain = torch.nn.Parameter.__new__

    @functools.wraps(plain)
    def make(kind, data=None, *arguments, **keywords):
        return _make_parameter(plain, kind, data, *arguments, **keywords)

    torch.nn.Parameter.__new__ = make


def _library_of_products():
    """Products with a type of their own for the result, which torch has for devices alone."""
    def product(function, *tensors, out_dtype, **scales):
        return function(*(tensor.to(out_dtype) for tensor in tensors), **scales)

    library = torch.library.Library("aten", "IMPL")
    for name in ("mm", "bmm", "addmm", "baddbmm"):
        function = getattr(torch, name)

        def plain(*arguments, function=function, **scales):
            *tensors, out_dtype = arguments
            return product(function, *tensors, out_dtype=out_dtype, **scales)

        def into(*arguments, out, plain=plain, **scales):
            return out.copy_(plain(*arguments, **scales))

        for overload, kernel in (("dtype", plain), ("dtype_out", into)):
            if hasattr(getattr(torch.ops.aten, name), overload):
                library.impl(f"{name}.{overload}", kernel, "CPU")
    return library


def replace(device):
    """From now on "cuda" is the CPU in this process, with the properties of `device` (inflight.device())."""
    global _active, _library
    if _active is None:
        _library = _library_of_products()
        _active = CpuForCuda()
        _active.__enter__()
        arrays.DEVICES.add("cuda")
        # A mode isn't asked, since torch looks at the stream first.
        torch.Tensor.record_stream = lambda tensor, stream: None
        _patch_generator()
        _patch_autocast()
        _patch_threads()
        _patch_backward()
        _patch_parameters()
        _operators.replace(CpuForCuda, lambda arguments, keywords: any(map(_is_device_tensor, _tensors_in((arguments, keywords), []))))
        _inductor.replace(CpuForCuda, _hosts, _is_device)
    _cuda_surface.replace(device)
    _inductor.renew()
