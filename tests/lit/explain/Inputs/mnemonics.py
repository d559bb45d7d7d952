"""The page of each mnemonic that a chip has: a text, and times with sources for what a schedule knows. One of each first word and a sample of the rest run through
the command; that data/explain.json has a text for all, and nothing that is for none, is checked here."""
import fnmatch
import json
import pathlib
import random
import re
import subprocess

data = json.loads((pathlib.Path(__file__).resolve().parents[4] / "data/explain.json").read_text())
coverage = subprocess.run(["inflight", "targets", "--coverage"], capture_output=True, text=True, check=True).stdout
names = sorted({words[1] for line in coverage.splitlines() if len(words := line.split()) > 2 and words[0].startswith("gfx") and ":" not in words[0]})
used = set()
for name in names:
    fitting = [i for i, (patterns, _) in enumerate(data["operations"]) if any(fnmatch.fnmatchcase(name, p) for p in patterns.split())]
    assert fitting, f"data/explain.json has no text for {name}"
    used.add(fitting[0])
# Newer chips' mnemonics have texts as far as they are known.
known = re.findall(r"M\((\w+)\)", (pathlib.Path(__file__).resolve().parents[4] / "src/isa/instr/Mnemonics.def").read_text())
for name in known:
    used.update([i for i, (patterns, _) in enumerate(data["operations"]) if any(fnmatch.fnmatchcase(name, p) for p in patterns.split())][:1])
unused = [patterns for i, (patterns, _) in enumerate(data["operations"]) if i not in used]
assert not unused, f"data/explain.json: for no mnemonic: {unused}"
sample = {re.match(r"[a-z]+_[a-z]+|\w+", name)[0]: name for name in names}
for name in sorted(sample.values()) + random.Random(1).sample(names, 30):
    page = subprocess.run(["inflight", "explain", name], capture_output=True, text=True, check=True).stdout
    assert page.startswith(f"# {name}\n") and "\n## gfx9" in page, page
    for takes, source in re.findall(r"^- takes: (.*)\n(.*)", page, re.M):
        assert re.match(r"  - \S.*: (isa_manual|llvm_codegen|measured|published|estimated): \S", source), f"{name}: {takes}: no source: {source}"
print(len(names), "mnemonics")
