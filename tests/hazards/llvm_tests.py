#!/usr/bin/env python3
"""What llc compiles of LLVM's own tests for chips whose hazards certain instructions end: what is missing, and whether
what is inserted after all that ends hazards was taken out leaves nothing missing.

    llvm_tests.py HAZARD_SCAN LLVM/llvm/test/CodeGen/AMDGPU CHIP...

Tests that name the chip or its generation are compiled to objects, which are scanned, and to assembly, which is stripped,
inserted and scanned again. Prints the findings and sums them up; status 1 when inserting left something."""
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

scan, tests, chips = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3:]


def run(*command):
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=60)
        return done.returncode, done.stdout
    except subprocess.TimeoutExpired:
        return None, ""


def sizes(chip):
    return [None] if chip == "gfx1250" else [None, "+wavefrontsize64,-wavefrontsize32"]


def compile_test(test, chip, size, kind, out):
    options = [f"-mattr={size}"] if size else []
    status, _ = run("llc-22", "-mtriple=amdgcn-amd-amdhsa", f"-mcpu={chip}", f"-filetype={kind}", *options, str(test), "-o", str(out))
    return status == 0


failed = False
with tempfile.TemporaryDirectory() as folder:
    for chip in chips:
        found, files, kept = collections.Counter(), 0, 0
        named = re.compile(chip if chip == "gfx1250" else chip[:5])
        for test in sorted(tests.glob("*.ll")):
            if not named.search(test.read_text(errors="ignore")):
                continue
            for size in sizes(chip):
                object_file, text = pathlib.Path(folder) / "k.o", pathlib.Path(folder) / "k.s"
                if not compile_test(test, chip, size, "obj", object_file) or not compile_test(test, chip, size, "asm", text):
                    continue
                files += 1
                _, report = run(scan, chip, str(object_file))
                for rule in re.findall(r"needed: (.*)", report):
                    found[rule] += 1
                    if "," not in rule:
                        print(f"{chip}: {test.name}: {rule}")
                # Inline assembly may hold what can't be edited.
                if run(scan, "--rewrite", chip, str(text))[0] != 0:
                    kept += 1
                    continue
                _, report = run(scan, chip, str(text))
                left = [rule for rule in re.findall(r"needed: (.*)", report) if "undecided" not in rule]
                if left:
                    failed = True
                    print(f"{chip}: {test.name}: inserted, and still {left}")
        print(f"{chip}: {files} files, {kept} of them not edited; {dict(found)}")
sys.exit(failed)
