#!/usr/bin/python3
"""Which instructions no test of the machine executes.

    scripts/untested.py BUILD [--write] [--also COMMAND...]

Runs the unit tests of the machine, which know what each instruction must give, and lists the mnemonics of the three chips that the
machine executes and none of them does. Exit status 1 if the list isn't the one in tests/machine/untested.txt, where each has its
reason after a #, or writes that one.
`--also` adds what other tests execute, and prints only: `--also tests/kernels/run.py BUILD/bin/inflight`.
"""
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
KNOWN = os.path.join(HERE, "..", "tests", "machine", "untested.txt")


def supported(build):
    """Mnemonics and the chips that have them."""
    chips = {}
    lines = subprocess.run([os.path.join(build, "bin", "inflight"), "targets", "--coverage"], check=True, capture_output=True, text=True).stdout
    for line in lines.splitlines():
        chip, mnemonic, *state = line.split()
        if state == ["supported"]:
            chips.setdefault(mnemonic, []).append(chip)
    return chips


def executed(commands):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "executed")
        for command in commands:
            subprocess.run(command, check=True, env={**os.environ, "INFLIGHT_EXECUTED": path}, stdout=subprocess.DEVNULL)
        return {line.split()[1] for line in open(path)}


def main():
    build, options = sys.argv[1], sys.argv[2:]
    commands = [[os.path.join(build, "tests", "machine", "machine_test"), "--gtest_brief=1"]]
    if "--also" in options:
        commands.append(options[options.index("--also") + 1:])
    chips, ran = supported(build), executed(commands)
    untested = [f"{mnemonic} {' '.join(chips[mnemonic])}" for mnemonic in sorted(chips) if mnemonic not in ran]
    print(f"{len(chips) - len(untested)} of {len(chips)} mnemonics are executed by tests", file=sys.stderr)
    if "--also" in options:
        print("\n".join(untested))
        return 0
    reasons = dict(line.split(" # ") for line in open(KNOWN).read().splitlines())
    if "--write" in options:
        open(KNOWN, "w").write("".join(f"{line} # {reasons.get(line, 'why?')}\n" for line in untested))
        return 0
    known = list(reasons)
    for line in sorted(set(untested) - set(known)):
        print(f"no test executes {line}")
    for line in sorted(set(known) - set(untested)):
        print(f"a test executes {line}: take it out of tests/machine/untested.txt")
    return int(untested != known)


sys.exit(main())
