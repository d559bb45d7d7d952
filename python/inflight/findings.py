"""What checks of a run and of waits find, as objects, exceptions and warnings."""
import contextlib
from dataclasses import dataclass, field

from ._stack import Stack


@dataclass(frozen=True)
class Finding:
    """One finding. `rule`: "in-flight", "race", "memory", "missing-wait", ...; `facts`: kernel, workgroup, wave, lane, times."""

    rule: str
    message: str
    level: str = "error"
    hint: str = ""
    file: str = ""
    line: int = 0
    column: int = 0
    address: int = 0
    instruction: str = ""
    facts: dict = field(default_factory=dict)
    related: tuple = ()

    @classmethod
    def of(cls, found):
        known = {"rule", "message", "level", "hint", "file", "line", "column", "address", "instruction", "related"}
        return cls(**{key: tuple(value) if key == "related" else value for key, value in found.items() if key in known},
                   facts={key: value for key, value in found.items() if key not in known})

    def __str__(self):
        place = f"{self.file}:{self.line}" if self.file else f"0x{self.address:x}"
        text = f"{place}: {self.level}: {self.message} [{self.rule}]\n  at    0x{self.address:x}: {self.instruction}"
        for other in self.related:
            where = f"  ({other['file']}:{other['line']})" if other.get("file") else ""
            text += f"\n  {other.get('message', 'and')} 0x{other.get('address', 0):x}: {other.get('instruction', '')}{where}"
        if self.hint:
            text += f"\n  hint  {self.hint}"
        if self.facts:
            text += "\n  in    " + ", ".join(f"{name} {value}" for name, value in self.facts.items())
        return text


class FindingsError(Exception):
    """Raised by check() when something was found; `findings` has all of it."""

    def __init__(self, findings):
        self.findings = tuple(findings)
        super().__init__("\n" + "\n".join(map(str, self.findings)))


_checks = Stack()


class _Check:
    def __init__(self, checks, ignore, delivery):
        self.checks, self.ignore, self.delivery, self.findings = checks, frozenset(ignore), delivery, []

    def take(self, findings):
        self.findings += [finding for finding in findings if finding.rule not in self.ignore]


@contextlib.contextmanager
def check(checks="all", ignore=(), delivery=None, raises=True):
    """Launches inside run with these checks ("all", or names with commas); at the end what they found is raised, unless `raises` is false.

    with inflight.check(ignore=["uninitialised"]) as found:
        kernel(...)
    """
    mine = _Check(checks, ignore, delivery)
    with _checks.entering(mine):
        yield mine
    if raises and mine.findings:
        raise FindingsError(mine.findings)


def current():
    """The innermost check() of this thread, or None."""
    return _checks.entered[-1] if _checks.entered else None
