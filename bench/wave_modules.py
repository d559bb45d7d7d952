#!/usr/bin/env python3
"""The MLIR modules that Wave's own tests, lit tests and examples hand to IREE's compiler, one file each.

    python3 -m venv venv && venv/bin/pip install wave-lang==3.9.1 torch pytest
    git clone --branch v3.9.1 https://github.com/iree-org/wave
    venv/bin/python bench/wave_modules.py --source wave -o modules [--chip gfx942 --chip gfx950] [--per-test 3] [--jobs 1]

Runs every test of the checkout with a `wave_compile` that stops at MLIR, so no GPU is needed and no kernel runs. Of a parametrised test it
takes --per-test parameter sets, spread evenly. Writes DIR/CHIP/FILE.TEST[PARAMETERS].N.mlir, once for each different text, and
DIR/CHIP/modules.json: for each module its file, test and options; for each test without one why. The text is exactly what Wave passes on.
"""
import argparse
import concurrent.futures
import dataclasses
import hashlib
import json
import os
import re
import runpy
import signal
import subprocess
import sys

CHIPS = ["gfx942", "gfx950"]
SECONDS_FOR_A_TEST = 40  # of processor time
SECONDS_AFTER_A_CALL = 2  # for what a test still compiles after it has called a kernel; references take longer and are of no use
SECONDS_FOR_A_FILE = 3600
FOLDERS = ["tests/kernel", "lit_tests/kernel/wave", "examples/python"]


class NoTime(BaseException):
    """A test has used its time; not an Exception, so that no test catches it."""


class Kernel:
    """What `wave_compile` returns here: its text, and calls that do nothing."""

    def __init__(self, asm):
        self.asm = asm

    def __call__(self, *args, **kwargs):
        signal.setitimer(signal.ITIMER_PROF, SECONDS_AFTER_A_CALL)


class Recorder:
    """Writes each module that is compiled while `test` runs."""

    def __init__(self, chip, folder, source):
        self.chip, self.folder, self.source = chip, folder, source
        self.test, self.count, self.modules, self.failures = "", 0, [], {}

    def begin(self, test):
        self.test, self.count = test, 0

    def fail(self, reason):
        if self.count == 0:
            self.failures[self.test] = reason[-300:]

    def write(self, options, asm):
        name = re.sub(r"[^\w.\[\]=-]+", "_", self.test)[:150]
        path = os.path.join(self.folder, f"{self.source}.{name}.{self.count}.mlir")
        self.count += 1
        with open(path, "w") as file:
            file.write(asm)
        self.modules.append({"file": os.path.basename(path), "test": self.test, "target": options.target,
                             "sha256": hashlib.sha256(asm.encode()).hexdigest()})

    def compile_with(self, wave_compile):
        def compile_to_mlir(options, kernel, schedule=None, **kwargs):
            if not options.target.startswith("gfx9") and options.target != "cpu":
                raise ValueError(f"for {options.target}")
            if options.target == "gfx950" and self.chip != "gfx950":
                raise ValueError("for gfx950 only")
            options = dataclasses.replace(options, target=self.chip, compile_to_mlir=True, compile_to_asm=False, backend="llvm",
                                          print_mlir=False, override_mlir=None, wave_runtime=False)
            signal.setitimer(signal.ITIMER_PROF, SECONDS_FOR_A_TEST)
            extra = [] if schedule is None else [schedule]
            compiled = wave_compile(options, kernel, *extra, **kwargs)
            self.write(options, compiled.asm)
            return Kernel(compiled.asm)
        return compile_to_mlir


def limited(function):
    """Runs a test within its time. Returns why it stopped, if it did."""
    def stop(*_):
        raise NoTime()
    signal.signal(signal.SIGPROF, stop)
    signal.setitimer(signal.ITIMER_PROF, SECONDS_FOR_A_TEST)
    try:
        function()
    except NoTime:
        return "took too long"
    except (Exception, SystemExit) as error:
        return f"{type(error).__name__}: {error}"
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
    return ""


def keep_tensors_on_host():
    """Tests that ask for tensors on the GPU get them on the host."""
    import torch
    from torch.overrides import TorchFunctionMode

    class OnHost(TorchFunctionMode):
        def __torch_function__(self, func, types, args=(), kwargs=None):
            kwargs = dict(kwargs or {})
            if str(kwargs.get("device", "")).startswith("cuda"):
                kwargs["device"] = "cpu"
            args = tuple("cpu" if isinstance(a, str) and a.startswith("cuda") else a for a in args)
            return func(*args, **kwargs)
    OnHost().__enter__()
    torch.Tensor.cuda = lambda self, *args, **kwargs: self
    torch.cuda.synchronize = lambda *args: None


def install(recorder):
    import wave_lang.kernel.wave.cache as cache
    import wave_lang.kernel.wave.compile as compile_module
    cache.WAVE_CACHE_ON = 0
    original = compile_module.wave_compile
    replacement = recorder.compile_with(original)
    for module in list(sys.modules.values()):
        if getattr(module, "wave_compile", None) is original:
            module.wave_compile = replacement


