"""Whether addresses are memory of this process."""
import ctypes
import mmap

_libc = ctypes.CDLL(None, use_errno=True)
_libc.mincore.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]


def is_mapped(address, nbytes):
    if address <= 0 or nbytes <= 0 or address + nbytes >= 1 << 64:
        return False
    begin = address // mmap.PAGESIZE * mmap.PAGESIZE
    pages = (address + nbytes - begin + mmap.PAGESIZE - 1) // mmap.PAGESIZE
    most = 1 << 16
    there = (ctypes.c_ubyte * min(pages, most))()
    for first in range(0, pages, most):
        count = min(most, pages - first)
        if _libc.mincore(begin + first * mmap.PAGESIZE, count * mmap.PAGESIZE, there):
            return False
    return True
