"""Inflight: AMD Instinct kernels (gfx90a, gfx942, gfx950) run, checked, timed and compiled without a GPU."""
from ._library import Error, Interrupted, KernelFault, NotFound, Unsupported, library as _library
from .arrays import strided
from .devices import device, devices
from .findings import Finding, FindingsError, check
from .tracing import Page, Trace, trace
from .runtime import Context, Kernel, Module, Result, Waits, assemble, compile, default_context, load, waits

__version__ = _library.ifl_version().decode()
__all__ = ["Context", "Error", "Finding", "FindingsError", "Interrupted", "Kernel", "KernelFault", "Module", "NotFound", "Page", "Result", "Trace", "Unsupported", "Waits", "assemble",
           "check", "compile", "default_context", "device", "devices", "load", "strided", "trace", "waits"]
