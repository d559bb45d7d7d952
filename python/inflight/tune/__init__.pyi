import os
from typing import Any, Callable, Dict, Mapping, Optional, Sequence, Tuple, Union

from .. import Error

class TuneError(Error): ...
class TemplateError(TuneError): ...

class Tried:
    number: int
    state: str
    parameters: Dict[str, Any]
    microseconds: Optional[float]
    accuracy: Optional[Dict[str, Any]]
    cycles: Optional[float]
    tflops: Optional[float]
    matrix_busy: Optional[float]
    memory_gbytes_per_second: Optional[float]
    why: str

class Tuned:
    chip: str
    device: str
    settings: Dict[str, Any]
    parameters: Dict[str, Any]
    options: Tuple[str, ...]
    microseconds: float
    accuracy: Optional[Dict[str, Any]]
    cycles: float
    grid: Tuple[int, ...]
    args: Tuple[str, ...]
    mlir: str
    trials: Tuple[Tried, ...]
    choices: int
    def text(self) -> str: ...
    def save(self, file: Union[str, os.PathLike[str]]) -> None: ...
    def compile(self) -> bytes: ...

def search(template: Union[str, os.PathLike[str], Callable[..., Mapping[str, Any]]], chip: str = ..., *,
           parameters: Optional[Mapping[str, Sequence[Any]]] = ..., settings: Optional[Mapping[str, Any]] = ..., device: Optional[str] = ...,
           trials: int = ..., sample: int = ..., storage: Optional[str] = ..., study: Optional[str] = ..., jobs: Optional[int] = ...,
           seed: Optional[int] = ..., timeout: Optional[float] = ..., done: Optional[Callable[[Tried], Any]] = ...) -> Tuned: ...

class Template:
    file: str
    parameters: Mapping[str, Sequence[Any]]
    settings: Dict[str, Any]
    def __init__(self, file: str, settings: Optional[Mapping[str, Any]] = ..., names: Optional[Mapping[str, Any]] = ...) -> None: ...
    @property
    def size(self) -> int: ...

class Study:
    template: Template
