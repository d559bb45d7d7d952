"""Code objects loaded and kernels launched, on the memory of numpy arrays and tensors, without copies."""
import ctypes
import os
import re
import struct
import sys
import threading
import weakref

from . import findings, tracing
from ._library import (CompileOptions, Error, KernelFault, Launch, SlowFunction, byref, c_size_t, c_void_p, check, encoded, library, taken,
                       taken_json)
from .arrays import buffer_of, is_other_type
from .hostmemory import is_mapped
from .interrupts import interruptible
from .timing import range_text


class Context:
    """Memory, and what is loaded there. default_context() is one for the whole process."""

    def __init__(self):
        handle = c_void_p()
        check(library.ifl_context_create(byref(handle)))
        self._handle = handle
        self._lock = threading.RLock()
        self._registered = {}  # by the program itself: address and bytes
        _contexts.add(self)

    def close(self):
        if self._handle:
            library.ifl_context_destroy(self._handle)
            self._handle = None

    def __del__(self):
        # At the interpreter's end the library may be gone first.
        if library is not None:
            self.close()

    def register(self, address, nbytes, name=None):
        """Memory of this process that kernels may access by its address until unregister(); it stays the caller's."""
        if not is_mapped(address, nbytes):
            raise Error(f"the {nbytes} bytes at 0x{address:x} aren't memory of this process: register what an array or an allocator has given you")
        with self._lock:
            self._register(address, nbytes, name)
            self._registered[address] = nbytes

    def unregister(self, address):
        with self._lock:
            self._unregister(address)
            self._registered.pop(address, None)

    def _register(self, address, nbytes, name):
        self._check_open()
        check(library.ifl_memory_register(self._handle, address, nbytes, encoded(name)))

    def _unregister(self, address):
        check(library.ifl_memory_unregister(self._handle, address))

    def _check_open(self):
        if not self._handle:
            raise Error("the context was closed")

    def _holds(self, begin, end):
        """Whether the program has registered all of it."""
        return any(address <= begin and end <= address + nbytes for address, nbytes in self._registered.items())

    def _check_registered(self):
        for address, nbytes in self._registered.items():
            if not is_mapped(address, nbytes):
                raise Error(f"the {nbytes} bytes at 0x{address:x} were registered, but are no memory of this process any more: unregister memory before you "
                            "free it")

    def load(self, image, chip=None):
        """A Module of a code object, an object or a fat binary, given as bytes."""
        return Module(self, image, chip)


_contexts = weakref.WeakSet()
_default = None
_default_lock = threading.Lock()


def _before_fork():
    """A child has the memory of all contexts, but no thread that would end another one's launch: fork waits for those."""
    _default_lock.acquire()
    _forking.contexts = list(_contexts)
    for context in _forking.contexts:
        context._lock.acquire()


def _after_fork():
    for context in _forking.contexts:
        context._lock.release()
    _default_lock.release()


_forking = threading.local()
os.register_at_fork(before=_before_fork, after_in_parent=_after_fork, after_in_child=_after_fork)


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
        timed = f", {self.microseconds:.2f} us ({range_text(self.time['accuracy'])})" if self.time else ""
        return f"<inflight.Result {self.instructions} instructions, {len(self.findings)} findings{timed}>"


_FLOATS = {2: "e", 4: "f", 8: "d"}  # of struct, by bytes


