"""The working folder and the verbs that are run in it, each with an end: so long, so much memory, so much text."""
import contextlib
import dataclasses
import json
import os
import pathlib
import resource
import signal
import subprocess
import tempfile

import anyio

from ..tune import trial


class Refused(Exception):
    """What was asked for isn't done; the message says why."""


@dataclasses.dataclass(frozen=True)
class Limits:
    seconds: int
    memory: int  # bytes
    answer: int  # bytes of JSON
    calls: int
    file: int = 256 << 20
    printed: int = 64 << 20


@dataclasses.dataclass(frozen=True)
class Done:
    status: int
    out: str
    err: str


def shortened(value, limit):
    """JSON of at most `limit` bytes: the first elements of each list, and which lists lack how many."""
    most = 1024
    while most:
        left = {}
        short = _first(value, most, "", left)
        if len(json.dumps(short)) <= limit:
            return short, left
        most //= 2
    raise Refused(f"the answer has more than {limit} bytes; ask for one kernel, or for less")


def _first(value, most, path, left):
    if isinstance(value, dict):
        return {key: _first(one, most, f"{path}.{key}" if path else key, left) for key, one in value.items()}
    if isinstance(value, list):
        if len(value) > most:
            left[path] = left.get(path, 0) + len(value) - most
        return [_first(one, most, path, left) for one in value[:most]]
    return value


class Workshop:
    """A folder, and the command run in it."""

    def __init__(self, folder, limits):
        self.folder, self.limits = folder, limits
        self.command = trial.command()
        self.turns = None  # made in the server's loop

    def path(self, name, is_there=True):
        """A file of the folder, by its name relative to it."""
        try:
            whole = (self.folder / name).resolve()
            inside = whole.relative_to(self.folder).as_posix()
        except (OSError, ValueError):
            raise Refused(f"'{name}' isn't in the working folder") from None
        if inside.startswith("-") or "\0" in inside or any(character in inside for character in ",:@="):
            raise Refused(f"'{name}': names don't begin with '-', and have none of , : @ =")
        if is_there and not whole.is_file():
            raise Refused(f"there is no file '{name}' in the working folder")
        if not is_there and whole.exists() and not whole.is_file():
            raise Refused(f"'{name}' isn't a file")
        if not is_there and not whole.parent.is_dir():
            raise Refused(f"'{name}': there is no such folder")
        return inside

    def read(self, name, first, count):
        lines = (self.folder / self.path(name)).read_bytes()[:self.limits.printed].decode(errors="replace").splitlines()
        kept, size = [], 0
        for line in lines[first - 1:first - 1 + count]:
            size += len(line) + 1
            if size > self.limits.answer:
                break
            kept.append(line)
        return {"lines": len(lines), "first": first, "text": "\n".join(kept)}

    def write(self, name, text):
        inside = self.path(name, is_there=False)
        if len(text) > self.limits.file:
            raise Refused(f"more than {self.limits.file} bytes")
        (self.folder / inside).write_text(text, encoding="utf-8")
        return {"file": inside, "bytes": len(text.encode())}

    def list(self):
        entries = sorted(entry for entry in self.folder.rglob("*") if entry.is_file() and not entry.is_symlink())
        return {"files": [{"file": entry.relative_to(self.folder).as_posix(), "bytes": entry.stat().st_size} for entry in entries]}

    async def run(self, *words):
        """`inflight WORDS` in the folder. Ends it when it takes too much, or when the client no longer waits."""
        self.turns = self.turns or anyio.CapacityLimiter(self.limits.calls)
        async with self.turns:
            with tempfile.TemporaryDirectory(prefix="inflight-mcp-") as temporary:
                return await self._run(words, {**os.environ, "TMPDIR": temporary})

    async def _run(self, words, environment):
        process = await anyio.open_process([self.command, *words], stdin=subprocess.DEVNULL, cwd=self.folder, env=environment, start_new_session=True)
        try:
            with contextlib.suppress(ProcessLookupError):  # it has ended
                for what, most in ((resource.RLIMIT_CPU, 4 * self.limits.seconds), (resource.RLIMIT_FSIZE, self.limits.file), (resource.RLIMIT_CORE, 0)):
                    resource.prlimit(process.pid, what, (most, most))
            return await self._finished(process)
        finally:
            with anyio.CancelScope(shield=True):
                if process.returncode is None:
                    _end(process.pid)
                await process.aclose()

    async def _finished(self, process):
        out, err, excess = bytearray(), bytearray(), []

        async def gather(stream, into):
            async for part in stream:
                if len(into) + len(part) > self.limits.printed:
                    return give_up(f"printed more than {self.limits.printed >> 20} MiB")
                into += part

        async def watch():
            while True:
                await anyio.sleep(0.05)
                if _resident(process.pid) > self.limits.memory:
                    return give_up(f"took more than {self.limits.memory >> 20} MiB of memory")

        def give_up(why):
            excess.append(why)
            _end(process.pid)

        with anyio.move_on_after(self.limits.seconds) as patience:
            async with anyio.create_task_group() as tasks:
                tasks.start_soon(watch)
                async with anyio.create_task_group() as streams:
                    streams.start_soon(gather, process.stdout, out)
                    streams.start_soon(gather, process.stderr, err)
                await process.wait()
                tasks.cancel_scope.cancel()
        if patience.cancelled_caught:
            excess.append(f"took more than {self.limits.seconds} s")
        if excess:
            raise Refused(f"ended: it {excess[0]}; ask for less (fewer workgroups, `sample`, one kernel)")
        return Done(process.returncode, out.decode(errors="replace"), err.decode(errors="replace"))


def _end(process):
    with contextlib.suppress(ProcessLookupError):
        os.killpg(process, signal.SIGKILL)


def _resident(process):
    try:
        return int(pathlib.Path(f"/proc/{process}/statm").read_text().split()[1]) * resource.getpagesize()
    except (OSError, IndexError):
        return 0
