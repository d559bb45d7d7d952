"""What the scripts of this folder share: commands, kernels made from text, reports."""
import importlib.util
import json
import os
import re
import statistics
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def data(name):
    """A file of data/."""
    with open(os.path.join(ROOT, "data", name)) as file:
        return json.load(file)


def run(command, accepted=(0,), timeout=None):
    """What the command printed. A failure is a RuntimeError with the first error that it tells, or else the last line."""
    done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
    if done.returncode not in accepted:
        lines = (done.stderr.strip() or done.stdout.strip() or "failed").splitlines()
        raise RuntimeError(next((line for line in lines if "error: " in line), lines[-1]))
    return done


def compile(command, text, folder):
    """The code object that a compiler makes of the text: `inflight compile [options]`, or `upstream-compile CHIP`."""
    source, code = os.path.join(folder, "k.mlir"), os.path.join(folder, "k.hsaco")
    with open(source, "w") as file:
        file.write(text)
    run([*command, source, *(["-o"] if "compile" in command else []), code])
    return code


def arguments(specs):
    """A kernel's arguments, as options of `inflight run` and `inflight trace`."""
    return [word for spec in specs for word in ("--arg", spec)]


def device_cycles(done):
    """The device's cycles in a timed run."""
    return int(re.search(r"^device: (\d+) cycles", done.stderr, re.M)[1])


def gemm_generator():
    """The module examples/gemm/generate.py."""
    spec = importlib.util.spec_from_file_location("generate", os.path.join(ROOT, "examples/gemm/generate.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def gemm_variant(generate, name, size):
    """What generate() takes for one of its variants, with M, N and K of `size`."""
    variant = list({each[0]: each for each in generate.VARIANTS}[name])
    variant[6:9] = size, size, size
    return variant


def write_json(path, table):
    """Writes the table if there is a path."""
    if path:
        with open(path, "w") as file:
            json.dump(table, file, indent=1)


def rank_correlation(a, b):
    """How alike two lists order the same things, from -1 to 1; nan for less than three."""
    def ranks(values):
        found = [0.0] * len(values)
        for rank, i in enumerate(sorted(range(len(values)), key=values.__getitem__)):
            found[i] = rank
        return found
    return statistics.correlation(ranks(a), ranks(b)) if len(a) > 2 else float("nan")
