"""Code objects loaded and kernels launched, on the memory of numpy arrays and tensors, without copies."""
import ctypes
import struct
import threading

from . import findings
from ._library import (Error, Launch, byref, c_size_t, c_void_p, check, encoded, library, taken, taken_json)
from .arrays import buffer_of
from .interrupts import interruptible


class Context:
    """Memory, and what is loaded there. default_context() is one for the whole process."""

    def __init__(self):
        handle = c_void_p()
        check(library.ifl_context_create(byref(handle)))
        self._handle = handle
        self._lock = threading.RLock()

    def close(self):
        if self._handle:
            library.ifl_context_destroy(self._handle)
            self._handle = None

    def __del__(self):
        # At the interpreter's end the library may be gone first.
        if library is not None:
            self.close()

    def register(self, address, nbytes, name=None):
        check(library.ifl_memory_register(self._handle, address, nbytes, encoded(name)))

    def unregister(self, address):
        check(library.ifl_memory_unregister(self._handle, address))

    def load(self, image, chip=None):
        """A Module of a code object, an object or a fat binary, given as bytes."""
        return Module(self, image, chip)


_default = None
_default_lock = threading.Lock()


def default_context():
    global _default
    with _default_lock:
        if _default is None:
            _default = Context()
        return _default


class Result:
    """What a launch came to: instructions, waves, seconds (of the host), findings; `time` of a timed one."""

    def __init__(self, found):
        self.instructions, self.waves, self.seconds = found["instructions"], found["waves"], found["seconds"]
        self.findings = [findings.Finding.of(one) for one in found["findings"]]
        self.time = found.get("time")

    @property
    def microseconds(self):
        """Modelled, of the whole device; None without timed=True."""
        return self.time and self.time["microseconds"]

    def __repr__(self):
        timed = f", {self.microseconds:.2f} us" if self.time else ""
        return f"<inflight.Result {self.instructions} instructions, {len(self.findings)} findings{timed}>"


_FLOATS = {2: "e", 4: "f", 8: "d"}  # of struct, by bytes


class Module:
    def __init__(self, context, image, chip=None):
        self.context = context
        image = bytes(image)
        handle = c_void_p()
        check(library.ifl_module_load(context._handle, image, len(image), encoded(chip), byref(handle)))
        self._handle = handle
        text = c_void_p()
        check(library.ifl_module_info(handle, byref(text)))
        self.info = taken_json(text)
        self.chip = self.info["chip"]
        self.kernels = {kernel["name"]: Kernel(self, kernel) for kernel in self.info["kernels"]}

    def close(self):
        if self._handle and self.context._handle:
            library.ifl_module_unload(self._handle)
        self._handle = None

    def __getitem__(self, name):
        if name not in self.kernels:
            raise KeyError(f"no kernel '{name}': there are {', '.join(self.kernels)}")
        return self.kernels[name]

    def symbol(self, name):
        """Address and bytes of a variable."""
        address, nbytes = c_void_p(), ctypes.c_uint64()
        check(library.ifl_module_symbol(self._handle, encoded(name), byref(address), byref(nbytes)))
        return address.value, nbytes.value


