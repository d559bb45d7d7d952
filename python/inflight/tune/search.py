"""A search from Python: what notebooks and agents call."""
import json
import os
import tempfile
from dataclasses import dataclass, replace

from .report import STATES
from .study import Goal, opened, storage_url
from .template import Template, TuneError
from .trial import call, command


@dataclass(frozen=True)
class Tried:
    """One choice and what became of it. `state`: "timed", "left" (impossible, or slower than half of the others) or "failed"; `accuracy`: as of a timed launch; `why`: of what isn't
    timed or didn't pass its check."""

    number: int
    state: str
    parameters: dict
    microseconds: float = None
    accuracy: dict = None
    cycles: float = None
    tflops: float = None
    matrix_busy: float = None
    memory_gbytes_per_second: float = None
    why: str = ""

    @classmethod
    def of(cls, trial):
        known = {name: trial.user_attrs[name] for name in ("accuracy", "cycles", "tflops", "matrix_busy", "memory_gbytes_per_second", "why") if name in trial.user_attrs}
        return cls(trial.number, STATES.get(trial.state.name, trial.state.name.lower()), dict(trial.params), trial.value, **known)


@dataclass(frozen=True)
class Tuned:
    """The fastest choice that passes its check. `trials`: all that were tried, in their order; `choices`: how many there are."""

    chip: str
    device: str
    settings: dict
    parameters: dict
    options: tuple
    microseconds: float
    accuracy: dict
    cycles: float
    grid: tuple
    args: tuple
    mlir: str
    trials: tuple
    choices: int

    @classmethod
    def of(cls, study, trial, candidate, failures=None):
        """`failures`: by a trial's number, why it didn't pass its check."""
        trials = [Tried.of(one) for one in sorted(study.finished(), key=lambda one: one.number)]
        trials = tuple(replace(one, why=failures[one.number]) if failures and one.number in failures else one for one in trials)
        return cls(study.goal.chip, trial.user_attrs.get("device"), study.template.settings, dict(trial.params), tuple(candidate.options), trial.value,
                   trial.user_attrs.get("accuracy"), trial.user_attrs.get("cycles"), tuple(candidate.launch.grid), tuple(candidate.launch.args), candidate.mlir, trials, study.template.size)

    def text(self):
        """The file that `inflight compile --tuned=FILE` takes."""
        return json.dumps({
            "tuned": 1, "chip": self.chip, "settings": self.settings, "parameters": self.parameters, "options": self.options, "microseconds": self.microseconds,
            "accuracy": self.accuracy, "cycles": self.cycles, "device": self.device, "trials": len(self.trials), "grid": self.grid, "args": self.args, "mlir": self.mlir}, indent=1) + "\n"

    def save(self, file):
        with open(file, "w", encoding="utf-8") as out:
            out.write(self.text())

    def compile(self):
        """The code object that the search has timed."""
        with tempfile.TemporaryDirectory(prefix="inflight-tune-") as folder:
            tuned, made = os.path.join(folder, "kernel.tuned.json"), os.path.join(folder, "kernel.hsaco")
            self.save(tuned)
            call(["compile", "--tuned=" + tuned, "-o", made])
            with open(made, "rb") as file:
                return file.read()


def search(template, chip="gfx942", *, parameters=None, settings=None, device=None, trials=50, sample=6, storage=None, study=None, jobs=None, seed=None,
           timeout=None, done=None):
    """Searches the parameters of a template on the timed model, as `inflight tune` does. Returns a Tuned.

    `template`: a template's file, or a function candidate(chip, ...) with its `parameters`, a dict of names and lists of values, and its `settings`.
    `settings`: those of a file that are to be other than it says. `storage`: a file's name or a URL that Optuna takes, where a search of the same name
    goes on; without one nothing is kept. `done` is called with a Tried after each trial. The other arguments are the command's options.
    """
    if trials < 1 or sample < 0 or (jobs is not None and jobs < 1):
        raise ValueError("trials and jobs are at least 1, sample at least 0")
    command()  # without it every trial would fail
    if callable(template):
        made = Template(template.__name__, names={"candidate": template, "parameters": parameters, "settings": settings or {}})
    elif parameters is not None:
        raise TypeError("a template's file has its parameters itself")
    else:
        made = Template(os.fspath(template), settings)
    searched = opened(Goal.of(made, chip, device, sample, timeout, storage and storage_url(storage), study), made)
    searched.run(trials, jobs=jobs or os.cpu_count() or 1, seed=seed, done=done and (lambda trial: done(Tried.of(trial))))
    failures = {}
    found = searched.winner(lambda trial, error: failures.update({trial.number: str(error)}))
    if not found:
        whys = list(failures.values()) + [trial.user_attrs["why"] for trial in searched.finished() if "why" in trial.user_attrs]
        raise TuneError("no choice compiles, runs and passes its checks" + (f"; the first: {whys[0]}" if whys else ""))
    return Tuned.of(searched, *found, failures)
