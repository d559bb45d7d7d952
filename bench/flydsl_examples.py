#!/usr/bin/env python3
"""FlyDSL's examples, unmodified, without a GPU, plain and with all checks.

    bench/flydsl_examples.py INFLIGHT ROCM PYTHON CHECKOUT [--chip CHIP]

ROCM is a folder of `inflight sdk` (FlyDSL links with its ld.lld), PYTHON has flydsl and numpy, CHECKOUT is github.com/ROCm/FlyDSL, not part of
this repository. torch is bench/flydsl's. An example is right if it says so; checks have to find nothing. The exit status is 1 if one
isn't.
"""
import argparse
import glob
import os
import re
import subprocess
import sys
import tempfile
import time

RIGHT = re.compile(r"PASS|Result correct: True")


def main():
    parser = argparse.ArgumentParser()
    for name in ("inflight", "rocm", "python", "checkout"):
        parser.add_argument(name, type=os.path.abspath)
    parser.add_argument("--chip", default="gfx942")
    options = parser.parse_args()
    standIn = os.path.join(os.path.dirname(os.path.abspath(__file__)), "flydsl")
    paths = [standIn, options.checkout, os.environ.get("PYTHONPATH", "")]
    failed = 0
    with tempfile.TemporaryDirectory(prefix="flydsl-") as cache:
        environment = {**os.environ, "PYTHONPATH": ":".join(paths), "ROCM_PATH": options.rocm, "ARCH": options.chip,
                       "FLYDSL_CACHE_DIR": cache}
        files = [*glob.glob(options.checkout + "/examples/0*.py"), *glob.glob(options.checkout + "/examples/extension/*/0*.py")]
        for path in sorted(files):
            results = []
            for checks in ([], ["--check=all"]):
                start = time.time()
                run = subprocess.run([options.inflight, "exec", "--device=" + options.chip, *checks, "--", options.python, path],
                                     env=environment, capture_output=True, text=True, cwd=cache)
                text = run.stdout + run.stderr
                isRight = run.returncode == 0 and RIGHT.search(text)
                kind = "checked" if checks else "plain"
                results.append(f"{kind} {time.time() - start:.1f} s" if isRight else f"{kind}: {text.strip()[-160:]!r}")
            isFine = not any(":" in result for result in results)
            failed += not isFine
            print(f"{'right' if isFine else 'WRONG':6} {os.path.relpath(path, options.checkout):44} {'; '.join(results)}", flush=True)
    return 1 if failed else 0


sys.exit(main())
