"""What FlyDSL and its examples need of torch, on numpy: tensors of "cuda" are hipMalloc's memory, which the host can read here.

ROCm's torch runs on GPUs only. This stands in for it where examples run with `inflight exec` (bench/flydsl_examples.py).
"""
import ctypes
import types

import numpy

_hip = ctypes.CDLL("libamdhip64.so.7")

float16, float32, float64 = (numpy.dtype(name) for name in ("float16", "float32", "float64"))
uint8, int8, int16, int32, int64 = (numpy.dtype(name) for name in ("uint8", "int8", "int16", "int32", "int64"))
bool = numpy.dtype("bool")
bfloat16 = object()  # numpy has none
_random = numpy.random.default_rng(0)


def device(name="cuda", index=0):
    return str(name)


class Size(tuple):
    def numel(self):
        return int(numpy.prod(self))


class Tensor(numpy.ndarray):
    @property
    def device(self):
        return "cuda"

    is_cuda = True
    requires_grad = False

    def data_ptr(self):
        return self.ctypes.data

    def stride(self, axis=None):
        strides = tuple(s // self.itemsize for s in self.strides)
        return strides if axis is None else strides[axis]

    def element_size(self):
        return self.itemsize

    def numel(self):
        return self.size

    def dim(self):
        return self.ndim

    def is_contiguous(self):
        return self.flags.c_contiguous

    def contiguous(self):
        return _on_device(numpy.ascontiguousarray(self))

    def cuda(self):
        return _on_device(self)

    def cpu(self):
        return numpy.array(self).view(Tensor)

    def numpy(self):
        return numpy.array(self)

    def detach(self):
        return self

    def to(self, *what, **named):
        made = self
        for one in (*what, *named.values()):
            if isinstance(one, numpy.dtype):
                made = _on_device(made.astype(one))
        return made

    def float(self):
        return self.to(float32)

    def long(self):
        return self.to(int64)

    def half(self):
        return self.to(float16)

    def view(self, *what):
        if what and all(isinstance(one, (int, numpy.integer)) for one in what):
            return self.reshape(what)
        return numpy.ndarray.view(self, *what)

    def permute(self, *axes):
        return self.transpose(*axes)

    def expand(self, *shape):
        shape = [old if new == -1 else new for new, old in zip(shape, self.shape)]
        return numpy.broadcast_to(self, shape).view(Tensor)

    def cumsum(self, axis, dtype=None):
        return numpy.cumsum(numpy.asarray(self), axis=axis, dtype=dtype).view(Tensor)

    def sum(self, axis=None, dtype=None, keepdim=False, **kept):
        return numpy.asarray(numpy.sum(numpy.asarray(self), axis=axis, dtype=dtype, keepdims=keepdim)).view(Tensor)

    def t(self):
        return self.T


class _Memory:
    """Device memory, given back with the last array on it."""

    def __init__(self, count):
        self.address = ctypes.c_void_p()
        if _hip.hipMalloc(ctypes.byref(self.address), ctypes.c_size_t(max(count, 1))):
            raise MemoryError(count)
        self.__array_interface__ = {"data": (self.address.value, False), "shape": (count,), "typestr": "|u1", "version": 3}

    def __del__(self):
        _hip.hipFree(self.address)


def _on_device(array):
    array = numpy.asarray(array)
    made = numpy.asarray(_Memory(array.nbytes)).view(array.dtype).reshape(array.shape).view(Tensor)
    made[...] = array
    return made


def _shape(shape):
    return shape[0] if len(shape) == 1 and isinstance(shape[0], (tuple, list)) else shape


def randn(*shape, dtype=float32, **kept):
    return _on_device(_random.standard_normal(_shape(shape)).astype(dtype))


def rand(*shape, dtype=float32, **kept):
    return _on_device(_random.random(_shape(shape)).astype(dtype))


def randint(low, high, shape, dtype=int64, **kept):
    return _on_device(_random.integers(low, high, shape).astype(dtype))


def randperm(count, **kept):
    return _on_device(_random.permutation(count))


def zeros(*shape, dtype=float32, **kept):
    return _on_device(numpy.zeros(_shape(shape), dtype))


empty = zeros


def ones(*shape, dtype=float32, **kept):
    return _on_device(numpy.ones(_shape(shape), dtype))


def zeros_like(other, **kept):
    return zeros(other.shape, dtype=other.dtype)


empty_like = zeros_like


def arange(*range, dtype=int64, **kept):
    return _on_device(numpy.arange(*range, dtype=dtype))


def tensor(values, dtype=None, **kept):
    return _on_device(numpy.array(values, dtype))


def allclose(a, b, rtol=1e-5, atol=1e-8):
    return numpy.allclose(numpy.asarray(a), numpy.asarray(b), rtol, atol)


def equal(a, b):
    return numpy.array_equal(numpy.asarray(a), numpy.asarray(b))


def matmul(a, b):
    return numpy.matmul(numpy.asarray(a), numpy.asarray(b)).view(Tensor)


def manual_seed(seed):
    global _random
    _random = numpy.random.default_rng(seed)


class _Stream:
    cuda_stream = 0
    stream_id = 0

    def synchronize(self):
        _hip.hipDeviceSynchronize()


cuda = types.SimpleNamespace(
    Stream=_Stream, current_stream=lambda *kept: _Stream(), synchronize=lambda *kept: _hip.hipDeviceSynchronize(),
    is_available=lambda: True, current_device=lambda: 0, device_count=lambda: 1, manual_seed=manual_seed)
version = types.SimpleNamespace(hip="7.1", cuda=None)
nn = types.SimpleNamespace(Parameter=Tensor)
__version__ = "0"
