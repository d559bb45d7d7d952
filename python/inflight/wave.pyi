from typing import Optional, Tuple

VERSIONS: Tuple[str, ...]

def activate(chip: Optional[str] = ..., cuda: Optional[bool] = ...) -> None: ...
