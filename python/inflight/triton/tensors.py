"""Memory that kernels reach by addresses in other tensors, as in a grouped GEMM's tables of pointers.

A tensor whose data_ptr() the program itself has asked for may be reached by that address as long as it lives.
"""
import ctypes
import sys
import weakref

from inflight.arrays import Buffer

_asked = {}  # by id of the tensor: a weak reference
_freed = {}  # first and last address of tensors that were asked for and are gone: how they are called

# Modules of Triton and of this package ask for addresses of what they pass on: those are arguments already.
_OWN = ("triton", "inflight", "torch")


def _whole(tensor):
    """The tensor that owns the memory: a view may be gone soon."""
    return tensor._base if getattr(tensor, "_base", None) is not None else tensor


def _remember(tensor):
    if tensor.device.type != "cpu" or id(tensor) in _asked:
        return
    key = id(tensor)
    begin, nbytes = tensor.untyped_storage().data_ptr(), tensor.untyped_storage().nbytes()
    name = f"{tuple(tensor.shape)} tensor of {tensor.dtype}"

    def gone(reference):
        _asked.pop(key, None)
        _freed[begin, begin + nbytes] = name

    _asked[key] = weakref.ref(tensor, gone)


def watch():
    """Has torch's tensors remembered when their address is asked for, from the moment that the program has imported torch."""
    torch = sys.modules.get("torch")
    if not hasattr(torch, "Tensor"):
        return
    if getattr(torch.Tensor.data_ptr, "inflight", False):
        return
    plain = torch.Tensor.data_ptr

    def data_ptr(self):
        asker = sys._getframe(1).f_globals.get("__name__") or ""
        if asker.partition(".")[0] not in _OWN:
            _remember(_whole(self))
        return plain(self)

    data_ptr.inflight = True
    data_ptr.__doc__ = plain.__doc__
    torch.Tensor.data_ptr = data_ptr


def reachable():
    """Buffers, with names, of all tensors whose addresses the program knows."""
    found = []
    for reference in list(_asked.values()):
        tensor = reference()
        if tensor is not None:
            storage = tensor.untyped_storage()
            found.append((Buffer(storage.data_ptr(), storage.nbytes(), tensor), "a tensor by its address"))
    return found


def freed_at(address):
    """What was at an address once, for messages; None if nothing is known."""
    return next((name for (begin, end), name in _freed.items() if begin <= address < end), None)


class Scratch:
    """Memory for a kernel's own use, as Triton's allocators hand it out."""

    def __init__(self, size):
        self.bytes = (ctypes.c_char * max(1, size))()
        self.buffer = Buffer(ctypes.addressof(self.bytes), size, self.bytes)

    def data_ptr(self):
        return self.buffer.address