class Module:
    def __init__(self, context, image, chip=None):
        context._check_open()
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
        self.revise = list  # from what the library has found to what is reported

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
                if not buffer.contiguous and not self._is_told_strides(parameter["name"]):
                    raise ValueError(f"kernel '{self.name}': {name} isn't contiguous, and the kernel isn't told its strides: pass a contiguous copy "
                                     "(numpy.ascontiguousarray(a), a.contiguous()), or inflight.strided(a) if other arguments tell them")
                if is_other_type(buffer.element, parameter["type"]):
                    raise TypeError(f"kernel '{self.name}': {name} has elements of {parameter['type']}, not of {8 * buffer.element[1]} bits of an array of "
                                    f"{getattr(value, 'dtype', 'others')}: convert it, or pass inflight.strided(a) if it is meant so")
                keep.append((buffer, name))
                packed = struct.pack("<Q", buffer.address)
            elif value is None:
                packed = bytes(size)
            elif isinstance(value, (bytes, bytearray, memoryview)):
                packed = bytes(value)
            elif isinstance(value, bool) or hasattr(value, "__index__"):
                number_given = value.__index__()
                if not -(1 << 8 * size - 1) <= number_given < 1 << 8 * size:
                    raise OverflowError(f"kernel '{self.name}': {name} has {size} bytes, which {number_given} doesn't fit into")
                packed = (number_given & ((1 << 8 * size) - 1)).to_bytes(size, "little")
            elif isinstance(value, float) or hasattr(value, "__float__"):
                if parameter["value_kind"] == "global_buffer":
                    raise TypeError(f"kernel '{self.name}': {name} is a pointer; a number was given: pass an array")
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

    def _is_told_strides(self, name):
        return any(parameter["name"].startswith(name + ".stride") for parameter in self.derived)

    def launch(self, grid, block, arguments=(), *, kernarg=None, buffers=(), lds=0, checks=None, delivery=None, timed=False, device=None, clock=0,
               sample=0, warm=False, html=None, threads=0, max_steps=0, granule=0):
        """`kernarg`: the whole segment instead of `arguments`; `buffers`: arrays that it points to, or (array, name). `granule`: arrays are thought to come
        from an allocator of multiples of so many bytes, and without checks loads behind their end are served up to there. Returns a Result."""
        tracing_it = None if timed else tracing.wanting(self.name)
        if tracing_it:
            shared = {"kernarg": kernarg, "buffers": buffers, "lds": lds, "threads": threads, "max_steps": max_steps, "granule": granule}
            return tracing.traced(tracing_it, self.name, lambda **options: self.launch(grid, block, arguments, **shared, **options))
        checking = None if timed else findings.current()
        text = c_void_p()
        self._call(lambda launch: library.ifl_launch_kernel(self.module._handle, encoded(self.name), byref(launch), byref(text)), grid, block, arguments,
                   kernarg, buffers, dynamic_lds=lds, timed=int(timed), warm=int(warm), device=encoded(device), html=encoded(html), clock_mhz=clock,
                   checks=encoded(checks if checks is not None else checking and checking.checks),
                   delivery=encoded(delivery if delivery is not None else checking and checking.delivery), sample=sample, threads=threads, max_steps=max_steps,
                   granule=granule)
        result = Result(taken_json(text))
        result.findings = self.revise(result.findings)
        if checking:
            checking.take(result.findings)
        return result

    def _call(self, function, grid, block, arguments, kernarg=None, buffers=(), **members):
        """Calls a function of the library with a launch, whose memory is there as long as it takes. `members`: those of ifl_launch."""
        context = self.module.context
        if not self.module._handle or not context._handle:
            raise Error(f"kernel '{self.name}': its module or context was closed")
        named = [buffer if isinstance(buffer, tuple) else (buffer, None) for buffer in buffers]
        keep = [(buffer_of(array), name) for array, name in named]
        segment = self._packed(arguments, keep) if kernarg is None else kernarg
        raw = (ctypes.c_char * max(1, len(segment))).from_buffer_copy(bytes(segment) or b"\0")
        members["max_steps"] = members.get("max_steps") or _most_steps()
        launch = Launch(size=ctypes.sizeof(Launch), kernarg=ctypes.cast(raw, c_void_p), kernarg_bytes=len(segment), slow=_slow, **members)
        launch.grid[:] = _three(grid, "grid, in workgroups,")
        launch.block[:] = _three(block, "block, in lanes,")
        with context._lock:
            registered = []
            try:
                context._check_registered()
                for begin, end, name in _merged(keep):
                    if context._registered and context._holds(begin, end):
                        continue
                    context._register(begin, end - begin, name)
                    registered.append(begin)
                with interruptible(launch):
                    check(function(launch))
            except KernelFault as fault:
                raise KernelFault(f"{fault}{_advice(str(fault))}") from None
            finally:
                for begin in registered:
                    context._unregister(begin)


