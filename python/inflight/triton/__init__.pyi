from typing import Any, Callable, ContextManager, Dict, List, Optional

from inflight import Waits

class Compiled:
    name: str
    waits: Waits
    relaxed: bool

class Comparison:
    kernel: str
    launches: int
    equal: int
    difference: float
    llvm_cycles: float
    inflight_cycles: float
    refused: str
    @property
    def ratio(self) -> Optional[float]: ...

def activate(chip: Optional[str] = ..., cuda: Optional[bool] = ..., compiler: Optional[str] = ...) -> Any: ...
def compare(show: bool = ...) -> List[Comparison]: ...
def prune_configs_by(model: Optional[str] = ..., keep: float = ..., sample: int = ..., clock: int = ...) -> Dict[str, Callable[..., List[Any]]]: ...
def tensor(array: Any) -> Any: ...
def verified(relax: bool = ..., raises: bool = ...) -> ContextManager[List[Compiled]]: ...
