from typing import Any, ContextManager, List, Optional

from inflight import Waits

class Compiled:
    name: str
    waits: Waits
    relaxed: bool

def activate(chip: Optional[str] = ..., cuda: Optional[bool] = ...) -> Any: ...
def tensor(array: Any) -> Any: ...
def verified(relax: bool = ..., raises: bool = ...) -> ContextManager[List[Compiled]]: ...
