"""The tool `tune`: a kernel with parameters, each choice of them compiled and timed. Nothing of a template is run but its kernels."""
import ast
import itertools
import json
import math
import operator
import pathlib
import re
import shutil
import tempfile

import anyio

from .bounded import Refused

PLACE = re.compile(r"\$\{(\w+)\}")
OPERATIONS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod}
MOST_CHOICES = 256
CODE_OBJECTS = (".hsaco", ".co", ".o")
COMPILED = ("stages", "min_waves", "async_copies", "ping_pong")  # parameters that are the compiler's options


def compile_options(stages=0, min_waves=0, async_copies=True, ping_pong=False):
    words = ["--async-copies=off"] if not async_copies else []
    words += [f"--stages={stages}"] if stages else []
    words += [f"--min-waves={min_waves}"] if min_waves else []
    return words + (["--ping-pong"] if ping_pong else [])


def filled(text, choice):
    """With the choice's values in the place of ${NAME}."""
    def value(found):
        if found[1] not in choice:
            raise Refused(f"'{found[0]}' is none of the parameters: {', '.join(choice)}")
        return str(choice[found[1]])

    return PLACE.sub(value, text)


def size(expression, choice, least=1):
    """A number of a launch, or what makes it of parameters: 1024 // tile."""
    def of(node):
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return node.value
        if isinstance(node, ast.Name) and type(choice.get(node.id)) is int:
            return choice[node.id]
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATIONS:
            return OPERATIONS[type(node.op)](of(node.left), of(node.right))
        raise ValueError

    try:
        made = of(ast.parse(str(expression)[:200], mode="eval").body)
    except (ValueError, SyntaxError, ZeroDivisionError, RecursionError):
        raise Refused(f"'{expression}' is no number, and no sum, product, quotient (//) or remainder of numbers and parameters that are numbers") from None
    if not least <= made < 1 << 31:
        raise Refused(f"'{expression}' is {made} for {choice}")
    return made


def choices_of(parameters, choices):
    """All choices of the parameters' values, or those that are given."""
    if bool(parameters) == bool(choices):
        raise Refused("either parameters or choices are needed")
    count = len(choices) or math.prod(map(len, parameters.values()))
    if not 0 < count <= MOST_CHOICES:
        raise Refused(f"{count} choices; 1 to {MOST_CHOICES} can be tried")
    if choices:
        return choices
    return [dict(zip(parameters, values)) for values in itertools.product(*parameters.values())]


class Tuning:
    """A search. `launch` makes a launch's options of a choice, `timing` are those of the model, `checks` those of a run that shows
    whether a choice is right (empty: none does)."""

    def __init__(self, workshop, source, chip, launch, timing, checks, message_of):
        self.workshop, self.source, self.chip = workshop, source, chip
        self.launch, self.timing, self.checks, self.message_of = launch, timing, checks, message_of

    async def search(self, choices, output):
        """Trials, the fastest first; those that weren't reached are left out. The fastest that is right is written to `output`."""
        with tempfile.TemporaryDirectory(prefix="inflight-mcp-tune-") as folder:
            trials = []
            with anyio.move_on_after(self.workshop.limits.seconds * 3 / 4):
                for number, choice in enumerate(choices):
                    trials.append(await self._time(choice, f"{folder}/{number}"))
            trials.sort(key=lambda trial: trial.get("microseconds", float("inf")))
            with anyio.move_on_after(self.workshop.limits.seconds / 4):
                for trial in trials if self.checks else []:
                    if trial["state"] == "timed" and await self._is_right(trial):
                        break
            best = next((trial for trial in trials if trial["state"] in ("timed", "checked")), None)
            if best and output:
                shutil.copyfile(self.workshop.folder / best["code"], self.workshop.folder / output)
        return best, trials

    async def _did(self, *words):
        done = await self.workshop.run(*words)
        if done.status and not (done.status == 1 and done.out):
            raise Refused(self.message_of(done))
        return done

    async def _code(self, choice, place):
        """The choice's code object: a file of the working folder, or made in `place` of its source there."""
        file = self.workshop.path(filled(self.source, choice))
        if file.endswith(CODE_OBJECTS):
            return file
        text, code = pathlib.Path(place + pathlib.Path(file).suffix), place + ".hsaco"
        text.write_text(filled((self.workshop.folder / file).read_text(errors="replace"), choice))
        if text.suffix == ".s":
            await self._did("asm", "-g", f"-mcpu={self.chip}", str(text), "-o", code)
        else:
            options = compile_options(**{name: choice[name] for name in COMPILED if name in choice})
            await self._did("compile", f"-mcpu={self.chip}", *options, str(text), "-o", code)
        return code

    async def _time(self, choice, place):
        try:
            code = await self._code(choice, place)
            done = await self._did("run", "--timed", "--format=json", *self.timing, *self.launch(choice), code)
            return {"parameters": choice, "state": "timed", "microseconds": json.loads(done.out)["microseconds"], "code": code}
        except Refused as refusal:
            return {"parameters": choice, "state": "failed", "why": str(refusal)}

    async def _is_right(self, trial):
        try:
            done = await self._did("run", "--format=json", *self.checks, *self.launch(trial["parameters"]), trial["code"])
        except Refused as refusal:
            trial.update(state="wrong", why=str(refusal))
            return False
        findings = json.loads(done.out)["findings"]
        trial.update({"state": "wrong", "why": findings[0]["message"] if findings else self.message_of(done)} if done.status else {"state": "checked"})
        return not done.status
