#!/usr/bin/env python3
"""Has Triton's own compiler compile its tutorials and its Gluon examples for chips that nobody has to have: nothing is launched.

    python scripts/triton-compile-only.py TRITON OUT [--chip gfx1250]... [--most N] [--verify build/bin/inflight] [NAME ...]

TRITON is a clone of github.com/triton-lang/triton of the version that is installed, OUT a folder: OUT/CHIP is Triton's cache of
the chip. NAME is a part of a file's name. Needs torch, triton, tabulate and pytest. Tensors of the device "cuda" have no data (torch's
device "meta"), launches do nothing, and of each test the first N sets of parameters are taken, of each autotuned kernel the first N
configurations. So programs fail where they look at results, after their kernels are there.

With --verify each code object that came out is verified, hazards too, and what is found is printed; the exit status is 1 if anything is.
"""
import argparse
import collections
import json
import os
import pathlib
import subprocess
import sys
import time

CHIPS = ("gfx1250", "gfx1201", "gfx1200", "gfx1151", "gfx1100")
TUTORIALS = "python/tutorials"
GLUON = "third_party/amd/python/examples/gluon"
TESTS = "third_party/amd/python/test"

# Of each tutorial: what is replaced, the text at which it ends ("" for nowhere), and what is run then.
PLAIN = {
    "01-vector-add.py": ([], "@triton.testing.perf_report", ""),
    "02-fused-softmax.py": ([], "@triton.testing.perf_report", ""),
    "03-matrix-multiplication.py": ([], "ref_lib =", "matmul(a, b, activation='leaky_relu')"),
    "04-low-memory-dropout.py": ([], "", ""),
    "05-layer-norm.py": ([("bench_layer_norm.run(save_path='.', print_data=True)", "")], "", ""),
    "06-fused-attention.py": ([], "# vary seq length", """for provider, mode in ("triton-fp16", "fwd"), ("triton-fp16", "bwd"), ("triton-fp8", "fwd"):
    for causal in (False, True):
        # One of the modes is skipped where the other runs its kernels, too.
        skip, pytest.skip = pytest.skip, lambda why: None
        attempt(lambda: test_op(1, 2, 1024, 64, causal, False, mode, provider))
        pytest.skip = skip"""),
    "07-extern-functions.py": ([("assert x.is_cuda and output_triton.is_cuda", "")], "#  Customize the libdevice library path", ""),
    "08-grouped-gemm.py": ([], "# only launch the kernel", ""),
    # hipBLASLt is what it compares speeds with.
    "09-persistent-matmul.py": ([("amd.hipblas.HipblasLt(device_workspace)", "None")], 'if __name__ == "__main__"', """
a, b = (torch.empty((1024, 1024), device="cuda", dtype=torch.float16) for _ in range(2))
for name in "matmul", "matmul_persistent", "matmul_descriptor_persistent":
    attempt(lambda: globals()[name](a, b))
for name in "matmul_tma", "matmul_tma_persistent":
    attempt(lambda: globals()[name](a, b, False))"""),
    "10-block-scaled-matmul.py": ([], 'if __name__ == "__main__"', """
for format in "mxfp4", "mxfp8", "mixed":
    attempt(lambda: validate_block_scaled_amd(1024, 1024, 1024, block_scale_type=format))"""),
}


def no_data():
    """torch's device "cuda" is "meta" from here on."""
    import torch
    from torch.overrides import TorchFunctionMode

    def moved(value):
        name = str(value) if isinstance(value, (str, torch.device)) else ""
        return torch.device("meta") if name.split(":")[0] == "cuda" else value

    class Mode(TorchFunctionMode):
        def __torch_function__(self, function, types, arguments=(), named=None):
            named = {key: moved(value) for key, value in (named or {}).items() if key != "generator"}
            if getattr(function, "__name__", "") == "cuda":
                return arguments[0].to("meta")
            return function(*map(moved, arguments), **named)

    Mode().__enter__()
    torch.cuda.get_device_properties = lambda device=None: type("Properties", (), {"multi_processor_count": 64})()
    torch.cuda.get_device_capability = lambda device=None: (9, 0)
    torch.cuda.is_available = lambda: True
    torch.cuda.synchronize = lambda device=None: None
    return torch


def install(chip, most, compiled):
    """Triton's driver of a device of `chip` that does nothing."""
    import triton
    from triton.backends.compiler import GPUTarget
    from triton.backends.driver import DriverBase
    from triton.runtime import driver

    torch = no_data()
    # What LDS a compiler may take: data/targets.
    data = pathlib.Path(__file__).resolve().parent.parent / "data" / "targets" / f"{chip}.json"
    lds = json.loads(data.read_text())["lds_bytes"]["value"]

    class Utils:
        def get_device_properties(self, device):
            return {"max_shared_mem": lds, "max_num_regs": 65536, "multiprocessor_count": 64, "warpSize": 32, "sm_clock_rate": 1,
                    "mem_clock_rate": 1, "mem_bus_width": 1, "arch": chip, "max_threads_per_sm": 2048, "cooperativeLaunch": 1}

        def load_binary(self, name, image, shared, device):
            compiled.append(name)
            return None, None, 0, 0, 1024

        def unload_module(self, module):
            pass

    class Driver(DriverBase):
        launcher_cls = staticmethod(lambda source, metadata: lambda *arguments: None)
        utils = Utils()
        binary_ext = "hsaco"
        is_active = classmethod(lambda cls: True)
        map_python_to_cpp_type = lambda self, kind: "void*" if kind.startswith("*") else kind
        get_current_target = lambda self: GPUTarget("hip", chip, 32)
        get_current_device = lambda self: 0
        set_current_device = lambda self, device: None
        get_current_stream = lambda self, device=None: 0
        get_device_capability = lambda self, device=None: (9, 0)
        get_active_torch_device = lambda self: torch.device("meta")
        get_device_interface = lambda self: torch.cuda
        get_empty_cache_for_benchmark = lambda self: None
        clear_cache = lambda self, cache: None

        def __init__(self):
            pass

        def get_benchmarker(self):
            def once(call, quantiles=None, **rest):
                call()
                return [1.0] * len(quantiles or [0])
            return once

    driver.set_active(Driver())
    autotune = triton.autotune
    triton.autotune = lambda configs, *rest, **named: autotune(configs[:most], *rest, **named)
    triton.testing.do_bench = lambda call, *rest, **named: call() and 1.0
    return torch


