#!/usr/bin/env python3
"""Writes the table that build/bin/fidelity prints into docs/fidelity.md: scripts/update-fidelity.py [BUILD] [--check]

With --aiter TABLE.csv... (what bench/aiter.py --out has written, of both halves) the table of AITER's GEMMs too."""
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MARK = "<!-- printed by build/bin/fidelity -->\n"
AITER_MARK = "<!-- printed by bench/aiter.py -->\n"


def between(text, mark, table):
    head, _, rest = text.partition(mark)
    return head + mark + table + mark + rest.partition(mark)[2]


def aiter_table(tables):
    sys.path.insert(0, os.path.join(ROOT, "bench"))
    import aiter
    return aiter.halves([one for table in tables for one in aiter.read_table(table)])


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    tables = words[words.index("--aiter") + 1:] if "--aiter" in words else []
    words = words[:words.index("--aiter")] if tables else words
    build = words[0] if words else os.path.join(ROOT, "build")
    table = subprocess.run([os.path.join(build, "bin/fidelity")], check=True, capture_output=True, text=True).stdout
    file = os.path.join(ROOT, "docs/fidelity.md")
    with open(file) as f:
        text = f.read()
    new = between(text, MARK, table)
    if tables:
        new = between(new, AITER_MARK, aiter_table(tables))
    if "--check" in sys.argv:
        if new != text:
            sys.exit("docs/fidelity.md isn't what build/bin/fidelity prints: run scripts/update-fidelity.py")
        return
    with open(file, "w") as f:
        f.write(new)


if __name__ == "__main__":
    main()
