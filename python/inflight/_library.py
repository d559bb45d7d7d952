"""libinflight.so by ctypes: the declarations of include/inflight/inflight.h, and statuses as exceptions."""
import ctypes
import json
import os
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_int, c_size_t, c_uint32, c_uint64, c_void_p

API_VERSION = 2

INVALID, NOT_FOUND, FAULT, UNSUPPORTED, INTERRUPTED = 1, 2, 3, 4, 5


class Error(Exception):
    """What a call of the library failed with; the message says what to do."""


class KernelFault(Error):
    """The kernel did what faults: an access outside of all memory, an instruction that isn't supported, no end."""


class NotFound(Error, LookupError):
    """No kernel, variable or memory of that name or address."""


class Unsupported(Error):
    """The library or the chip doesn't have it."""


class Interrupted(Error):
    """A signal came during the launch, and its handler has raised nothing: arrays are as far as the kernel came."""


EXCEPTIONS = {INTERRUPTED: Interrupted, NOT_FOUND: NotFound, FAULT: KernelFault, UNSUPPORTED: Unsupported}


InterruptedFunction = CFUNCTYPE(c_int, c_void_p)
SlowFunction = CFUNCTYPE(None, c_void_p, c_char_p)


class Launch(Structure):
    _fields_ = [("size", c_size_t), ("grid", c_uint32 * 3), ("block", c_uint32 * 3), ("dynamic_lds", c_uint32), ("kernarg", c_void_p),
                ("kernarg_bytes", c_size_t), ("arguments", POINTER(c_void_p)), ("argument_count", c_size_t), ("checks", c_char_p),
                ("delivery", c_char_p), ("timed", c_int), ("device", c_char_p), ("clock_mhz", c_uint32), ("sample", c_uint32), ("warm", c_int),
                ("html", c_char_p), ("threads", c_uint32), ("max_steps", c_uint64),
                ("interrupted", InterruptedFunction), ("interrupted_data", c_void_p), ("sources", c_char_p), ("slow", SlowFunction), ("slow_data", c_void_p),
                ("granule", c_uint32)]


class CompileOptions(Structure):
    _fields_ = [("size", c_size_t), ("chip", c_char_p), ("emit", c_char_p), ("debug", c_int), ("reassociate", c_int)]


def _candidates():
    if os.environ.get("INFLIGHT_LIBRARY"):
        yield os.environ["INFLIGHT_LIBRARY"]
    here = os.path.dirname(os.path.abspath(__file__))
    yield os.path.join(here, "lib", "libinflight.so")
    # An installed command: PREFIX/share/inflight/python/inflight.
    yield os.path.join(here, "..", "..", "..", "..", "lib", "libinflight.so")
    # A source tree.
    yield os.path.join(here, "..", "..", "build", "lib", "libinflight.so")


def _load():
    path = next((path for path in _candidates() if os.path.exists(path)), None)
    if path is None:
        raise ImportError("inflight: no libinflight.so beside the package; in a source tree `ninja -C build inflight_shared` builds it, "
                          "INFLIGHT_LIBRARY=FILE says where another is")
    library = ctypes.CDLL(path)
    out = POINTER(c_void_p)
    size = POINTER(c_size_t)
    declarations = {
        "ifl_api_version": (c_int, []),
        "ifl_version": (c_char_p, []),
        "ifl_last_error": (c_char_p, []),
        "ifl_free": (None, [c_void_p]),
        "ifl_context_create": (c_int, [out]),
        "ifl_context_destroy": (None, [c_void_p]),
        "ifl_memory_register": (c_int, [c_void_p, c_void_p, c_uint64, c_char_p]),
        "ifl_memory_unregister": (c_int, [c_void_p, c_void_p]),
        "ifl_memory_allocate": (c_int, [c_void_p, c_uint64, c_char_p, out]),
        "ifl_memory_release": (c_int, [c_void_p, c_void_p]),
        "ifl_module_load": (c_int, [c_void_p, c_void_p, c_size_t, c_char_p, out]),
        "ifl_module_unload": (None, [c_void_p]),
        "ifl_module_chip": (c_char_p, [c_void_p]),
        "ifl_module_info": (c_int, [c_void_p, out]),
        "ifl_module_symbol": (c_int, [c_void_p, c_char_p, out, POINTER(c_uint64)]),
        "ifl_launch_kernel": (c_int, [c_void_p, c_char_p, POINTER(Launch), out]),
        "ifl_advise": (c_int, [c_void_p, c_char_p, POINTER(Launch), c_uint32, out, out, size]),
        "ifl_devices": (c_int, [out]),
        "ifl_device_find": (c_int, [c_char_p, c_void_p, c_size_t, out]),
        "ifl_waits": (c_int, [c_void_p, c_size_t, c_char_p, c_char_p, c_char_p, out, out, size]),
        "ifl_compile_with": (c_int, [c_char_p, c_size_t, c_char_p, POINTER(CompileOptions), out, size, out]),
        "ifl_assemble": (c_int, [c_char_p, c_size_t, c_char_p, c_char_p, out, size]),
    }
    for name, (result, arguments) in declarations.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    if library.ifl_api_version() < API_VERSION:
        raise ImportError(f"inflight: {path} is older than this package")
    return library


library = _load()


def check(status):
    if status:
        message = library.ifl_last_error().decode(errors="replace")
        raise EXCEPTIONS.get(status, Error)(message)


def taken(pointer, size=None):
    """The bytes (a string without `size`) that the library has handed out, which it gets back."""
    if not pointer.value:
        return None
    try:
        return ctypes.string_at(pointer.value) if size is None else ctypes.string_at(pointer.value, size.value)
    finally:
        library.ifl_free(pointer)


def taken_json(pointer):
    text = taken(pointer)
    return None if text is None else json.loads(text)


def encoded(text):
    return None if text is None else os.fsencode(text)


__all__ = ["CompileOptions", "Error", "KernelFault", "Launch", "NotFound", "Unsupported", "byref", "c_size_t", "c_void_p", "check", "encoded", "library", "taken",
           "taken_json"]