def attempt(call):
    """What fails because there are no results has compiled what it runs before."""
    try:
        call()
    except (Exception, SystemExit) as error:
        print(f"after compiling: {type(error).__name__}: {str(error).splitlines()[:1]}")


def run_tutorial(path, torch):
    replaced, mark, then = PLAIN[path.name]
    source = path.read_text()
    for old, new in replaced:
        if old not in source:
            sys.exit(f"{path.name}: this version has no '{old}'")
        source = source.replace(old, new)
    names = {"__name__": "tutorial", "__file__": str(path), "attempt": attempt}
    code = compile(source[:source.index(mark)] if mark else source, str(path), "exec")
    # Where results are looked at in the middle, the rest is run without.
    torch.allclose = torch.equal = lambda *rest, **named: True
    torch.testing.assert_close = torch.allclose
    attempt(lambda: exec(code, names))
    attempt(lambda: exec(then, names))


class FirstOfEach:
    """The first `most` sets of parameters of each test."""

    def __init__(self, most):
        self.most, self.seen = most, collections.Counter()

    def pytest_collection_modifyitems(self, items):
        kept = []
        for item in items:
            self.seen[item.originalname] += 1
            if self.seen[item.originalname] <= self.most:
                kept.append(item)
        items[:] = kept


def run_one(triton, path, chip, most):
    compiled = []
    torch = install(chip, most, compiled)
    torch.manual_seed = lambda seed: None
    if path.name in PLAIN:
        run_tutorial(path, torch)
    else:
        import pytest

        sys.path[:0] = [str(path.parent), str(triton / "python/triton_kernels")]
        pytest.main(["-q", "--tb=line", "-p", "no:cacheprovider", "--noconftest", str(path)], plugins=[FirstOfEach(most)])
    print(f"kernels: {len(compiled)}")


def files_of(triton, chip):
    files = [triton / TUTORIALS / name for name in PLAIN]
    if chip == "gfx1250":
        examples = sorted((triton / GLUON).glob("*.py")) + [triton / TESTS / "test_gluon_cdna5.py", triton / TESTS / "test_gluon_gfx1250.py"]
        examples += sorted((triton / TESTS).glob("test*tdm*.py"))
        files += [path for path in examples if path.exists() and "def test_" in path.read_text()]
    return files


def verify(inflight, folder):
    """How many code objects there are, and what is found in them."""
    files = sorted(folder.rglob("*.hsaco"))
    found = collections.Counter()
    for path in files:
        done = subprocess.run([inflight, "waits", "--hazards", "--format=json", path], capture_output=True, text=True)
        if not done.stdout:
            sys.exit(f"{path}: {done.stderr}")
        for finding in (one for program in json.loads(done.stdout)["files"] for one in program["findings"]):
            found[finding["rule"]] += 1
            print(f"{path.parent.name}/{path.name}: {finding['rule']}: {finding['message']}")
    return files, found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("triton", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--chip", action="append", choices=CHIPS)
    parser.add_argument("--most", type=int, default=2)
    parser.add_argument("--seconds", type=int, default=1200, help="after so many a file's compilation is ended")
    parser.add_argument("--verify", metavar="INFLIGHT")
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_intermixed_args()
    if options.one:
        return run_one(options.triton, pathlib.Path(options.names[0]), options.chip[0], options.most)
    failed = False
    for chip in options.chip or CHIPS:
        cache = options.out.resolve() / chip
        for path in files_of(options.triton.resolve(), chip):
            if options.names and not any(name in path.name for name in options.names):
                continue
            begin = time.time()
            command = [sys.executable, "-W", "ignore", __file__, "--one", "--chip", chip, "--most", str(options.most), options.triton, options.out, path]
            try:
                done = subprocess.run(command, env={**os.environ, "TRITON_CACHE_DIR": str(cache)}, stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT, text=True, timeout=options.seconds)
                said = done.stdout.splitlines()
            except subprocess.TimeoutExpired as late:
                said = [f"ended after {options.seconds} s"]
            kernels = [line for line in said if line.startswith("kernels: ")]
            print(f"{chip} {path.name}: {kernels[-1] if kernels else said[-1:]}, {time.time() - begin:.0f} s", flush=True)
            (options.out / f"{chip}-{path.name}.log").write_text("\n".join(said))
        if options.verify:
            files, found = verify(options.verify, cache)
            failed |= bool(found)
            print(f"{chip}: {len(files)} code objects, {dict(found) or 'nothing found'}", flush=True)
    return failed


if __name__ == "__main__":
    sys.exit(main())
