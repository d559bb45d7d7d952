from typing import Any, ContextManager, Dict, Iterable, List, Literal, Mapping, Optional, Sequence, Tuple, Union, overload

from . import tune as tune

__version__: str

class Error(Exception): ...
class KernelFault(Error): ...
class NotFound(Error, LookupError): ...
class Unsupported(Error): ...
class Interrupted(Error): ...

class Finding:
    rule: str
    message: str
    level: str
    hint: str
    file: str
    line: int
    column: int
    address: int
    instruction: str
    facts: Mapping[str, Any]
    related: Tuple[Mapping[str, Any], ...]

class FindingsError(Exception):
    findings: Tuple[Finding, ...]
    def __init__(self, findings: Iterable[Finding]) -> None: ...

class Check:
    findings: List[Finding]

def check(checks: str = ..., ignore: Iterable[str] = ..., delivery: Optional[str] = ..., raises: bool = ...) -> ContextManager[Check]: ...

class Result:
    instructions: int
    waves: int
    seconds: float
    findings: List[Finding]
    time: Optional[Dict[str, Any]]
    @property
    def microseconds(self) -> Optional[float]: ...

Shape = Union[int, Sequence[int]]

class Launcher:
    def __call__(self, *arguments: Any, lds: int = ..., checks: Optional[str] = ..., delivery: Optional[str] = ..., timed: bool = ...,
                 device: Optional[str] = ..., clock: int = ..., sample: int = ..., warm: bool = ..., html: Optional[str] = ..., threads: int = ...,
                 max_steps: int = ..., granule: int = ..., kernarg: Optional[bytes] = ..., buffers: Iterable[Any] = ...) -> Result: ...

class Kernel:
    name: str
    info: Dict[str, Any]
    parameters: List[Dict[str, Any]]
    def __getitem__(self, shape: Tuple[Shape, Shape]) -> Launcher: ...
    def launch(self, grid: Shape, block: Shape, arguments: Sequence[Any] = ..., *, kernarg: Optional[bytes] = ..., buffers: Iterable[Any] = ...,
               lds: int = ..., checks: Optional[str] = ..., delivery: Optional[str] = ..., timed: bool = ..., device: Optional[str] = ...,
               clock: int = ..., sample: int = ..., warm: bool = ..., html: Optional[str] = ..., threads: int = ...,
               max_steps: int = ..., granule: int = ...) -> Result: ...

class Module:
    chip: str
    info: Dict[str, Any]
    kernels: Dict[str, Kernel]
    def __getitem__(self, name: str) -> Kernel: ...
    def symbol(self, name: str) -> Tuple[int, int]: ...
    def close(self) -> None: ...

class Context:
    def __init__(self) -> None: ...
    def close(self) -> None: ...
    def register(self, address: int, nbytes: int, name: Optional[str] = ...) -> None: ...
    def unregister(self, address: int) -> None: ...
    def load(self, image: bytes, chip: Optional[str] = ...) -> Module: ...

def default_context() -> Context: ...
def load(image: Union[str, bytes], chip: Optional[str] = ...) -> Module: ...

class Pipe:
    pipe: str
    busy: float

class Advice:
    kind: str
    gain: float
    applied: bool
    change: str
    details: Tuple[str, ...]
    address: Optional[int]
    instruction: str
    source: str

class Advisory:
    kernel: str
    chip: str
    device: str
    cycles: float
    microseconds: float
    accuracy: Dict[str, Any]
    pipes: Tuple[Pipe, ...]
    advice: Tuple[Advice, ...]
    relaxed: Optional[bytes]

def advise(kernel: Kernel, grid: Shape, block: Shape, arguments: Sequence[Any] = ..., *, waits: int = ..., kernarg: Optional[bytes] = ...,
           buffers: Iterable[Any] = ..., lds: int = ..., device: Optional[str] = ..., clock: int = ..., sample: int = ..., warm: bool = ...,
           threads: int = ..., max_steps: int = ...) -> Advisory: ...

class Waits:
    status: int
    text: str
    findings: List[Finding]
    output: Any

def waits(program: Union[str, bytes], mode: Literal["verify", "report", "relax", "insert", "strip"] = ..., chip: Optional[str] = ...,
          name: str = ...) -> Waits: ...
@overload
def compile(mlir: str, chip: str, emit: Literal["asm", "mlir"], name: str = ..., debug: bool = ..., reassociate: bool = ...) -> str: ...
@overload
def compile(mlir: str, chip: str = ..., emit: Literal["hsaco", "obj"] = ..., name: str = ..., debug: bool = ..., reassociate: bool = ...) -> bytes: ...
def assemble(text: str, chip: Optional[str] = ..., name: str = ...) -> bytes: ...
def devices() -> List[Dict[str, Any]]: ...
def device(name: str) -> Dict[str, Any]: ...
def strided(array: Any) -> Any: ...
def aligned(array: Any) -> Any: ...

class Page:
    kernel: str
    result: Result
    html: str
    def save(self, path: Any) -> None: ...

class Trace:
    pages: List[Page]
    def save(self, path: Any) -> None: ...

def trace(kernel: Optional[str] = ..., launches: int = ..., *, device: Optional[str] = ..., clock: int = ..., sample: int = ...,
          warm: bool = ...) -> ContextManager[Trace]: ...
