#!/usr/bin/env python3
"""Rules of the source that no compiler checks. Prints what breaks them and exits with status 1.

- A folder of src/ includes only those that the table of docs/architecture.md allows it.
- Outside src/isa nothing looks at the text of a mnemonic, and nothing compares a chip's name. allowed.txt lists what must
  stay, with its reason.
"""
import pathlib
import re
import sys

root = pathlib.Path(__file__).resolve().parents[2]
source = root / "src"
errors = []


def files():
    return sorted(p for p in source.rglob("*") if p.suffix in (".h", ".cpp"))


def allowed_includes():
    """Folder -> folders, from the rows `| folder | job | may use |`; None where all are allowed."""
    folders = {p.name for p in source.iterdir() if p.is_dir()}
    table = {}
    for line in (root / "docs/architecture.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) == 3 and cells[0].strip("`") in folders:
            words = set(re.findall(r"\w+", cells[2]))
            table[cells[0].strip("`")] = None if "all" in words else words & folders
    for folder in sorted(folders - table.keys()):
        errors.append(f"docs/architecture.md: no row for src/{folder}")
    return table


def check_includes():
    table = allowed_includes()
    for path in files():
        folder = path.relative_to(source).parts[0]
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = re.match(r'#include "(\w+)/', line)
            if not match or folder not in table or table[folder] is None:
                continue
            to = match.group(1)
            if to != folder and (source / to).is_dir() and to not in table[folder]:
                errors.append(f"{path.relative_to(root)}:{number}: {folder} may not use {to} (docs/architecture.md)")


compares = r"(?:starts_with|ends_with|contains|consume_front|consume_back|equals_insensitive|Cases?)\s*\(\s*\{?\s*|[=!]=\s*"
mnemonic_part = r'"(?:(?:v|s|ds|buffer|tbuffer|global|flat|scratch)_(?!buffer"|scratch_)\w*|_[bufi]\d\w*)"'
looks_at_mnemonics = re.compile(rf"(?:{compares}){mnemonic_part}|[mM]nemonic\)?\.(?:starts_with|ends_with|contains|consume)")
looks_at_chips = re.compile(r'[=!]=\s*"gfx\w+"|Cases?\(\{?\s*"gfx\w+"')


def allowed_texts():
    """File -> number of lines that may, from lines `PATH COUNT REASON`."""
    allowed = {}
    for line in (pathlib.Path(__file__).parent / "allowed.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            path, count, reason = line.split(None, 2)
            allowed[path] = int(count)
    return allowed


def check_texts():
    allowed = allowed_texts()
    for path in files():
        if path.relative_to(source).parts[0] == "isa":
            continue
        name = str(path.relative_to(root))
        found = [
            (number, line)
            for number, line in enumerate(path.read_text().splitlines(), 1)
            if looks_at_mnemonics.search(line) or looks_at_chips.search(line)
        ]
        limit = allowed.pop(name, 0)
        if len(found) > limit:
            errors.extend(f"{name}:{n}: looks at a mnemonic's or a chip's text: {line.strip()}" for n, line in found)
        elif len(found) < limit:
            errors.append(f"tests/source/allowed.txt: {name}: {len(found)} lines, not {limit}")
    errors.extend(f"tests/source/allowed.txt: {name}: no such file" for name in allowed)


check_includes()
check_texts()
for error in errors:
    print(error)
sys.exit(bool(errors))
