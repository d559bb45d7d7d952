"""Every rule of the program has a page in data/rules, whose wrong example its commands find and whose right one they don't; every page is a rule's.

    rules.py FOLDER      the commands run there; `inflight` is on PATH"""
import pathlib
import re
import subprocess
import sys

PAGES = pathlib.Path(__file__).resolve().parents[4] / "data/rules"
# Examples are as short as they can be: some have no result.
NOTHING_STORED = re.compile(r"^inflight: warning: kernel 'k': nothing was stored to global memory.*\n", re.M)
folder = pathlib.Path(sys.argv[1])
errors = []


def run(command):
    done = subprocess.run(command, shell=True, cwd=folder, capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def check(rule):
    status, page = run(f"inflight explain {rule}")
    if status or page != (PAGES / f"{rule}.md").read_text():
        return errors.append(f"{rule}: no page, or another one: {page}")
    if not re.fullmatch(rf"# {rule}: \S.*\n\n.+\n\n## Wrong\n```asm\n.+```\n\n## Right\n```asm\n.+```\n\n## Found by\n```sh\n.+```\n", page, re.S):
        return errors.append(f"{rule}: not of a page's form")
    commands = re.search(r"```sh\n(.*?)```", page, re.S)[1].splitlines()
    named = re.compile(rf"(?:\[-W|\[|title=){rule}(?![\w-])")
    for which, is_found in (("wrong", True), ("right", False)):
        status, text = run(" && ".join(commands[:-1]).replace("--example=wrong", f"--example={which}"))
        assert status == 0, text
        status, text = run(commands[-1])
        text = NOTHING_STORED.sub("", text)
        if bool(named.search(text)) != is_found or not is_found and (status or text):
            errors.append(f"{rule}: the {which} example: status {status}: {text}")


listed = [line.split()[0] for line in run("inflight explain")[1].splitlines()]
pages = sorted(path.stem for path in PAGES.glob("*.md"))
if listed != pages:
    errors.append(f"rules without a page: {set(listed) - set(pages)}; pages of no rule: {set(pages) - set(listed)}")
for rule in listed:
    check(rule)
print("\n".join(errors) or f"{len(listed)} rules")
sys.exit(bool(errors))
