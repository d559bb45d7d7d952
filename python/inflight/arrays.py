"""Whose memory an argument is: numpy, torch on the CPU, and whatever has DLPack's or numpy's array interface."""

# Kinds of torch's devices whose memory is the host's: inflight.cuda adds one.
DEVICES = {"cpu"}


class Buffer:
    """Address, bytes and what keeps them alive."""

    def __init__(self, address, nbytes, owner, contiguous=True, element=None):
        self.address, self.nbytes, self.owner, self.contiguous = address, nbytes, owner, contiguous
        self.element = element  # kind ("f" or "i") and bytes, if the array says


def strided(array):
    """An array as an argument of a kernel that is told its strides, or knows them: it needn't be contiguous."""
    buffer = buffer_of(array)
    if buffer is None:
        raise TypeError(f"inflight: no array, but a {type(array).__name__}")
    return Buffer(buffer.address, buffer.nbytes, array)


def aligned(array):
    """A copy of a numpy array that begins where a device's allocations do, at a multiple of 256 bytes. numpy's own begin anywhere, and a kernel may take
    longer on them."""
    import numpy

    room = numpy.empty(array.nbytes + 256, numpy.uint8)
    begin = -room.ctypes.data % 256
    made = room[begin:begin + array.nbytes].view(array.dtype).reshape(array.shape)
    made[...] = array
    return made


def is_other_type(element, wanted):
    """Whether an array's elements can't be what a kernel calls `wanted`, such as "f32" or "i8". Bytes may be anything."""
    kind, bits = wanted[:1], wanted[1:]
    if wanted.startswith("bf"):
        kind, bits = "f", wanted[2:]
    if element is None or element[1] == 1 or kind not in "fiu" or not bits.isdigit() or int(bits) < 8:
        return False
    # Integers stand for floats that numpy doesn't have.
    return 8 * element[1] != int(bits) or int(bits) >= 32 and (element[0] == "f") != (kind == "f")


def _is_contiguous(strides, shape, itemsize):
    """In C's order; dimensions of one element have any stride."""
    for stride, count in zip(reversed(strides), reversed(shape)):
        if count > 1 and stride != itemsize:
            return False
        itemsize *= count
    return True


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
        order, kind = interface["typestr"][:2]
        if kind == "O":
            raise TypeError("inflight: an array of Python objects can't be handed to a kernel: convert it, as by astype(numpy.float32)")
        if order == ">":
            raise TypeError("inflight: the array's numbers have the bytes of another machine's order: convert it by astype(dtype.newbyteorder('='))")
        itemsize, shape = int(interface["typestr"][2:]), interface["shape"]
        strides = interface.get("strides")
        if strides is None:
            nbytes = itemsize
            for count in shape:
                nbytes *= count
        else:
            nbytes = _extent(strides, shape, itemsize)
        element = {"f": ("f", itemsize), "i": ("i", itemsize), "u": ("i", itemsize), "b": ("i", itemsize)}.get(kind)
        return Buffer(address, nbytes, value, strides is None or nbytes == 0 or _is_contiguous(strides, shape, itemsize), element)
    if hasattr(value, "data_ptr") and hasattr(value, "element_size"):  # torch
        if getattr(value, "device", None) is not None and value.device.type not in DEVICES:
            raise ValueError(f"a tensor on {value.device} can't be handed to the machine, whose memory is the host's: move it to the CPU")
        size = value.element_size()
        nbytes = _extent([stride * size for stride in value.stride()], tuple(value.shape), size)
        return Buffer(value.data_ptr(), nbytes, value, value.is_contiguous(), ("f" if value.dtype.is_floating_point else "i", size))
    if hasattr(value, "__dlpack__"):
        kind, number = value.__dlpack_device__()
        if kind != 1:  # kDLCPU
            raise ValueError(f"inflight: an array on a device (DLPack's kind {kind}, number {number}) can't be handed to the machine, whose memory is the "
                             "host's: copy it to the CPU")
        import numpy

        return buffer_of(numpy.from_dlpack(value))
    return None
