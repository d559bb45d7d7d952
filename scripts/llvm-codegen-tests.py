#!/usr/bin/env python3
"""LLVM's own tests of its code generator as input of the compiler: each is compiled or refused by name; none crashes or hangs.

    llvm-codegen-tests.py INFLIGHT FOLDER [--chip gfx942]... [--every N] [--by-kernel] [--seconds S] [--list]

FOLDER is llvm/test/CodeGen/AMDGPU of LLVM's sources, which aren't part of this repository: Debian's `apt-get source llvm-toolchain-22` has
them. A file is refused for its first kernel that isn't supported; --by-kernel takes each kernel alone (llvm-extract-22). Prints what files
are refused for, the most frequent first, and with --list the files. The exit status is 1 after a crash, a hang, or an error that says nothing.
"""
import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

CHIPS = ("gfx90a", "gfx942", "gfx950")
SAYS_WHY = re.compile(r"error: (.+)")


def kernels(text):
    return re.findall(r"^define [^@]*\bamdgpu_kernel\b[^@]*@(\"[^\"]+\"|[\w.$]+)\(", text, re.M)


def pieces(path, folder, by_kernel):
    """Names and files to compile."""
    text = path.read_text(errors="replace")
    names = kernels(text)
    if not names:
        return
    if not by_kernel:
        yield path.name, path
        return
    for name in names:
        part = pathlib.Path(folder, "part.ll")
        extract = ["llvm-extract-22", "-S", "--recursive", "--func=" + name.strip('"'), path, "-o", part]
        # With all variables, if there are any, and what it calls.
        if any(subprocess.run(extract + more, capture_output=True).returncode == 0 for more in (["--rglob=.*"], [])):
            yield f"{path.name}:{name}", part


def outcome(inflight, path, chip, seconds):
    """A kind, and what was said."""
    try:
        done = subprocess.run([inflight, "compile", "-mcpu=" + chip, path, "-o", "/dev/null"], capture_output=True, text=True, errors="replace", timeout=seconds)
    except subprocess.TimeoutExpired:
        return "HANG", f"more than {seconds} s"
    if done.returncode == 0:
        return "compiled", ""
    said = SAYS_WHY.search(done.stderr)
    if done.returncode != 1:
        return "CRASH", f"status {done.returncode}: {(done.stderr.splitlines() or [''])[0][:200]}"
    return ("refused", said[1]) if said else ("SILENT", done.stderr[:200])


def reason(said):
    """Without what differs from file to file: names, types, numbers."""
    return re.sub(r"\d+", "N", re.sub(r"^\S+ wants", "kernel wants", said))[:110]


def parser_of(text):
    """With what every script on these files takes."""
    parser = argparse.ArgumentParser(description=text, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inflight")
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--chip", action="append", choices=CHIPS)
    parser.add_argument("--every", type=int, default=1, help="one file of so many")
    parser.add_argument("--list", action="store_true", help="what becomes of each")
    return parser


def judged(options, files, chips, by_kernel, judge):
    """What `judge(part, chip, folder)` says of each piece, a kind and why; kinds in capitals are always printed."""
    with tempfile.TemporaryDirectory() as folder:
        for path in files:
            for name, part in pieces(path, folder, by_kernel):
                for chip in chips:
                    kind, said = judge(part, chip, folder)
                    if options.list or kind.isupper():
                        print(f"{kind} {chip} {name} {said}".rstrip(), flush=True)
                    yield kind, said


def print_kinds(kinds):
    print(", ".join(f"{count} {kind}" for kind, count in kinds.most_common()))


def main():
    parser = parser_of(__doc__)
    parser.add_argument("--by-kernel", action="store_true")
    parser.add_argument("--seconds", type=int, default=20, help="after so many a compilation counts as a hang")
    options = parser.parse_args()
    files = sorted(options.folder.rglob("*.ll"))[::options.every]
    if not files:
        parser.error(f"no .ll in {options.folder}")
    kinds, reasons = collections.Counter(), collections.Counter()
    for kind, said in judged(options, files, options.chip or CHIPS, options.by_kernel,
                             lambda part, chip, _: outcome(options.inflight, part, chip, options.seconds)):
        kinds[kind] += 1
        if kind == "refused":
            reasons[reason(said)] += 1
    for text, count in reasons.most_common(None if options.list else 40):
        print(f"{count:5} {text}")
    print_kinds(kinds)
    return 1 if kinds["CRASH"] + kinds["HANG"] + kinds["SILENT"] else 0


if __name__ == "__main__":
    sys.exit(main())
