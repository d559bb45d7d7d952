#!/usr/bin/env python3
"""Whole releases through `inflight scan`: does every file end, how fast, in how much memory, and what is undecided.

    bench/releases.py INFLIGHT [--keep STORE] [--jobs N] [SOURCE...]

A SOURCE is a folder, a file, `pypi:NAME[==VERSION]` or `deb:NAME` (of Debian sid): packages are fetched (pip, apt-get), one at a
time, scanned as they are, and deleted. Without any those in RELEASES are. Prints a row for each: programs, millions of bytes of code
that were looked at, processor seconds, millions of bytes a second of one core, the most memory of a process, programs that are
undecided, analysis limits and unusable files, and findings by rule. `--keep` adds them to a store, from which an interrupted run goes on.
"""
import argparse
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile

RELEASES = ("deb:libhipblaslt1", "deb:librocblas4", "deb:librccl1", "deb:librocsparse1", "deb:librocfft0", "deb:libmiopen1", "pypi:onnxruntime-rocm",
            "pypi:cupy-rocm-7-0", "pypi:bitsandbytes", "pypi:jax-rocm7-plugin", "pypi:amd-aiter")
SID = "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian sid main\n"


def fetch_deb(name, folder):
    """With lists of its own: the machine's stay as they are."""
    state = os.path.join(folder, "apt")
    for part in ("lists/partial", "cache/archives/partial", "sources"):
        os.makedirs(os.path.join(state, part))
    with open(os.path.join(state, "sid.list"), "w") as out:
        out.write(SID)
    options = [f"-oDir::Etc::sourcelist={state}/sid.list", f"-oDir::Etc::sourceparts={state}/sources", f"-oDir::State::lists={state}/lists",
               f"-oDir::Cache={state}/cache", "-oAPT::Sandbox::User=root"]
    subprocess.run(["apt-get", *options, "-q", "update"], check=True, stdout=subprocess.DEVNULL)
    subprocess.run(["apt-get", *options, "-q", "download", name], check=True, stdout=subprocess.DEVNULL, cwd=folder)
    shutil.rmtree(state)


def fetch(source, folder):
    """The path to scan."""
    kind, _, name = source.partition(":")
    if kind == "pypi":
        subprocess.run([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:", "-d", folder, name], check=True)
    elif kind == "deb":
        fetch_deb(name, folder)
    else:
        return source
    return folder


def children():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def scan(options, path, store):
    before = children()
    said = subprocess.run([options.inflight, "scan", path, f"--store={store}", f"--jobs={options.jobs}", "--format=json"], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)
    seconds = children() - before
    try:
        return json.loads(said.stdout), seconds
    except ValueError:
        raise RuntimeError(said.stderr.strip() or f"status {said.returncode}") from None


def row(source, report, seconds, store):
    base = sqlite3.connect(store)
    mine = "FROM programs p WHERE p.content IN (SELECT content FROM files WHERE scan=?)"
    one = lambda text: base.execute(text, (report["scan"],)).fetchone()[0] or 0
    programs = one(f"SELECT count(*) {mine} AND p.error IS NULL")
    looked_at = one(f"SELECT sum(code_bytes) {mine} AND p.twin IS NULL") / 1e6
    undecided = one(f"SELECT count(*) {mine} AND coalesce(p.twin, p.id) IN (SELECT program FROM counts WHERE rule='undecided')")
    limits = base.execute("SELECT count(DISTINCT n.program) FROM findings n JOIN programs p ON p.id=n.program WHERE n.message LIKE 'analysis limit%' "
                          "AND p.content IN (SELECT content FROM files WHERE scan=?)", (report["scan"],)).fetchone()[0]
    findings = ", ".join(f"{rule} {number}" for rule, number in report["total"]["findings"].items()) or "none"
    return (f"| {source} | {report['total']['files']} | {programs} | {looked_at:.1f} | {seconds:.0f} | {looked_at / max(seconds, 0.01):.2f} "
            f"| {one(f'SELECT max(peak_bytes) {mine}') / 1e6:.0f} | {undecided} ({100 * undecided / max(1, programs):.1f} %) | {limits} "
            f"| {len(report['errors'])} | {findings} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inflight")
    parser.add_argument("--keep", metavar="STORE")
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("sources", nargs="*", default=RELEASES)
    options = parser.parse_intermixed_args()
    print("| release | files | programs | MB of code | s | MB/s | MB of memory | undecided | limits | unusable | findings |\n"
          "|---|---|---|---|---|---|---|---|---|---|---|", flush=True)
    status = 0
    for source in options.sources:
        with tempfile.TemporaryDirectory(prefix="releases-") as folder:
            try:
                packages = os.path.join(folder, "packages")
                os.mkdir(packages)
                store = options.keep or os.path.join(folder, "store.db")
                report, seconds = scan(options, fetch(source, packages), store)
                print(row(source, report, seconds, store), flush=True)
            except (OSError, RuntimeError, subprocess.CalledProcessError) as error:
                print(f"| {source} | {error} |", flush=True)
                status = 1
    sys.exit(status)


if __name__ == "__main__":
    main()
