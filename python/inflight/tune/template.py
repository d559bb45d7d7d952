"""A kernel with parameters: the file that names them and makes a kernel of a choice."""
import itertools
import os
import runpy
from dataclasses import dataclass, field

from .._library import Error


class TuneError(Error):
    """A search that can't be made, or found nothing; the message says what to do."""


class TemplateError(TuneError):
    """The file is no template, or what it made is no kernel."""


class Impossible(Exception):
    """The template says that this choice makes no kernel."""


@dataclass
class Launch:
    grid: list
    args: list
    block: list = None
    kernel: str = None
    lds: int = 0

    def words(self):
        """As options of `inflight run`."""
        words = ["--grid=" + ",".join(map(str, self.grid))]
        words += ["--arg=" + one for one in self.args]
        if self.block:
            words.append("--block=" + ",".join(map(str, self.block)))
        if self.kernel:
            words.append("--kernel=" + self.kernel)
        if self.lds:
            words.append(f"--lds={self.lds}")
        return words


@dataclass
class Candidate:
    mlir: str
    launch: Launch
    options: list = field(default_factory=list)
    check: "Candidate" = None

    _known = {"mlir", "options", "grid", "args", "block", "kernel", "lds", "check"}

    @staticmethod
    def of(made, file):
        if not isinstance(made, dict):
            raise TemplateError(f"{file}: candidate() returned {type(made).__name__}, not a dict")
        unknown = set(made) - Candidate._known
        missing = {"mlir", "grid", "args"} - set(made)
        if unknown or missing:
            raise TemplateError(f"{file}: candidate() returned {'unknown ' + ', '.join(sorted(unknown)) if unknown else 'no ' + ', '.join(sorted(missing))}")
        launch = Launch(list(made["grid"]), list(made["args"]), made.get("block"), made.get("kernel"), made.get("lds", 0))
        check = made.get("check")
        return Candidate(made["mlir"], launch, list(made.get("options", [])), Candidate.of(check, file) if check else None)


def _as(kind, value):
    """A setting's value in the type of its default. What isn't empty is true for Python, "false" too."""
    if kind is not bool or not isinstance(value, str):
        return kind(value)
    words = {"true": True, "1": True, "false": False, "0": False}
    if value.lower() not in words:
        raise ValueError
    return words[value.lower()]


class Template:
    """`names`: what the file would define; without them it is run."""

    def __init__(self, file, settings=None, names=None):
        self.file = os.path.abspath(file) if names is None else file
        names = self._run(file) if names is None else names
        self.parameters, self._candidate = names.get("parameters"), names.get("candidate")
        if not isinstance(self.parameters, dict) or not self.parameters or not all(
                isinstance(values, (list, tuple)) and values for values in self.parameters.values()):
            raise TemplateError(f"{file}: no 'parameters', a dict of names and lists of values")
        if not callable(self._candidate):
            raise TemplateError(f"{file}: no function 'candidate'")
        self.settings = dict(names.get("settings", {}))
        for name, value in (settings or {}).items():
            if name not in self.settings:
                raise TemplateError(f"{file} has no setting '{name}'; it has {', '.join(self.settings) or 'none'}")
            kind = type(self.settings[name])
            try:
                self.settings[name] = _as(kind, value)
            except (TypeError, ValueError) as error:
                raise TemplateError(f"{file}: the setting '{name}' takes {kind.__name__}, not '{value}'") from error

    def _run(self, file):
        if not os.path.isfile(self.file):
            raise TemplateError(f"no template '{file}'")
        try:
            return runpy.run_path(self.file)
        except Exception as error:  # whatever the file does
            raise TemplateError(f"{file}: {type(error).__name__}: {error}") from error

    @property
    def size(self):
        """Of the space: how many choices there are."""
        count = 1
        for values in self.parameters.values():
            count *= len(values)
        return count

    def choices(self):
        for values in itertools.product(*self.parameters.values()):
            yield dict(zip(self.parameters, values))

    def candidate(self, chip, choice):
        try:
            made = self._candidate(chip=chip, **choice, **self.settings)
        except ValueError as error:
            raise Impossible(str(error)) from error
        return Candidate.of(made, self.file)
