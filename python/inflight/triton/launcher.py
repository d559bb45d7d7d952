"""Triton's launcher protocol: from Python arguments to a kernel's segment, and the launch."""
import os
import struct
import sys

from inflight import findings
from inflight._library import Error, KernelFault
from inflight.arrays import Buffer, buffer_of
from inflight.runtime import fault_address
from inflight.timing import Timing

from . import comparison, reports, tensors

FORMATS = {"i1": "<b", "i8": "<b", "u1": "<B", "u8": "<B", "i16": "<h", "u16": "<H", "i32": "<i", "u32": "<I", "i64": "<q", "u64": "<Q",
           "fp16": "<e", "fp32": "<f", "f32": "<f", "fp64": "<d"}

# What torch's allocator of device memory rounds sizes up to: kMinBlockSize of c10/cuda/CUDACachingAllocator.cpp.
GRANULE = 512


def packed(value, type_name, name):
    """A number as the kernel's segment has it."""
    if type_name not in FORMATS and type_name != "bf16":
        raise TypeError(f"inflight: argument '{name}' has the type '{type_name}', which isn't supported")
    if isinstance(value, bool) or hasattr(value, "__index__"):
        number = value.__index__()
    elif hasattr(value, "__float__"):
        number = float(value)
    else:
        raise TypeError(f"inflight: argument '{name}' was compiled as a number of type {type_name}; a {type(value).__name__} was given")
    if type_name == "bf16":
        return struct.pack("<f", number)[2:]
    form = FORMATS[type_name]
    if form[1] in "BHIQbhiq":
        size = struct.calcsize(form)
        return (int(number) & ((1 << 8 * size) - 1)).to_bytes(size, "little")
    return struct.pack(form, number)


def pointer(value, name, buffers):
    """The address that a pointer argument stands for; whose memory that is goes to `buffers`."""
    if value is None or isinstance(value, int):
        return value or 0
    from triton.runtime.jit import TensorWrapper  # Triton imports this module before it is there

    while isinstance(value, TensorWrapper):  # a tensor as one of another type: triton.reinterpret()
        value = value.base
    if hasattr(value, "untyped_storage") and not hasattr(value, "is_contiguous"):  # a library's own view of a tensor, which may go backwards
        storage = value.untyped_storage()
        buffers.append((Buffer(storage.data_ptr(), storage.nbytes(), storage), name))
        return value.data_ptr()
    buffer = value.buffer if isinstance(value, tensors.Scratch) else buffer_of(value)
    if tensors.is_host(value):
        # As Triton's own launchers say it.
        raise ValueError(f"Pointer argument '{name}' cannot be accessed from Triton (cpu tensor?)")
    if buffer is None:
        if not hasattr(value, "data_ptr"):
            raise TypeError(f"inflight: argument '{name}' is a pointer; a {type(value).__name__} was given: pass a tensor or an array")
        raise Error(f"inflight: argument '{name}' has an address but not how many bytes are there: pass a torch or numpy array")
    buffers.append((buffer, name))
    return buffer.address


def is_descriptor(kind):
    return isinstance(kind, str) and kind.startswith("tensordesc")


