"""Memory that kernels reach by addresses in other tensors, as in a grouped GEMM's tables of pointers.

Memory of a tensor whose data_ptr() the program itself has asked for may be reached by that address as long as some tensor has it.
"""
import ctypes
import sys

from inflight.arrays import DEVICES, Buffer
from inflight.imports import when_imported

_asked = {}  # by the memory's own object: a weak reference to it, how the tensor is called, first address and bytes
_freed = {}  # first and last address of tensors that were asked for and are gone: how they are called

# Modules of Triton and of this package ask for addresses of what they pass on: those are arguments already.
_OWN = ("triton", "inflight", "torch")


def _remember(tensor):
    if tensor.device.type not in DEVICES:
        return
    storage = tensor.untyped_storage()
    if storage._cdata not in _asked:
        _asked[storage._cdata] = storage._weak_ref(), f"{tuple(tensor.shape)} tensor of {tensor.dtype}", storage.data_ptr(), storage.nbytes()


def watch():
    """Has torch's tensors remembered when their address is asked for, from now on or from the moment that torch is imported."""
    when_imported("torch", _watch)


def _watch(torch):
    if not hasattr(torch, "Tensor") or getattr(torch.Tensor.data_ptr, "inflight", False):
        return
    plain = torch.Tensor.data_ptr

    def data_ptr(self):
        asker = sys._getframe(1).f_globals.get("__name__") or ""
        if asker.partition(".")[0] not in _OWN:
            _remember(self)
        return plain(self)

    data_ptr.inflight = True
    data_ptr.__doc__ = plain.__doc__
    torch.Tensor.data_ptr = data_ptr


def is_host(tensor):
    """Whether a device has to be there to tell, and can't reach it (inflight.cuda)."""
    cuda = sys.modules.get("inflight.cuda")
    return cuda is not None and cuda.is_host(tensor)


def reachable():
    """Buffers, with names, of all tensors whose addresses the program knows."""
    found = []
    for key, (reference, name, begin, nbytes) in list(_asked.items()):
        kind = sys.modules["torch"].UntypedStorage
        storage = kind._new_with_weak_ptr(reference)
        if storage is None:
            kind._free_weak_ref(reference)
            del _asked[key]
            _freed[begin, begin + nbytes] = name
        else:
            found.append((Buffer(storage.data_ptr(), storage.nbytes(), storage), "a tensor by its address"))
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