_STEPS = "max_steps= of a launch, or INFLIGHT_MAX_STEPS, is how many instructions a wave may execute"


def _most_steps():
    given = os.environ.get("INFLIGHT_MAX_STEPS", "0")
    if not given.isdigit():
        raise Error(f"inflight: INFLIGHT_MAX_STEPS is a number of instructions, not '{given}'")
    return int(given)


@SlowFunction
def _slow(_, text):
    print(f"inflight: {text.decode(errors='replace')}\n  {_STEPS}", file=sys.stderr, flush=True)


def fault_address(message):
    """The address that a fault says the library knows nothing of, or None."""
    found = re.search(r"outside every allocation.*: (0x[0-9a-f]+)(?:, memory of the host alone)?\n", message)
    return int(found[1], 16) if found else None


def _advice(message):
    """What helps against an access to memory that the library doesn't know, and against a kernel that doesn't end."""
    if "step limit reached" in message:
        return f"\n  hint  {_STEPS}"
    address = fault_address(message)
    if address is None:
        return ""
    if address < 1 << 16:
        return "\n  hint  the address is null, or near it: was None passed, or an offset for a pointer?"
    if is_mapped(address, 1):
        return ("\n  hint  this process has memory there, but none that the launch was given: pass the array itself, or its `buffers=`, or register the memory "
                "(inflight.default_context().register(address, nbytes))")
    return "\n  hint  this process has no memory there: is it the address of an array that is gone, or of a device's?"


def _three(shape, what):
    numbers = tuple(shape) if isinstance(shape, (tuple, list)) else (shape,)
    if not 1 <= len(numbers) <= 3 or not all(hasattr(number, "__index__") and 0 < number.__index__() < 1 << 32 for number in numbers):
        raise ValueError(f"the {what} has one to three whole numbers above zero, not {shape!r}")
    return numbers + (1,) * (3 - len(numbers))


def _strides(array):
    """In elements, or None if the array is contiguous or doesn't say."""
    if isinstance(getattr(array, "strides", None), tuple) and getattr(array, "itemsize", 0):
        return [stride // array.itemsize for stride in array.strides]
    return list(array.stride()) if callable(getattr(array, "stride", None)) else None


def _derived(part, array):
    """A size, stride (in elements) or offset of an array, as MLIR's dynamic memrefs take them."""
    shape = tuple(getattr(array, "shape", ()))
    if part.startswith("size"):
        dimension = int(part[4:])
        return shape[dimension] if dimension < len(shape) else 1
    if part.startswith("stride"):
        strides = _strides(array)
        if strides is not None and int(part[6:]) < len(strides):
            return strides[int(part[6:])]
        product = 1
        for count in shape[int(part[6:]) + 1:]:
            product *= count
        return product
    return 0


def _merged(buffers):
    """Ranges of memory that don't overlap: arrays may be views of one another. Of those that begin together the first one gives the name."""
    ranges = sorted(((b.address, b.address + b.nbytes, name) for b, name in buffers if b is not None and b.nbytes), key=lambda one: one[0])
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


def compile(mlir, chip="gfx942", emit="hsaco", name="<python>", debug=False, reassociate=False):
    """MLIR text to a code object (bytes), assembly (str) and so on; `debug`: with the lines of the source, for findings and traces;
    `reassociate`: sums of floats may be added in another order."""
    source = mlir.encode()
    options = CompileOptions(ctypes.sizeof(CompileOptions), encoded(chip), encoded(emit), debug, reassociate)
    output, size, text = c_void_p(), c_size_t(), c_void_p()
    check(library.ifl_compile_with(source, len(source), encoded(name), byref(options), byref(output), byref(size), byref(text)))
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
