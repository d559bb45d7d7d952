#!/usr/bin/env python3
"""Lays out the documentation as the site has it: pages with their links rewritten, rules, the files that pages link to, trace pages.

    web/site/stage.py FOLDER [--traces] [--build DIR]

FOLDER/mkdocs.yml and FOLDER/pages are what MkDocs builds. --traces runs the commands of docs/traces.md and links what they write; without, the page
has the commands alone. A link that leads nowhere is an error, and so is a page that the navigation lacks."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
OTHERS = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md", "SECURITY.md": "security.md", "CODE_OF_CONDUCT.md": "code-of-conduct.md",
          "examples/README.md": "examples.md", "tests/fuzz/README.md": "fuzzing.md", "data/targets/README.md": "targets-data.md"}
FENCE = re.compile(r"^(```.*?^```$)", re.M | re.S)
LINK = re.compile(r"(\]\()([^)\s]+)(\))")
ITEM = re.compile(r"(?:[-*]|\d+\.) ")
problems = []


def pages():
    """Site's page by file of the repository."""
    found = dict(OTHERS)
    found.update({f"docs/{path.name}": path.name for path in sorted((ROOT / "docs").glob("*.md"))})
    found.update({f"data/rules/{path.name}": f"rules/{path.name}" for path in sorted((ROOT / "data/rules").glob("*.md"))})
    return found


def linked(source, target, place, known, folder):
    """A link of the repository's file `source` as the site's page `place` has it. A file that is no page is copied."""
    name, mark, anchor = target.partition("#")
    if re.match(r"[a-z]+:", target) or not name:
        return target
    file = pathlib.Path(os.path.normpath(ROOT / os.path.dirname(source) / name))
    if not file.is_file() or not file.is_relative_to(ROOT):
        problems.append(f"{source}: '{target}' leads nowhere")
        return target
    inside = file.relative_to(ROOT).as_posix()
    page = known.get(inside)
    if not page:
        page = f"files/{inside}"
        (folder / page).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, folder / page)
    return os.path.relpath(page, os.path.dirname(place) or ".") + mark + anchor


def lists_apart(text):
    """Python's Markdown wants an empty line before a list, and items in items four columns in; GitHub doesn't."""
    lines, was_text = [], False
    for line in text.split("\n"):
        begins = ITEM.match(line)
        if begins and was_text:
            lines.append("")
        nested = re.match(r"( {2,3})((?:[-*]|\d+\.) .*)", line)
        lines.append("    " + nested[2] if nested else line)
        was_text = bool(line.strip()) and not begins and not line.startswith((" ", "|")) if not begins else False
    return "\n".join(lines)


def rules_linked(text, place, known):
    """In the first column of tables a rule's name leads to its page."""
    def cell(found):
        return found[0] if f"data/rules/{found[1]}.md" not in known else f"[`{found[1]}`]({os.path.relpath(f'rules/{found[1]}.md', os.path.dirname(place) or '.')})"

    return re.sub(r"^\| `[^|]*\|", lambda line: re.sub(r"`([a-z-]+)`", cell, line[0]), text, flags=re.M)


def rewritten(source, place, known, folder):
    parts = FENCE.split((ROOT / source).read_text())
    for i in range(0, len(parts), 2):  # the others are code
        text = LINK.sub(lambda m: m[1] + linked(source, m[2], place, known, folder) + m[3], parts[i])
        parts[i] = lists_apart(rules_linked(text, place, known))
    return "".join(parts)


def rule_list(known):
    lines = ["# Rules", "", "What findings are called, in [`waits`](../waits.md), [checked runs](../checks.md) and [diff](../diff.md).", "", "| rule | |", "|---|---|"]
    for source, place in known.items():
        if source.startswith("data/rules/"):
            name, _, title = (ROOT / source).read_text().split("\n", 1)[0].removeprefix("# ").partition(": ")
            lines.append(f"| [`{name}`]({pathlib.PurePath(place).name}) | {title} |")
    return "\n".join(lines) + "\n"


def make_traces(folder, build):
    """Runs docs/traces.md; the names of the pages that its commands wrote, by block."""
    text = (ROOT / "docs/traces.md").read_text()
    (folder / "traces").mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        os.symlink(ROOT / "examples", f"{work}/examples")
        for block in re.findall(r"^```sh\n(.*?)^```$", text, re.M | re.S):
            environment = {**os.environ, "PATH": f"{build / 'bin'}{os.pathsep}{os.environ['PATH']}"}
            done = subprocess.run(["bash", "-c", block], cwd=work, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
            for name in re.findall(r"--html (\S+)", block):
                if not os.path.exists(f"{work}/{name}"):
                    sys.exit(f"stage.py: error: docs/traces.md didn't write {name}:\n{done.stdout}")
                shutil.move(f"{work}/{name}", folder / "traces" / name)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--traces", action="store_true")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    arguments = parser.parse_args()
    folder = arguments.folder / "pages"
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "rules").mkdir(parents=True)
    known = pages()
    if arguments.traces:
        make_traces(folder, arguments.build.resolve())
    for source, place in known.items():
        text = rewritten(source, place, known, folder)
        if source == "docs/traces.md" and arguments.traces:
            text = re.sub(r"(--html (\S+)\n(?:[^`]*\n)?```\n)", r"\1\n[**Open \2**](traces/\2)\n", text)
        (folder / place).write_text(text)
    (folder / "rules/index.md").write_text(rule_list(known))
    for name in ("site.css", "site.js"):
        shutil.copyfile(ROOT / "web/site" / name, folder / name)
    navigation = (ROOT / "web/site/mkdocs.yml").read_text()
    rules = "\n".join(f"          - {place}" for place in ["rules/index.md", *(place for place in known.values() if place.startswith("rules/"))])
    (arguments.folder / "mkdocs.yml").write_text(navigation.replace("- Rules: rules", "- Rules:\n" + rules))
    for place in known.values():
        if f" {place}\n" not in navigation and not place.startswith("rules/"):
            problems.append(f"web/site/mkdocs.yml: the navigation lacks {place}")
    for problem in problems:
        print(problem, file=sys.stderr)
    sys.exit(bool(problems))


if __name__ == "__main__":
    main()