class Launcher:
    """Arguments are those of the signature without constants, and pointers to global and profile scratch."""

    def __init__(self, source, metadata):
        constants = {path if isinstance(path, tuple) else (path,) for path in getattr(source, "constants", {})}
        names = getattr(getattr(source, "fn", None), "arg_names", None)
        self.parameters = []  # path, type and name of each that the kernel takes
        for number, (key, kind) in enumerate(source.signature.items()):
            name = key if isinstance(key, str) else names[number] if names else f"argument {number}"
            self.flatten(kind, (number,), constants, name)
        self.metadata = metadata
        is_gluon = getattr(getattr(source, "fn", None), "is_gluon", lambda: False)
        self.barrier = reports.GLUON if is_gluon() else reports.TRITON

    def flatten(self, kind, path, constants, name):
        if isinstance(kind, (tuple, list)):
            for number, inner in enumerate(kind):
                self.flatten(inner, path + (number,), constants, f"{name}[{number}]")
        elif kind != "constexpr" and (path not in constants or is_descriptor(kind)):
            self.parameters.append((path, kind, name))

    def __call__(self, grid_x, grid_y, grid_z, stream, function, packed_metadata, launch_metadata, enter_hook, exit_hook, *arguments):
        tensors.watch()
        if enter_hook is not None:
            enter_hook(launch_metadata)
        if grid_x * grid_y * grid_z:
            self.launch((grid_x, grid_y, grid_z), function, arguments, stream)
        if exit_hook is not None:
            exit_hook(launch_metadata)

    def values(self, arguments):
        """Type, value and name of each parameter; tensor descriptors as what Triton's compiler makes of them."""
        for path, kind, name in self.parameters:
            value = arguments[path[0]]
            for step in path[1:]:
                value = value[step]
            if is_descriptor(kind):
                yield from _descriptor(kind, value, name, getattr(self.metadata, "tensordesc_meta", None))
            else:
                yield kind, value, name

    def scratch(self, workgroups, stream, allocator):
        """What the kernel wants for all workgroups together, global and for profiles."""
        def allocated(kind, allocator):
            size = getattr(self.metadata, kind + "_size", 0)
            return allocator(size * workgroups, getattr(self.metadata, kind + "_align", 1), stream) if size else None

        return (allocated("global_scratch", allocator or (lambda size, align, stream: tensors.Scratch(size))),
                allocated("profile_scratch", lambda size, align, stream: tensors.Scratch(size)))

    def segment(self, grid, kernel, arguments, stream=None, allocator=None):
        """The kernel's arguments as it takes them, and the memory that they point to. `allocator`: of global scratch, as Triton's are."""
        segment = bytearray(kernel.info["kernarg_bytes"])
        buffers = []
        values = [*self.values(arguments)]
        for number, memory in enumerate(self.scratch(grid[0] * grid[1] * grid[2], stream, allocator)):
            values.append(("*i8", memory, ("global scratch", "profile scratch")[number]))
        if len(kernel.parameters) > len(values):
            raise Error(f"inflight: kernel '{kernel.name}' takes {len(kernel.parameters)} arguments, Triton has passed {len(values)}: "
                        "this version of Triton isn't supported (docs/python.md lists those that are)")
        for (kind, value, name), parameter in zip(values, kernel.parameters):
            data = struct.pack("<Q", pointer(value, name, buffers)) if kind.startswith("*") else packed(value, kind, name)
            if len(data) != parameter["size"]:
                raise Error(f"inflight: kernel '{kernel.name}': '{name}' is a {kind}, but {parameter['size']} bytes are taken: "
                            "this version of Triton isn't supported (docs/python.md lists those that are)")
            offset = parameter["offset"]
            segment[offset:offset + len(data)] = data
        return bytes(segment), buffers

    @property
    def lanes(self):
        """Of a workgroup."""
        return self.metadata.num_warps * self.metadata.warp_size

    def launch(self, grid, kernel, arguments, stream):
        from triton.runtime import _allocation

        allocator = _allocation._allocator.get() if hasattr(_allocation, "_allocator") else None
        segment, buffers = self.segment(grid, kernel, arguments, stream, allocator)
        kernel.revise = lambda findings: reports.revised(findings, self.barrier)
        if comparison.wanted(self.metadata):
            self.compare(grid, kernel, segment, buffers, arguments)
        else:
            _launch(kernel, grid, self.lanes, segment, buffers, self.metadata.shared)

    def compare(self, grid, kernel, segment, buffers, arguments):
        """As both compilers have it; the memory is as LLVM's kernel leaves it, and findings are of that."""
        kinds = [kind[1:] for kind, value, _ in self.values(arguments) if kind.startswith("*") and value is not None and not isinstance(value, int)]
        compared = comparison.Launch(kernel, self.metadata, buffers + tensors.reachable(), kinds)
        options = {"kernarg": segment, "buffers": buffers + tensors.reachable(), "lds": self.metadata.shared, "granule": GRANULE}
        checks = None if findings.current() else os.environ.get("INFLIGHT_CHECK")
        before = compared.contents() if checks or findings.current() else None
        result = compared.run(lambda code: code.launch(grid, (self.lanes, 1, 1), timed=True, warm=True, **options))
        if Timing.depth:
            Timing.microseconds += result.microseconds
        elif before is not None:
            compared.put_back(before)
            _launch(kernel, grid, self.lanes, segment, buffers, self.metadata.shared)


def _descriptor(kind, value, name, meta):
    if meta:
        raise NotImplementedError(f"inflight: argument '{name}': descriptors for tensor data movers are of no chip that is supported")
    from triton.backends import driver

    # What a descriptor becomes differs between versions of Triton; its own functions agree with its compiler.
    if not hasattr(driver, "expand_signature"):
        raise NotImplementedError(f"inflight: argument '{name}': tensor descriptors as arguments want Triton 3.7 or later")
    kinds = driver.expand_signature([kind], None, "tensordesc")
    for part, (inner, piece) in enumerate(zip(kinds, driver.decompose_descriptor(value))):
        yield inner, piece, name if part == 0 else f"{name}, part {part} of its descriptor"


def _launch(kernel, grid, lanes, segment, buffers, lds):
    try:
        _run(kernel, grid, lanes, segment, buffers, lds)
    except KernelFault as fault:
        address = fault_address(str(fault))
        freed = address is not None and tensors.freed_at(address)
        if not freed:
            raise
        raise KernelFault(f"{fault}\n  hint  a {freed} was there, which is gone: keep it alive while kernels use its address") from None


def _run(kernel, grid, lanes, segment, buffers, lds):
    options = {"kernarg": segment, "buffers": buffers + tensors.reachable(), "lds": lds, "granule": GRANULE}
    if Timing.depth:
        result = kernel.launch(grid, (lanes, 1, 1), timed=True, warm=True, **options)
        Timing.microseconds += result.microseconds
        return
    checks = None if findings.current() else os.environ.get("INFLIGHT_CHECK")
    result = kernel.launch(grid, (lanes, 1, 1), checks=checks, **options)
    if checks:
        for finding in result.findings:
            print(finding, file=sys.stderr)
