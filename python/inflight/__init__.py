"""Inflight: AMD Instinct kernels (gfx90a, gfx942, gfx950) run, checked, timed and compiled without a GPU."""
from ._library import Error, Interrupted, KernelFault, NotFound, Unsupported, library as _library
from .advice import Advice, Advisory, Pipe, advise
from .arrays import aligned, strided
from .devices import device, devices
from .findings import Finding, FindingsError, check
from .tracing import Page, Trace, trace
from .runtime import Context, Kernel, Module, Result, Waits, assemble, compile, default_context, load, waits
from . import tune

__version__ = _library.ifl_version().decode()
__all__ = ["Advice", "Advisory", "Context", "Error", "Finding", "FindingsError", "Interrupted", "Kernel", "KernelFault", "Module", "NotFound", "Page",
           "Pipe", "Result", "Trace", "Unsupported", "Waits", "advise", "aligned", "assemble", "check", "compile", "default_context", "device",
           "devices", "load", "strided", "trace", "waits"]
