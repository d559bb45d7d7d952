"""slower_trace.py FROM TO INSTRUCTION CYCLES: a copy of a viewer's directory in which each execution of an instruction takes longer."""
import json
import pathlib
import shutil
import sys

source, target, text, cycles = sys.argv[1:]
cycles = int(cycles)
shutil.copytree(source, target)
target = pathlib.Path(target)
lines = {row[2] for row in json.loads((target / "code.json").read_text())["code"] if row[0] == text}
assert lines, f"no {text}"
for path in target.glob("se*_wv*.json"):
    document = json.loads(path.read_text())
    wave = document["wave"]
    late = 0
    for entry in wave["instructions"]:
        entry[0] += late
        if entry[4] in lines:
            entry[2] += cycles
            entry[3] += cycles
            late += cycles
    wave["end"] += late
    path.write_text(json.dumps(document))
