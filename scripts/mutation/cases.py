"""Kernels with their launches: code objects and the command lines that `inflight run` takes."""
import glob
import json
import os
import re
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))


class Case:
    """`launches`: options of `inflight run`, in order; `text`: the assembly, where that isn't to be the disassembler's."""

    def __init__(self, name, code, launches, text=None, may_be_wrong=False):
        self.name, self.code, self.launches, self.text, self.may_be_wrong = name, code, launches, text, may_be_wrong


def examples(inflight, work, chips, code_objects=None):
    """examples/*/example.json, compiled by Inflight, or taken from DIR/KERNEL.CHIP.hsaco."""
    for path in sorted(glob.glob(ROOT + "/examples/*/example.json")):
        for example in json.load(open(path)):
            for chip in example["targets"]:
                if chip not in chips:
                    continue
                name = f"{example['kernel']}.{chip}"
                code = os.path.join(work, name + ".hsaco")
                if code_objects:
                    shutil.copy(os.path.join(code_objects, name + ".hsaco"), code)
                else:
                    subprocess.run([inflight, "compile", f"-mcpu={chip}", os.path.join(os.path.dirname(path), example["file"]), "-o", code], check=True)
                triple = lambda values: ",".join(map(str, values))
                launch = ["--kernel", example["kernel"], "--grid", triple(example["grid"]), "--block", triple(example["block"]), "--lds", str(example.get("lds", 0))]
                for argument in example["args"]:
                    launch += ["--arg", argument]
                yield Case(("llvm " if code_objects else "") + name, code, [launch])


def compiled_kernels(inflight, work, chips, levels, names):
    """tests/kernels: the launches are those that the kernels' references make."""
    folder = ROOT + "/tests/kernels"
    sys.path[:0] = [folder, folder + "/support"]
    import run as runner
    from gpu import Gpu
    for source in sorted(glob.glob(folder + "/opencl/*.cl") + glob.glob(folder + "/hip/*.hip")):
        name = os.path.splitext(os.path.basename(source))[0]
        if names and name not in names:
            continue
        module = runner.load_reference(source)
        for chip in chips:
            if chip not in getattr(module, "CHIPS", runner.CHIPS):
                continue
            for level in levels:
                directory = os.path.join(work, f"{name}.{chip}.O{level}")
                os.makedirs(directory, exist_ok=True)
                gpu = recorder(Gpu)(inflight, chip, level, directory)
                compiled = subprocess.run(runner.compiler_command("clang-22", source, chip, level, 5, getattr(module, "FLAGS", []), gpu.code), capture_output=True)
                if compiled.returncode:
                    continue
                module.run(gpu)
                yield Case(f"{name}.{chip}.O{level}", gpu.code, gpu.recorded)


def recorder(base):
    import numpy as np

    class Recorder(base):
        """Keeps the arguments of each launch as they were before it."""

        def __init__(self, *arguments):
            super().__init__(*arguments)
            self.recorded = []

        def launch(self, kernel, args, **options):
            number = len(self.recorded)
            kept = []
            for index, value in enumerate(args):
                if isinstance(value, np.ndarray):
                    path = os.path.join(self.directory, f"launch{number}.{index}.npy")
                    np.save(path, value.view(np.float32 if value.dtype == np.complex64 else np.uint8 if value.dtype.fields else value.dtype))
                    kept += ["--arg", path]
                elif hasattr(value, "bytes"):
                    kept += ["--arg", f"lds:{value.bytes}"]
                else:
                    kept += ["--arg", "bytes:" + (value if isinstance(value, bytes) else value.tobytes()).hex()]
            self.recorded.append(self.options(kernel, **options) + kept)
            super().launch(kernel, args, **options)

        def options(self, kernel, grid=None, block=64, lanes=None, lds=0, options=()):
            def triple(value):
                return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)

            words = ["--kernel", kernel, "--block", triple(block)] + (["--lds", str(lds)] if lds else []) + list(options)
            return words + (["--global", triple(lanes)] if lanes is not None else ["--grid", triple(1 if grid is None else grid)])

    return Recorder


def handwritten(inflight, work):
    """tests/checks/*.s, whose first lines name their launch: `// run: OPTIONS`."""
    for source in sorted(glob.glob(ROOT + "/tests/checks/*.s")):
        name = os.path.splitext(os.path.basename(source))[0]
        text = open(source).read()
        code = os.path.join(work, name + ".hsaco")
        subprocess.run([inflight, "asm", source, "-o", code], check=True)
        launches = [line.split("run:", 1)[1].split() for line in text.split("\n") if line.startswith("// run:")]
        yield Case(name, code, launches, text)


def random_programs(inflight, work, chips, seed, count):
    """Programs of random_programs.py: every second one with waits by `inflight waits --insert`."""
    from random_programs import Generator
    chips = [chip for chip in chips if chip != "gfx90a"]  # which has no global_load_lds
    for number in range(seed * 1000000, seed * 1000000 + count):
        generator = Generator(number, chips[number % len(chips)]).generate()
        name = f"random{number}"
        source, code = os.path.join(work, name + ".s"), os.path.join(work, name + ".hsaco")
        lines = generator.body if number % 2 else generator.with_waits()
        open(source, "w").write(generator.text(lines))
        if number % 2:
            subprocess.run([inflight, "waits", "--insert", source, "-o", source + ".waits"], capture_output=True)
            if not os.path.exists(source + ".waits"):
                continue
            os.replace(source + ".waits", source)
        text = open(source).read()
        subprocess.run([inflight, "asm", source, "-o", code], check=True)
        yield Case(name, code, [re.search("run:(.*)", text)[1].split()], text, may_be_wrong=True)
