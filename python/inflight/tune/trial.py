"""One choice: compiled and timed by the command, in processes of their own, so that nothing it does ends the search."""
import json
import os
import shutil
import subprocess
import tempfile

from .template import TuneError


class Failed(TuneError):
    """It doesn't compile, doesn't run, or is wrong."""


def command():
    """The `inflight` beside this package, or that of INFLIGHT_COMMAND or PATH."""
    here = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    for found in (os.environ.get("INFLIGHT_COMMAND"), os.path.join(here, "bin", "inflight"),
                  os.path.join(here, "..", "..", "build", "bin", "inflight"), shutil.which("inflight")):
        if found and os.path.exists(found):
            return found
    raise Failed("the command 'inflight' isn't in this installation: INFLIGHT_COMMAND=FILE says where it is")


def _error_of(text):
    lines = [line for line in text.strip().splitlines() if "error" in line] or text.strip().splitlines()
    return lines[0].strip() if lines else "no message"


def call(words, timeout=None):
    """The command with these words; what it printed."""
    try:
        run = subprocess.run([command(), *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=timeout)
    except subprocess.TimeoutExpired as error:
        raise Failed(f"it took more than {timeout} s") from error
    if run.returncode:
        raise Failed(_error_of(run.stderr))
    return run.stdout


class Trial:
    def __init__(self, candidate, chip, device=None, timeout=None):
        self.candidate, self.chip, self.device, self.timeout = candidate, chip, device, timeout
        self._folder = tempfile.TemporaryDirectory(prefix="inflight-tune-")

    def __enter__(self):
        self.object = self._compile(self.candidate, "kernel")
        return self

    def __exit__(self, *_):
        self._folder.cleanup()

    def _call(self, words):
        return call(words, self.timeout)

    def _compile(self, candidate, name):
        source, made = (os.path.join(self._folder.name, name + ending) for ending in (".mlir", ".hsaco"))
        with open(source, "w", encoding="utf-8") as out:
            out.write(candidate.mlir)
        self._call(["compile", f"-mcpu={self.chip}", source, "-o", made, *candidate.options])
        return made

    def time(self, sample):
        """What `inflight run --timed --format=json` says, of `sample` workgroups per compute unit; 0: all of the first unit's."""
        words = ["run", "--timed", "--format=json", self.object, *self.candidate.launch.words()]
        if sample:
            words.append(f"--sample={sample}")
        if self.device:
            words.append(f"--device={self.device}")
        return json.loads(self._call(words))

    def check(self):
        """Runs the candidate's small launch with all checks."""
        small = self.candidate.check
        if small is None:
            return
        made = self._compile(small, "check")
        try:
            self._call(["run", "--check=all", made, *small.launch.words()])
        except Failed as error:
            raise Failed(f"with all checks: {error}") from error
