"""Operators that a program registers with torch for the device "cuda" (torch.library): torch sends what stands for the device's tensors to its CPU.

An operator's kernel for the CPU becomes a choice between the program's kernel for the device, if a tensor is the device's, and what else there is for
the CPU. Kernels run in the mode that torch leaves as it dispatches. Factories have no tensor to choose by: they stay torch's.
"""
import functools
import weakref

import torch

_FOR_HOST = {"CUDA": "CPU", "AutogradCUDA": "AutogradCPU", "AutocastCUDA": "AutocastCPU"}
_WITH_MODE = {*_FOR_HOST, *_FOR_HOST.values(), "CompositeExplicitAutograd", "CompositeImplicitAutograd"}

_choices = {}  # by operator and the host's key


def _in_mode(function, mode):
    @functools.wraps(function)
    def kernel(*arguments, **keywords):
        with mode():
            return function(*arguments, **keywords)

    return kernel


class _Choice:
    """The kernels of an operator that torch finds by one key."""

    def __init__(self, operator, key, is_device):
        self.operator, self.key, self.is_device = operator, key, is_device
        self.kernels = {}  # by the program's key: the library, which unregisters them as it ends, the function and whether it takes keys
        self.other = torch.library.get_kernel(operator, key) if torch._C._dispatch_has_computed_kernel_for_dispatch_key(operator, key) else None

    def alive(self):
        libraries = [library() for library, *_ in self.kernels.values()]
        return any(library is not None and library.m is not None for library in libraries)

    def add(self, library, key, function, with_keyset):
        self.kernels[key] = (weakref.ref(library), function, with_keyset)

    def __call__(self, keys, *arguments, **keywords):
        wanted = next((key for key, host in _FOR_HOST.items() if host == self.key), None) if self.is_device(arguments, keywords) else self.key
        if wanted in self.kernels:
            _, function, with_keyset = self.kernels[wanted]
            return function(*((keys,) if with_keyset else ()), *arguments, **keywords)
        if self.other is None:
            raise NotImplementedError(f"Could not run '{self.operator}' with arguments from the '{wanted}' backend: it has kernels for {', '.join(sorted(self.kernels))}")
        return self.other.call_boxed(keys, *arguments, **keywords)


def replace(mode, is_device):
    """`mode` makes what functions run in; `is_device` tells whether one of an operator's arguments is a tensor of the device."""
    plain = torch.library.Library.impl

    @functools.wraps(plain)
    def impl(self, op_name, fn, dispatch_key="", *, with_keyset=False, **rest):
        key = dispatch_key or self.dispatch_key
        if key not in _WITH_MODE or not callable(fn) or fn is torch.library.fallthrough_kernel:
            return plain(self, op_name, fn, dispatch_key, with_keyset=with_keyset, **rest)
        fn = _in_mode(fn, mode)
        host = _FOR_HOST.get(key, key)
        if host not in _FOR_HOST.values():
            return plain(self, op_name, fn, key, with_keyset=with_keyset, **rest)
        if host != key:
            plain(self, op_name, fn, key, with_keyset=with_keyset, **rest)
        name = op_name if isinstance(op_name, str) else op_name._name
        operator = f"{self.ns}::{name.split('::')[-1]}"
        choice = _choices.get((operator, host))
        if choice is None or not choice.alive():
            choice = _choices[operator, host] = _Choice(operator, host, is_device)
            plain(self, op_name, choice, host, with_keyset=True, **{**rest, "allow_override": True})
        choice.add(self, key, fn, with_keyset)

    torch.library.Library.impl = impl
