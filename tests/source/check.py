#!/usr/bin/env python3
"""Rules of the source that no compiler checks. Prints what breaks them and exits with status 1.

    check.py [ROOT]

- A folder of src/, and a folder in one of them, includes only those that the table of docs/architecture.md allows it. A
  row of the table allows rows above it alone.
- A folder of src/ holds at most 30 files, and a file at most 600 lines. A class has at most 60 members: fields and
  functions, each overload for itself, without those of types in it. A record may have more: fields, and three functions.
- Outside src/isa nothing looks at the text of a mnemonic, and nothing compares a chip's name. allowed.txt lists what must
  stay, with its reason.
"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).parents[2]).resolve()
source = root / "src"
errors = []
mutual = set()  # folders that the files beside them use as well, and say so


def files():
    return sorted(p for p in source.rglob("*") if p.suffix in (".h", ".cpp"))


def allowed_includes():
    """Folder -> folders, from the rows `| folder | job | may use |`; None where all are allowed. A row `top/folder` is of
    a folder in one of src/ and names its neighbours there, and `top` where it uses the files beside them; where one has a
    row, its neighbours need one."""
    table = {}
    for line in (root / "docs/architecture.md").read_text().splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        name = cells[0].strip("`")
        if not line.startswith("| `") or len(cells) != 3 or not (source / name).is_dir():
            continue
        parent = pathlib.PurePath(name).parent
        words = set(re.findall(r"\w+", cells[2]))
        named = {str(parent / p.name) for p in (source / parent).iterdir() if p.is_dir() and p.name in words}
        if parent.name in words:
            named.add(str(parent))
        table[name] = None if "all" in words else named
        if "which uses it" in cells[2]:
            mutual.add(name)
        for other in sorted(named - table.keys()):
            errors.append(f"docs/architecture.md: src/{name} may use src/{other}, which has no row above it")
    parents = {source, *(source / pathlib.PurePath(name).parent for name in table)}
    for folder in sorted(p for parent in parents for p in parent.iterdir() if p.is_dir()):
        if (name := str(folder.relative_to(source))) not in table:
            errors.append(f"docs/architecture.md: no row for src/{name}")
    return table


def uses(table, name):
    """What a folder uses, directly or by what it uses."""
    found, rest = set(), [name]
    while rest:
        new = (table.get(rest.pop()) or set()) - found
        found |= new
        rest += new
    return found


def forbidden(table, user, used):
    """Of two folders: the pair that the table forbids where `user` includes a file of `used`, else None. Where they part,
    neighbours are held against the table; a folder's own files may use all folders in it that don't use them."""
    place, to = pathlib.PurePath(user).parts, pathlib.PurePath(used).parts
    common = next((i for i, (a, b) in enumerate(zip(place, to)) if a != b), min(len(place), len(to)))
    user, used = "/".join(place[: common + 1]), "/".join(to[: common + 1])
    if user == used or user not in table or table[user] is None:
        return None
    is_allowed = used in mutual or user not in uses(table, used) if len(place) == common else used in table[user]
    return None if is_allowed else (user, used)


def check_includes():
    table = allowed_includes()
    for path in files():
        user = str(path.parent.relative_to(source))
        for number, line in enumerate(path.read_text().splitlines(), 1):
            match = re.match(r'#include "([\w/]+)/', line)
            if match and (source / match.group(1)).is_dir() and (pair := forbidden(table, user, match.group(1))):
                errors.append(f"{path.relative_to(root)}:{number}: {pair[0]} may not use {pair[1]} (docs/architecture.md)")


def check_sizes():
    for folder in sorted({path.parent for path in files()}):
        if (count := sum(p.is_file() for p in folder.iterdir())) > 30:
            errors.append(f"{folder.relative_to(root)}: {count} files")
    for path in files():
        if (count := path.read_text().count("\n")) > 600:
            errors.append(f"{path.relative_to(root)}: {count} lines")


comment_or_literal = re.compile(
    r"""(//[^\n]*|/\*.*?\*/|^\#(?:[^\n]*\\\n)*[^\n]*)|R"(\w*)\(.*?\)\2"|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])+'""",
    re.S | re.M,
)
class_head = re.compile(r"(?<!enum )\b(?:class|struct|union)\s+(?:alignas\([^()]*\)\s*)?([\w:]+)[^;(){}=]*\{")
template = r"\s*(?:template\s*<[^{}]*?>\s*)?"
is_type = re.compile(template + r"(?:class|struct|union|enum)\b[^(]*$")
is_no_member = re.compile(template + r"(?:(?:using|friend|static_assert)\b|[A-Z_]+\([^()]*\)\s*$)")
brackets = re.compile(r"<[^<>]*>|\{[^{}]*\}|\([^()]*\)")


def without(pattern, text):
    while (shorter := pattern.sub("", text)) != text:
        text = shorter
    return text


def members(body):
    """Fields and functions of a class whose body this is, comments and strings out. Overloads are told apart; types in it
    aren't counted."""
    body = re.sub(r"\b(?:public|private|protected)\s*:(?!:)", "", body)
    fields = functions = start = depth = 0
    for i, c in enumerate(body):
        depth += (c in "([{") - (c in ")]}")
        if depth or c not in "};":
            continue
        text = body[start:i]
        head = text.split("{")[0]
        is_function = "(" in without(re.compile(r"<[^<>]*>"), head.split("=")[0]) or "operator" in head
        # A brace ends a function, if none of a constructor's initialisers; all else goes on to a semicolon.
        if c == "}" and (is_type.match(head) or not is_function or re.match(r"\s*[,{;]", body[i + 1 :])):
            continue
        start = i + 1
        if is_type.match(head):
            fields += bool(text[text.rfind("}") + 1 :].strip()) and "}" in text
        elif text.strip() and not is_no_member.match(text):
            functions += is_function
            fields += 0 if is_function else 1 + without(brackets, text).count(",")
    return fields, functions


def check_classes():
    for path in files():
        text = comment_or_literal.sub(lambda m: ("" if m[1] else '""') + "\n" * m[0].count("\n"), path.read_text())
        for head in class_head.finditer(text):
            depth, end = 1, head.end()
            while depth and end < len(text):
                depth += (text[end] == "{") - (text[end] == "}")
                end += 1
            fields, functions = members(text[head.end() : end - 1])
            if fields + functions > 60 and functions > 3:
                line = text.count("\n", 0, head.start()) + 1
                errors.append(f"{path.relative_to(root)}:{line}: {head[1]} has {fields + functions} members")


compares = r"(?:starts_with|ends_with|contains|consume_front|consume_back|equals_insensitive|Cases?)\s*\(\s*\{?\s*|[=!]=\s*"
mnemonic_part = r'"(?:(?:v|s|ds|buffer|tbuffer|global|flat|scratch)_(?!buffer"|scratch_)\w*|_[bufi]\d\w*)"'
looks_at_mnemonics = re.compile(rf"(?:{compares}){mnemonic_part}|[mM]nemonic\)?\.(?:starts_with|ends_with|contains|consume)")
looks_at_chips = re.compile(r'[=!]=\s*"gfx\w+"|Cases?\(\{?\s*"gfx\w+"')


def allowed_texts():
    """File -> number of lines that may, from lines `PATH COUNT REASON`."""
    allowed = {}
    for line in (root / "tests/source/allowed.txt").read_text().splitlines():
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
check_sizes()
check_classes()
check_texts()
for error in errors:
    print(error)
sys.exit(bool(errors))
