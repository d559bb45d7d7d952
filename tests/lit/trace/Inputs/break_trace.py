"""break_trace.py DIRECTORY COUNT COMMAND...: runs COMMAND on damaged copies of a trace. It may succeed or report an error, and nothing else."""
import pathlib
import random
import shutil
import subprocess
import sys

source, count, command = pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3:]
random.seed(1)
files = sorted(path.name for path in source.glob("*.json"))
common = ["code.json", "filenames.json", "occupancy.json", "realtime.json"]
junk = [b"-1", b"1e400", b"9223372036854775807", b"null", b"{}", b"[]", b'"x"', b"[", b"]", b",", b"\x00", b"\xff", b"0.5", b""]
errors = 0
for number in range(count):
    damaged = source.with_name("damaged")
    shutil.rmtree(damaged, ignore_errors=True)
    shutil.copytree(source, damaged)
    path = damaged / random.choice(common + [random.choice(files)])
    text = path.read_bytes()
    at = random.randrange(len(text))
    kind = random.randrange(4)
    if kind == 0:
        text = text[:at]
    elif kind == 1:
        text = text[:at] + random.choice(junk) + text[at + random.randrange(8):]
    elif kind == 2:  # a number becomes another
        digits = [i for i, c in enumerate(text) if chr(c).isdigit()]
        at = random.choice(digits)
        text = text[:at] + random.choice([b"9" * 17, b"-", b"77", b"0"]) + text[at + 1:]
    else:
        path.unlink()
    if kind != 3:
        path.write_bytes(text)
    run = subprocess.run(command + [str(damaged)], capture_output=True, text=True, errors="replace", timeout=60)
    assert run.returncode in (0, 1), f"{number}: exit status {run.returncode}: {run.stderr}"
    if run.returncode:
        errors += 1
        assert "error: " in run.stderr and "damaged" in run.stderr, f"{number}: {run.stderr}"
assert errors > count // 4, errors
