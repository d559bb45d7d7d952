"""Launches by two compilers: the same kernel, the same memory; results and modelled cycles side by side."""
import base64
import ctypes
import dataclasses
import struct
from itertools import zip_longest

import inflight

# Of a kernel's metadata: what Inflight's compiler made of it, or why it made nothing.
CODE, REFUSED = "inflight_code", "inflight_refused"

_FLOATS = {"fp16": "e", "fp32": "f", "fp64": "d"}


@dataclasses.dataclass
class Comparison:
    """One kernel's launches together."""
    kernel: str
    launches: int = 0
    equal: int = 0  # bit for bit
    difference: float = 0.0  # the largest of two floating-point results, as a part of the largest result of its tensor
    llvm_cycles: float = 0
    inflight_cycles: float = 0
    refused: str = ""  # why Inflight's compiler refuses the kernel

    @property
    def ratio(self):
        """Inflight's cycles in terms of LLVM's; None where there are none."""
        return self.inflight_cycles / self.llvm_cycles if self.llvm_cycles and not self.refused else None


_rows = {}  # by kernel's name
_loaded = {}  # modules, by their code


def put(metadata, code, refused=""):
    """Into what Triton keeps of a kernel."""
    metadata[CODE], metadata[REFUSED] = base64.b64encode(code).decode() if code else "", refused


def wanted(metadata):
    return hasattr(metadata, CODE)


def _numbers(kind, data):
    if kind == "bf16":
        halves = struct.unpack(f"<{len(data) // 2}H", data)
        return struct.unpack(f"<{len(halves)}f", struct.pack(f"<{len(halves)}I", *(half << 16 for half in halves)))
    return struct.unpack(f"<{len(data) // struct.calcsize(form)}{form}", data) if (form := _FLOATS.get(kind)) else None


def _difference(kind, mine, theirs):
    """0 if all bytes are equal. Infinite if something else than finite floats differs."""
    if mine == theirs:
        return 0.0
    ours, others = _numbers(kind, mine), _numbers(kind, theirs)
    if ours is None:
        return float("inf")
    most = max((abs(other) for other in others if abs(other) < float("inf")), default=0.0)
    worst = 0.0
    for a, b in zip(ours, others):
        if a != b and not (a != a and b != b):
            distance = abs(a - b)
            worst = max(worst, distance / most if most and distance < float("inf") else float("inf"))
    return worst


class Launch:
    """One launch that is compared. `kinds`: type of each buffer, as Triton has it."""

    def __init__(self, kernel, metadata, buffers, kinds):
        self.kernel = kernel
        self.row = _rows.setdefault(kernel.name, Comparison(kernel.name))
        self.row.refused = getattr(metadata, REFUSED)
        self.code = getattr(metadata, CODE)
        self.buffers = {}
        for (buffer, _), kind in zip_longest(buffers, kinds):
            known = self.buffers.get(buffer.address)
            if known is None or known[0] < buffer.nbytes:
                self.buffers[buffer.address] = buffer.nbytes, kind

    def contents(self):
        return {address: ctypes.string_at(address, size) for address, (size, _) in self.buffers.items()}

    @staticmethod
    def put_back(contents):
        for address, data in contents.items():
            ctypes.memmove(address, data, len(data))

    def _other(self):
        """The kernel as Inflight's compiler makes it."""
        if self.code not in _loaded:
            _loaded[self.code] = inflight.load(base64.b64decode(self.code), self.kernel.module.chip)
        return _loaded[self.code][self.kernel.name]

    def run(self, launch):
        """`launch(kernel)` gives a timed result. That of LLVM's code, which the memory is left by."""
        row, before = self.row, self.contents()
        if not self.code:
            theirs = launch(self.kernel)
            row.launches += 1
            row.llvm_cycles += theirs.time["cycles"]
            return theirs
        own = launch(self._other())
        mine = self.contents()
        self.put_back(before)
        result = launch(self.kernel)
        theirs = self.contents()
        # Neither is counted if something ends the program in between, as a test's alarm does.
        row.launches += 1
        row.inflight_cycles += own.time["cycles"]
        row.llvm_cycles += result.time["cycles"]
        row.equal += mine == theirs
        row.difference = max([row.difference, *(_difference(kind, mine[at], theirs[at]) for at, (_, kind) in self.buffers.items())])
        return result


def compare(show=True):
    """What launches since activate(compiler="both") gave, a row a kernel; `show` prints the table."""
    rows = sorted(_rows.values(), key=lambda row: -(row.ratio or 0))
    if show:
        print(f"{'kernel':40} launches  results          LLVM's cycles  Inflight's  of LLVM's")
        for row in rows:
            results = "refused" if row.refused else "equal" if row.equal == row.launches else f"differ: {row.difference:.1e}"
            own = f"{row.inflight_cycles:10.0f}  {row.ratio:9.3f}" if row.ratio else row.refused
            print(f"{row.kernel[:40]:40} {row.launches:8}  {results:16} {row.llvm_cycles:13.0f}  {own}")
    return rows
