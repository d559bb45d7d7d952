"""check_outputs.py FILE.md DIRECTORY: runs the shell and Python blocks of a text there, one after the other, and compares what each prints
with the block without a language that comes next.

A line "..." stands for any lines. Decimal numbers may be a fifth away, or one: what a compiler makes and a model times changes a little with
each version. All else is exact."""
import re, subprocess, sys

NUMBER = re.compile(r"(?<![\w.])[+-]?\d[\d,]*(?:\.\d+)?(?![\w.]*\w)")


def matches(expected, printed):
    if expected == printed:
        return True
    if NUMBER.sub("#", expected) != NUMBER.sub("#", printed):
        return False
    pairs = [(float(a.replace(",", "")), float(b.replace(",", "")))
             for a, b in zip(NUMBER.findall(expected), NUMBER.findall(printed))]
    return all(abs(a - b) <= max(1, 0.2 * max(abs(a), abs(b))) for a, b in pairs)


def find(expected, printed):
    """None, or the first expected line that isn't there."""
    at, may_skip = 0, False
    for line in expected:
        if line.strip() == "...":
            may_skip = True
            continue
        while at < len(printed) and not matches(line, printed[at]):
            if not may_skip:
                return line
            at += 1
        if at == len(printed):
            return line
        at, may_skip = at + 1, False
    return None if may_skip or at == len(printed) else "(the end)"


def squeezed(text):
    return [line.rstrip() for line in text.strip("\n").split("\n")]


text = open(sys.argv[1]).read()
blocks = re.findall(r"^```(\w*)\n(.*?)^```", text, re.M | re.S)
printed, checked = "", 0
for language, block in blocks:
    if language in ("sh", "python"):
        words = [sys.executable, "-c"] if language == "python" else ["bash", "-xc" if len(sys.argv) > 3 else "-c"]
        run = subprocess.run([*words, block], cwd=sys.argv[2], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        printed = run.stdout
        if run.returncode and "error:" not in printed:
            sys.exit(f"exit status {run.returncode}:\n{block}{printed}")
    elif not language:
        missing = find(squeezed(block), squeezed(printed))
        if missing:
            sys.exit(f"not as printed, from: {missing}\nexpected:\n{block}\nprinted:\n{printed}")
        checked += 1
print(checked, "blocks are as printed")
