"""Files through `inflight waits --format=jsonl`, a process for some files at a time."""
import json
import os

# A scan of what is known takes less than the import of what it doesn't need: such modules are imported where they are used.

MOST_FILES = 64  # of a process
MOST_BYTES = 64 << 20


class PackageError(Exception):
    pass


def stamp(path):
    found = os.stat(path)
    return found.st_size, found.st_mtime_ns


def is_package(path):
    """A wheel, Debian's or an RPM, by its first bytes."""
    with open(path, "rb", buffering=0) as file:
        return file.read(21).startswith((b"PK\3\4", b"!<arch>\ndebian-binary", b"\xed\xab\xee\xdb"))


def digest(path):
    import hashlib
    made = hashlib.sha256()
    with open(path, "rb") as file:
        while block := file.read(1 << 20):
            made.update(block)
    return made.hexdigest()


def batches(files, most=MOST_FILES):
    """Lists of paths, of (path, size), for a process each, the large ones by themselves."""
    batch, size = [], 0
    for path, bytes_ in files:
        if batch and (len(batch) == most or size + bytes_ > MOST_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(path)
        size += bytes_
    if batch:
        yield batch


def served(command, files):
    """(path, lines) for each file as soon as it is done. When the process ends before, the file that was under way gets one of its own, and a line that
    says so if that ends, too."""
    import subprocess
    import tempfile
    left = list(files)
    while left:
        with tempfile.TemporaryFile(mode="w+", errors="replace") as said:
            process = subprocess.Popen([*command, "--", *left], stdout=subprocess.PIPE, stderr=said, text=True, errors="replace")
            alone = len(left) == 1
            lines = []
            try:
                for text in process.stdout:
                    line = json.loads(text)
                    while line["path"] != left[0]:
                        yield left.pop(0), lines
                        lines = []
                    lines.append(line)
                process.wait()
            except ValueError:  # a line that isn't whole
                process.wait()
                lines = []
            finally:
                process.kill()
                process.stdout.close()
            if process.returncode in (0, 1, 2, 4) and lines and len(left) == 1:
                yield left.pop(0), lines
                continue
            said.seek(0)
            why = f"signal {-process.returncode}" if process.returncode < 0 else said.read().strip() or f"status {process.returncode}"
        failed = left.pop(0)
        if alone:
            yield failed, [{"path": failed, "status": 2, "error": f"inflight waits ended: {why}", "ended": True}]
        else:
            yield from served(command, [failed])


def served_elsewhere(command, files):
    """What a worker of a cluster hands back: of each file what it was afterwards, too."""
    results = []
    for path, lines in served(command, files):
        try:
            after = stamp(path)
        except OSError:
            after = None
        results.append((path, lines, after))
    return results