class Selection:
    """A pytest plugin: some parameter sets of each test, each run within its time."""

    def __init__(self, recorder, per_test):
        self.recorder, self.per_test = recorder, per_test

    def pytest_collection_modifyitems(self, items):
        """Before the checkout's own hook of that name, which skips what these marks say."""
        groups = {}
        for item in items:
            for marker in ("perf_only", "require_e2e", "expensive_test"):
                item.own_markers = [m for m in item.own_markers if m.name != marker]
            groups.setdefault((getattr(item, "cls", None), getattr(item, "originalname", item.name)), []).append(item)
        chosen = []
        for group in groups.values():
            # Tests of other chips are skipped anyway and must not use up a test's share.
            group = [i for i in group if not any(m.name == "skip" or m.name == "skipif" and m.args and m.args[0] is True
                                                 for m in i.iter_markers())] or group[:1]
            step = max(1, len(group) / self.per_test)
            chosen += [group[int(i * step)] for i in range(min(self.per_test, len(group)))]
        items[:] = chosen

    def pytest_pyfunc_call(self, pyfuncitem):
        self.recorder.begin(pyfuncitem.name)
        arguments = {name: pyfuncitem.funcargs[name] for name in pyfuncitem._fixtureinfo.argnames}
        self.recorder.fail(limited(lambda: pyfuncitem.obj(**arguments)))
        return True

    def pytest_runtest_logreport(self, report):
        if report.skipped or report.failed and report.when != "call":
            self.recorder.begin(report.nodeid.split("::")[-1])
            self.recorder.fail(str(report.longrepr))


def run_tests(path, recorder, per_test):
    import pytest
    Selection.pytest_collection_modifyitems = pytest.hookimpl(tryfirst=True)(Selection.pytest_collection_modifyitems)
    pytest.main(["-q", "-p", "no:cacheprovider", path], plugins=[Selection(recorder, per_test)])
    recorder.test = ""


def run_lit_test(path, recorder):
    """A lit test of Wave is a script whose functions run as they are defined."""
    import wave_lang.kernel.wave.utils.general_utils as general

    def run_test(function):
        recorder.begin(function.__name__)
        recorder.fail(limited(function))
        return function
    general.run_test = run_test
    runpy.run_path(path, run_name="lit_test")


def run_example(path, recorder):
    sys.argv = [path]
    sys.path.insert(0, os.path.dirname(path))
    functions = runpy.run_path(path, run_name="example")
    for name, function in functions.items():
        if callable(function) and (name.startswith("test_") or name.endswith("_test")) and name != "run_test":
            recorder.begin(name)
            recorder.fail(limited(function))


def run_file(args):
    """The modules of one file of Wave, in a process of its own."""
    chip, path = args.chip[0], os.path.abspath(args.file)
    relative = os.path.relpath(path, args.source)
    recorder = Recorder(chip, os.path.abspath(args.output), re.sub(r"\.py$", "", relative).replace("/", "-"))
    os.chdir(args.source)
    sys.path.insert(0, os.path.abspath(args.source))
    keep_tensors_on_host()
    install(recorder)
    recorder.begin("whole file")
    try:
        if relative.startswith("tests"):
            run_tests(path, recorder, args.per_test)
        elif relative.startswith("lit_tests"):
            run_lit_test(path, recorder)
        else:
            run_example(path, recorder)
    except (Exception, SystemExit) as error:
        recorder.failures[recorder.test] = f"{type(error).__name__}: {error}"[-300:]
    with open(args.report, "w") as file:
        json.dump({"modules": recorder.modules, "failures": {f"{relative}::{k}": v for k, v in recorder.failures.items()}}, file)


def start(args, chip, path):
    folder = os.path.join(args.output, chip)
    report = os.path.join(folder, re.sub(r"\W", "_", path) + ".report")
    command = [sys.executable, os.path.abspath(__file__), "--source", args.source, "-o", folder, "--chip", chip, "--per-test",
               str(args.per_test), "--file", path, "--report", report]
    environment = dict(os.environ, WAVE_DEFAULT_ARCH=chip, WAVE_CACHE_ON="0", CUDA_VISIBLE_DEVICES="", OMP_NUM_THREADS="1")
    try:
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=SECONDS_FOR_A_FILE, check=False)
        reason = done.stderr[-300:]
    except subprocess.TimeoutExpired:
        reason = "took too long"
    if not os.path.exists(report):
        return {"modules": [], "failures": {path: reason}}
    with open(report) as file:
        result = json.load(file)
    os.remove(report)
    return result


def run_chip(args, chip):
    folder = os.path.join(args.output, chip)
    os.makedirs(folder, exist_ok=True)
    files = [os.path.join(root, name) for top in FOLDERS for root, _, names in os.walk(os.path.join(args.source, top))
             for name in sorted(names) if name.endswith(".py")]
    files = [f for f in files if "wave_compile" in open(f).read()]
    seen, modules, failures = set(), [], {}
    with concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        for result in pool.map(lambda f: start(args, chip, f), files):
            failures.update(result["failures"])
            for module in result["modules"]:
                if module["sha256"] in seen:
                    os.remove(os.path.join(folder, module["file"]))
                    continue
                seen.add(module["sha256"])
                modules.append(module)
    with open(os.path.join(folder, "modules.json"), "w") as file:
        json.dump({"modules": modules, "failures": failures}, file, indent=1)
    print(f"{chip}: {len(modules)} different modules of {len(files)} files; {len(failures)} tests without one")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--source", required=True, help="a checkout of github.com/iree-org/wave at the tag of the installed wave-lang")
    parser.add_argument("-o", "--output", required=True, help="the folder that gets a folder for each chip")
    parser.add_argument("--chip", action="append", help="gfx942 or gfx950; both by default")
    parser.add_argument("--per-test", type=int, default=3, help="parameter sets of one test (3)")
    parser.add_argument("--jobs", type=int, default=1, help="files at a time (1)")
    parser.add_argument("--file", help=argparse.SUPPRESS)
    parser.add_argument("--report", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.report:
        args.report = os.path.abspath(args.report)
    args.source, args.output = os.path.abspath(args.source), os.path.abspath(args.output)
    if args.file:
        return run_file(args)
    for chip in args.chip or CHIPS:
        run_chip(args, chip)


if __name__ == "__main__":
    main()