class Kernel:
    """kernel[grid, block](*arguments, lds=0, timed=False, ...): arrays by reference, numbers by value."""

    def __init__(self, module, info):
        self.module, self.info, self.name = module, info, info["name"]
        self.parameters = [a for a in info["arguments"] if not a["hidden"] and not a["derived"]]
        self.derived = [a for a in info["arguments"] if a["derived"]]

    def __getitem__(self, shape):
        grid, block = shape
        return lambda *arguments, **options: self.launch(grid, block, arguments, **options)

    def _packed(self, arguments, keep):
        if len(arguments) != len(self.parameters):
            raise TypeError(f"kernel '{self.name}' takes {len(self.parameters)} arguments, {len(arguments)} were given")
        segment = bytearray(self.info["kernarg_bytes"])
        for number, (parameter, value) in enumerate(zip(self.parameters, arguments)):
            offset, size = parameter["offset"], parameter["size"]
            name = parameter["name"] or f"argument {number}"
            buffer = buffer_of(value)
            if buffer is not None:
                if size != 8:
                    raise TypeError(f"kernel '{self.name}': {name} has {size} bytes and is no pointer, but an array was given")
                keep.append((buffer, name))
                packed = struct.pack("<Q", buffer.address)
            elif value is None:
                packed = bytes(size)
            elif isinstance(value, (bytes, bytearray, memoryview)):
                packed = bytes(value)
            elif isinstance(value, bool) or hasattr(value, "__index__"):
                packed = (value.__index__() & ((1 << 8 * size) - 1)).to_bytes(size, "little")
            elif isinstance(value, float) or hasattr(value, "__float__"):
                form = _FLOATS.get(size)
                if form is None:
                    raise TypeError(f"kernel '{self.name}': {name} has {size} bytes, which no float has")
                packed = struct.pack("<" + form, float(value))
            else:
                raise TypeError(f"kernel '{self.name}': {name} can't be a {type(value).__name__}: arrays, numbers, bytes and None can")
            if len(packed) != size:
                raise TypeError(f"kernel '{self.name}': {name} has {size} bytes, {len(packed)} were given")
            segment[offset:offset + size] = packed
        named = dict(zip((parameter["name"] for parameter in self.parameters), arguments))
        for parameter in self.derived:
            name, _, part = parameter["name"].rpartition(".")
            segment[parameter["offset"]:parameter["offset"] + 8] = struct.pack("<q", _derived(part, named[name]))
        return segment

    def launch(self, grid, block, arguments=(), *, kernarg=None, buffers=(), lds=0, checks=None, delivery=None, timed=False, device=None, clock=0,
               sample=0, warm=False, html=None, threads=0, max_steps=0):
        """`kernarg`: the whole segment instead of `arguments`; `buffers`: arrays that it points to, or (array, name). Returns a Result."""
        context = self.module.context
        if not self.module._handle:
            raise Error(f"kernel '{self.name}': its module was closed")
        named = [buffer if isinstance(buffer, tuple) else (buffer, None) for buffer in buffers]
        keep = [(buffer_of(array), name) for array, name in named]
        segment = self._packed(arguments, keep) if kernarg is None else kernarg
        checking = None if timed else findings.current()
        launch = Launch(size=ctypes.sizeof(Launch))
        launch.grid[:] = tuple(grid) + (1,) * (3 - len(grid)) if isinstance(grid, (tuple, list)) else (grid, 1, 1)
        launch.block[:] = tuple(block) + (1,) * (3 - len(block)) if isinstance(block, (tuple, list)) else (block, 1, 1)
        raw = (ctypes.c_char * max(1, len(segment))).from_buffer_copy(bytes(segment) or b"\0")
        launch.kernarg, launch.kernarg_bytes = ctypes.cast(raw, c_void_p), len(segment)
        launch.dynamic_lds, launch.timed, launch.warm = lds, int(timed), int(warm)
        launch.checks = encoded(checks if checks is not None else checking and checking.checks)
        launch.delivery = encoded(delivery if delivery is not None else checking and checking.delivery)
        launch.device, launch.html = encoded(device), encoded(html)
        launch.clock_mhz, launch.sample, launch.threads, launch.max_steps = clock, sample, threads, max_steps
        text = c_void_p()
        with context._lock:
            registered = []
            try:
                for begin, end, name in _merged(keep):
                    context.register(begin, end - begin, name)
                    registered.append(begin)
                with interruptible(launch):
                    check(library.ifl_launch_kernel(self.module._handle, encoded(self.name), byref(launch), byref(text)))
            finally:
                for begin in registered:
                    context.unregister(begin)
        result = Result(taken_json(text))
        if checking:
            checking.take(result.findings)
        return result


def _derived(part, array):
    """A size, stride (in elements) or offset of an array, as MLIR's dynamic memrefs take them."""
    shape = tuple(getattr(array, "shape", ()))
    if part.startswith("size"):
        dimension = int(part[4:])
        return shape[dimension] if dimension < len(shape) else 1
    if part.startswith("stride"):
        product = 1
        for count in shape[int(part[6:]) + 1:]:
            product *= count
        return product
    return 0


def _merged(buffers):
    """Ranges of memory that don't overlap: arrays may be views of one another."""
    ranges = sorted((b.address, b.address + b.nbytes, name) for b, name in buffers if b is not None and b.nbytes)
    merged = []
    for begin, end, name in ranges:
        if merged and begin < merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]), merged[-1][2])
        else:
            merged.append((begin, end, name))
    return merged


def load(image, chip=None):
    """A Module in the default context; `image`: bytes, or the path of a file."""
    if isinstance(image, str):
        with open(image, "rb") as f:
            image = f.read()
    return default_context().load(image, chip)


def compile(mlir, chip="gfx942", emit="hsaco", name="<python>"):
    """MLIR text to a code object (bytes), assembly (str) and so on."""
    source = mlir.encode()
    output, size, text = c_void_p(), c_size_t(), c_void_p()
    check(library.ifl_compile(source, len(source), encoded(name), encoded(chip), encoded(emit), byref(output), byref(size), byref(text)))
    taken_json(text)
    made = taken(output, size)
    return made.decode() if emit in ("asm", "mlir") else made


def assemble(text, chip=None, name="<python>"):
    """Assembly to a code object (bytes)."""
    source = text.encode()
    output, size = c_void_p(), c_size_t()
    check(library.ifl_assemble(source, len(source), encoded(name), encoded(chip), byref(output), byref(size)))
    return taken(output, size)


class Waits:
    """What `inflight waits` says: status (0 clean, 1 findings, 4 undecided), text, findings, and the edited file."""

    def __init__(self, found, output):
        self.status, self.text = found["status"], found["text"]
        self.findings = [findings.Finding.of(one) for one in found["findings"]]
        self.output = output


def waits(program, mode="verify", chip=None, name="<python>"):
    """Checks, explains or rewrites the waits of assembly (str) or of a code object (bytes): verify, report, relax, insert, strip."""
    is_text = isinstance(program, str)
    source = program.encode() if is_text else bytes(program)
    text, output, size = c_void_p(), c_void_p(), c_size_t()
    check(library.ifl_waits(source, len(source), encoded(name), encoded(mode), encoded(chip), byref(text), byref(output), byref(size)))
    edited = taken(output, size)
    return Waits(taken_json(text), edited.decode() if edited is not None and is_text else edited)
