#!/usr/bin/env python3
"""Writes the table that build/bin/fidelity prints into docs/fidelity.md: scripts/update-fidelity.py [BUILD] [--check]"""
import os
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
MARK = "<!-- printed by build/bin/fidelity -->\n"


def main():
    words = [word for word in sys.argv[1:] if word != "--check"]
    build = words[0] if words else os.path.join(ROOT, "build")
    table = subprocess.run([os.path.join(build, "bin/fidelity")], check=True, capture_output=True, text=True).stdout
    file = os.path.join(ROOT, "docs/fidelity.md")
    with open(file) as f:
        text = f.read()
    head, _, rest = text.partition(MARK)
    _, _, tail = rest.partition(MARK)
    new = head + MARK + table + MARK + tail
    if "--check" in sys.argv:
        if new != text:
            sys.exit("docs/fidelity.md isn't what build/bin/fidelity prints: run scripts/update-fidelity.py")
        return
    with open(file, "w") as f:
        f.write(new)


if __name__ == "__main__":
    main()
