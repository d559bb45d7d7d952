#!/usr/bin/env python3
"""What Inflight writes for everything there is, kept to hold a change of the code against.

    scripts/snapshot.py INFLIGHT DIR [--verbs compile] [--random N] [--jobs N]
    scripts/snapshot.py --compare DIR OTHER

The first form fills DIR: one JSON file a verb, from a run's name to what it gave (exit code, messages, a hash of each
file). The second lists the runs that differ and exits with 1 if there are any. DIR/VERB/ keeps the texts to look at.
A verb is a function that yields runs; see VERBS.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CHIPS = ["gfx90a", "gfx942", "gfx950"]


def sha(data):
    return hashlib.sha256(data).hexdigest()


def random_kernels(count, directory):
    """Sources of tests/random/kernels.py."""
    sys.path.insert(0, str(ROOT / "tests/random"))
    import kernels
    for seed in range(count):
        path = Path(directory) / f"random-{seed}.mlir"
        if not path.exists():
            generator = kernels.Generator(seed)
            path.write_text(generator.kernel()[0])
        yield path


def mlir_sources(arguments, scratch):
    """Each MLIR file of the examples and tests, by name; files that aren't kernels fail, which is an output too."""
    for folder in ("examples", "tests", "demo", "probes"):
        for path in sorted((ROOT / folder).rglob("*.mlir")):
            yield str(path.relative_to(ROOT)), path
    for path in random_kernels(arguments.random, scratch):
        yield path.stem, path


def compile_runs(arguments, scratch):
    """(name, function) of each compilation: messages, assembly and code object."""
    options = {"": [], " no-schedule": ["--no-schedule"], " min-waves": ["--min-waves=4"]}
    for name, path in mlir_sources(arguments, scratch):
        for chip in CHIPS:
            for suffix, extra in options.items():
                if extra and name.startswith("random-") and int(name.split("-")[1]) % 4:
                    continue
                yield f"{name} {chip}{suffix}", lambda p=path, c=chip, e=extra: compile_one(arguments, p, c, e)


def compile_one(arguments, path, chip, extra):
    with tempfile.TemporaryDirectory() as directory:
        output = Path(directory) / "out.hsaco"
        command = [arguments.inflight, "compile", f"-mcpu={chip}", *extra, f"--save-temps={directory}", str(path), "-o", str(output)]
        try:
            done = subprocess.run(command, capture_output=True, cwd=ROOT, timeout=120)
        except subprocess.TimeoutExpired:
            return {"exit": "timeout"}, {}
        result = {"exit": done.returncode, "messages": done.stderr.decode().replace(directory, "").replace(str(path.parent), "")}
        texts = {}
        assembly = Path(directory) / (path.stem + ".s")
        if assembly.exists():
            texts["s"] = assembly.read_bytes()
            result["s"] = sha(texts["s"])
        if output.exists():
            result["hsaco"] = sha(output.read_bytes())
        return result, texts


VERBS = {"compile": compile_runs}


def record(arguments):
    scratch = tempfile.mkdtemp()
    for verb in arguments.verbs.split(","):
        folder = Path(arguments.directory) / verb
        folder.mkdir(parents=True, exist_ok=True)
        results = {}
        with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
            futures = {name: pool.submit(run) for name, run in VERBS[verb](arguments, scratch)}
            for name, future in futures.items():
                results[name], texts = future.result()
                for kind, text in texts.items():
                    (folder / f"{name.replace('/', '.').replace(' ', '.')}.{kind}").write_bytes(text)
        (Path(arguments.directory) / f"{verb}.json").write_text(json.dumps(results, indent=0, sort_keys=True))
        print(f"{verb}: {len(results)} runs")


def compare(arguments):
    """Lists runs whose outputs differ. `--ignore s` compares code objects alone."""
    different = 0
    ignored = set(arguments.ignore.split(","))
    for path in sorted(Path(arguments.compare).glob("*.json")):
        other = Path(arguments.directory) / path.name
        if not other.exists():
            continue
        before, after = json.loads(path.read_text()), json.loads(other.read_text())
        for name in sorted(set(before) | set(after)):
            a, b = before.get(name), after.get(name)
            if a is None or b is None:
                if not arguments.subset:
                    print(f"{path.stem}: {name}: only in {'the second' if a is None else 'the first'}")
                    different += 1
                continue
            keys = [key for key in sorted(set(a) | set(b)) if key not in ignored and a.get(key) != b.get(key)]
            if keys:
                print(f"{path.stem}: {name}: {', '.join(keys)}")
                different += 1
        print(f"{path.stem}: {len(set(before) & set(after))} runs compared")
    print(f"{different} differ")
    return different != 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inflight", nargs="?")
    parser.add_argument("directory")
    parser.add_argument("--compare", metavar="DIR", help="an earlier snapshot")
    parser.add_argument("--ignore", default="", help="outputs not to compare, such as s,messages")
    parser.add_argument("--subset", action="store_true", help="a run in one of the two alone is no difference")
    parser.add_argument("--verbs", default=",".join(VERBS))
    parser.add_argument("--random", type=int, default=200, help="random kernels (default: 200)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    arguments = parser.parse_args()
    if arguments.compare:
        sys.exit(compare(arguments))
    if not arguments.inflight:
        parser.error("INFLIGHT is missing")
    arguments.inflight = os.path.abspath(arguments.inflight)
    record(arguments)


if __name__ == "__main__":
    main()
