"""numpy's arrays as arguments of Triton's kernels."""
import numpy


class Tensor(numpy.ndarray):
    """An array that Triton takes for a tensor: it asks for the address, and for the elements' type by its name."""

    def data_ptr(self):
        return self.ctypes.data


def tensor(array):
    """A numpy array as an argument of kernels of Triton and Gluon: a view, so kernels read and write the array itself.

    kernel[grid](inflight.triton.tensor(a), ...)
    """
    if not isinstance(array, numpy.ndarray):
        raise TypeError(f"inflight: tensor() takes a numpy array, not a {type(array).__name__}; torch's tensors are arguments themselves")
    return array.view(Tensor)
