"""Whose memory an argument is: numpy, torch on the CPU, and whatever has DLPack's or numpy's array interface."""


class Buffer:
    """Address, bytes and what keeps them alive."""

    def __init__(self, address, nbytes, owner):
        self.address, self.nbytes, self.owner = address, nbytes, owner


def _extent(strides, shape, itemsize):
    """Bytes from the first element to the last one's end, of any strides that don't go backwards."""
    if any(stride < 0 for stride, count in zip(strides, shape) if count > 1):
        raise ValueError("an array with a negative stride can't be handed to a kernel: copy it first")
    if any(count == 0 for count in shape):
        return 0
    return sum(stride * (count - 1) for stride, count in zip(strides, shape)) + itemsize


def buffer_of(value):
    """The memory of an array, or None if it isn't one. A Buffer is its own."""
    if isinstance(value, Buffer):
        return value
    if hasattr(value, "__array_interface__"):
        interface = value.__array_interface__
        address, read_only = interface["data"]
        if read_only:
            raise ValueError("a read-only array can't be handed to a kernel, which may write it")
        itemsize = int(interface["typestr"][2:])
        shape = interface["shape"]
        strides = interface.get("strides")
        if strides is None:
            nbytes = itemsize
            for count in shape:
                nbytes *= count
        else:
            nbytes = _extent(strides, shape, itemsize)
        return Buffer(address, nbytes, value)
    if hasattr(value, "data_ptr") and hasattr(value, "element_size"):  # torch
        if getattr(value, "device", None) is not None and value.device.type != "cpu":
            raise ValueError(f"a tensor on {value.device} can't be handed to the machine, whose memory is the host's: move it to the CPU")
        size = value.element_size()
        nbytes = _extent([stride * size for stride in value.stride()], tuple(value.shape), size)
        return Buffer(value.data_ptr(), nbytes, value)
    if hasattr(value, "__dlpack__"):
        import numpy

        return buffer_of(numpy.from_dlpack(value))
    return None
