"""What would make a launch faster, each change tried on the timed model: `inflight advise` from Python."""
from dataclasses import dataclass

from ._library import byref, c_size_t, c_void_p, encoded, library, taken, taken_json
from .timing import range_text


@dataclass(frozen=True)
class Pipe:
    """`busy`: the share of the time."""

    pipe: str
    busy: float


@dataclass(frozen=True)
class Advice:
    """One change. `gain`: the share of the time that it saves, negative for a loss; `applied`: it was made and run; otherwise its effect was supposed, and
    the gain is a bound. `kind`: "waits", "bank-conflicts", "occupancy", "wait" or "all-waits"."""

    kind: str
    gain: float
    applied: bool
    change: str
    details: tuple = ()
    address: int = None
    instruction: str = ""
    source: str = ""

    def __str__(self):
        return "\n  ".join([f"{100 * self.gain:.1f} % less time{'' if self.applied else ' at best'}: {self.change}", *self.details])


@dataclass(frozen=True)
class Advisory:
    """The launch as it is, and what was tried, the largest gain first. `accuracy`: as of a timed launch. `verdict`: what costs most of the device, as `inflight trace` says it. `relaxed`: the code object with weaker waits, None if no wait can be weaker."""

    kernel: str
    chip: str
    device: str
    cycles: float
    microseconds: float
    accuracy: dict
    verdict: dict
    pipes: tuple
    advice: tuple
    relaxed: bytes = None

    def __str__(self):
        return "\n".join([f"{self.kernel} on {self.device}: {self.cycles:.0f} cycles, {self.microseconds:.2f} us ({range_text(self.accuracy)})", self.verdict["text"], *map(str, self.advice)])


def advise(kernel, grid, block, arguments=(), *, waits=5, kernarg=None, buffers=(), lds=0, device=None, clock=0, sample=0, warm=False, threads=0, max_steps=0):
    """An Advisory of kernel.launch(grid, block, arguments), which is timed as it is and with each change. Arrays are as they were afterwards.

    `waits`: how many waits are tried, those that cost most. The other arguments are those of launch().
    """
    text, relaxed, size = c_void_p(), c_void_p(), c_size_t()
    kernel._call(lambda launch: library.ifl_advise(kernel.module._handle, encoded(kernel.name), byref(launch), waits, byref(text), byref(relaxed), byref(size)),
                 grid, block, arguments, kernarg, buffers, dynamic_lds=lds, device=encoded(device), clock_mhz=clock, sample=sample, warm=int(warm),
                 threads=threads, max_steps=max_steps)
    found = taken_json(text)
    found["pipes"] = tuple(Pipe(**pipe) for pipe in found["pipes"])
    found["advice"] = tuple(Advice(**{**one, "details": tuple(one["details"])}) for one in found["advice"])
    return Advisory(**found, relaxed=taken(relaxed, size))
