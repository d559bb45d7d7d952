#!/usr/bin/env python3
"""Runs the commands that README and docs show, and compares what they print with the outputs that stand there.

    scripts/doc-outputs.py [--build DIR] [--folder DIR] [--replace OLD=NEW] [--update] [PAGE ...]

The `sh` and `python` blocks of a page run in their order, in one folder (a temporary one, or --folder) with links to examples/ and docs/. What a block without a language shows is
compared with what the last one printed; before the first command such a block is a picture. All numbers are exact but those of processor time:
seconds, and what a second does. A line "..." stands for any lines. A block `bash` is for another machine and isn't run. INFLIGHT_PYTHON is
the interpreter (/usr/bin/python3).

--replace changes commands before they run: where a package that the page takes for granted isn't there. Paths in the folder are shown
relative to it.

--update writes what was printed into the pages; where lines are left out by "...", the others must still be there, but for their numbers.
Exit status 1 if something differs or a command fails without saying "error:"."""
import argparse
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```", re.M | re.S)
NUMBER = re.compile(r"[+-]?(?:0x[0-9a-f]+|\d[\d,]*(?:\.\d+)?)")
OF_TIME = re.compile(r"\d+(?:\.\d+)?(?= (?:s\b|seconds|million a second))")
SKIP = "..."
# Pages whose outputs are compared by ./test; docs/tune.md wants Optuna (scripts/python-tests.sh), and the other pages with commands have tests of
# their own.
PAGES = ["README.md"] + [f"docs/{name}.md" for name in
                        ("advise", "asm-dis", "checks", "debug", "diff", "explain", "info", "internals", "json", "run", "trace", "tutorials", "waits")]


class Differs(Exception):
    pass


def exact(line):
    return OF_TIME.sub("#", line.rstrip())


def blurred(line):
    """Without numbers, and without what is as long as they are: bars, and the spaces of columns."""
    return re.sub(r"[\s\u2580-\u259f]+", " ", NUMBER.sub("#", line)).strip()


def align(shown, printed, likeness):
    """The printed line for each shown one, by a function that says what two lines must have in common. "..." stays."""
    at, may_skip, result = 0, False, []
    for line in shown:
        if line.strip() == SKIP:
            may_skip = True
            result.append(line)
            continue
        begin = at
        while at < len(printed) and likeness(line) != likeness(printed[at]):
            if not may_skip:
                break
            at += 1
        if at == len(printed) or likeness(line) != likeness(printed[at]):
            raise Differs(f"not printed there: {line}\ninstead: {printed[begin] if begin < len(printed) else '(the end)'}")
        result.append(printed[at])
        at, may_skip = at + 1, False
    if at < len(printed) and not may_skip:
        raise Differs(f"not shown: {printed[at]}")
    return result


def lines(text):
    return [line.rstrip() for line in text.strip("\n").split("\n")]


def updated(shown, printed):
    """What the page is to show; times stay while nothing else changes."""
    try:
        align(shown, printed, exact)
        return shown
    except Differs:
        return align(shown, printed, blurred) if SKIP in (line.strip() for line in shown) else printed


def run(language, block, folder, environment):
    words = ["bash", "-c", block]
    if language == "python":  # from a file: Triton reads its kernels' source there
        words = [environment.get("INFLIGHT_PYTHON", "/usr/bin/python3"), "block.py"]
        with open(os.path.join(folder, "block.py"), "w") as out:
            out.write(block)
    done = subprocess.run(words, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode and "error:" not in done.stdout:
        raise Differs(f"exit status {done.returncode} of\n{block}{done.stdout}")
    return done.stdout


def go_through(page, folder, environment, update, replaced=()):
    """Number of outputs compared; with `update` the page gets what was printed. `replaced`: pairs of texts."""
    text = open(page).read()
    printed, compared, result, end = None, 0, [], 0
    for match in BLOCK.finditer(text):
        language, block = match.groups()
        result.append(text[end:match.start(2)])
        end = match.end(2)
        if language in ("sh", "python"):
            command = block
            for old, new in replaced:
                command = command.replace(old, new)
            printed = run(language, command, folder, environment).replace(os.path.abspath(folder) + "/", "")
        elif not language and printed is not None:
            shown, have = lines(block), lines(printed)
            compared += 1
            if update:
                block = "\n".join(updated(shown, have)) + "\n"
            else:
                try:
                    align(shown, have, exact)
                except Differs as differs:
                    raise Differs(f"{differs}\nshown:\n{block}printed:\n{printed}")
        result.append(block)
    if update and (new := "".join(result) + text[end:]) != text:
        open(page, "w").write(new)
        print(f"{page}: changed")
    return compared


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", default=os.path.join(ROOT, "build"))
    parser.add_argument("--folder")
    parser.add_argument("--replace", action="append", default=[], metavar="OLD=NEW")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("pages", nargs="*")
    options = parser.parse_args()
    build = os.path.abspath(options.build)
    environment = dict(os.environ, PATH=f"{build}/bin:/usr/lib/llvm-22/bin:{os.environ['PATH']}", PYTHONPATH=f"{ROOT}/python",
                       INFLIGHT_LIBRARY=f"{build}/lib/libinflight.so")
    failed = 0
    for name in options.pages or PAGES:
        with tempfile.TemporaryDirectory() as temporary:
            folder = options.folder or temporary
            for link in ("examples", "docs"):
                if not os.path.lexists(os.path.join(folder, link)):
                    os.symlink(os.path.join(ROOT, link), os.path.join(folder, link))
            try:
                compared = go_through(os.path.join(ROOT, name), folder, environment, options.update,
                                      [pair.split("=", 1) for pair in options.replace])
                print(f"{name}: {compared} outputs are as printed" if not options.update else f"{name}: {compared} outputs")
            except Differs as differs:
                failed = 1
                print(f"{name}: {differs}", file=sys.stderr)
    return failed


if __name__ == "__main__":
    sys.exit(main())
