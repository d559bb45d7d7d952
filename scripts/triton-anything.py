#!/usr/bin/env python3
"""Launches every Triton kernel of a tree of sources with made-up arguments, as LLVM and as Inflight compile it.

    scripts/triton-anything.py TREE [--chip gfx942] [--only TEXT] [--every N[:FIRST]] [--draws N] [--draw I] [--seconds N] [--seed N] [--json FILE]

No package is imported: functions under @triton.jit are cut out of their modules, with the constants and helpers that they name. Arguments are
guessed from their names and uses: what is loaded from or stored to is a pointer, strides fit its buffer, indices are small. What Triton's front end
refuses, or what accesses memory outside of its buffers, is drawn again, up to N times. A line for each kernel:

    equal       both leave the same bits; the ratio of modelled cycles stands before the name
    close       floats differ by less than 1e-3 of their tensor's largest: compilers contract and reassociate differently
    different   anything else. Made-up arguments divide by zero, convert what fits no integer, and have programs store to one place: look before
                you believe it, with --draw and INFLIGHT_CHECK=all
    refused     Inflight's compiler refuses it, and says why
    failed      no draw could be launched; the last one's reason
    crash, timeout

Needs a build (INFLIGHT_LIBRARY, or the package installed), torch and Triton. Use a fresh TRITON_CACHE_DIR for each build.
"""
import argparse
import ast
import collections
import contextlib
import importlib
import io
import json
import os
import pathlib
import random
import re
import signal
import sys
import tempfile
import traceback

PRELUDE = """import math
import torch
import triton
import triton.language as tl
from triton.language import core
from triton.language.extra import libdevice
from triton.language.extra import libdevice as tldevice
exp, exp2, log, log2, make_tensor_descriptor = tl.exp, tl.exp2, tl.log, tl.log2, tl.make_tensor_descriptor
float8_info = torch.finfo(torch.float8_e4m3fnuz)
"""
# Of the device library, what modules import by name.
DEVICE = {"erf", "expm1", "fast_dividef", "fast_expf", "isinf", "isnan", "log1p", "pow", "rint", "round", "rsqrt", "tanh", "trunc"}
ACCESSES = ("load", "store", "make_block_ptr", "make_tensor_descriptor")


def is_kernel(node):
    return isinstance(node, ast.FunctionDef) and any("triton.jit" in ast.unparse(d) or ast.unparse(d) == "jit" for d in node.decorator_list)


def attempt(statement):
    return f"try:\n    {statement}\nexcept Exception:\n    pass\n"


def extract(tree, out):
    """Writes what each module has of kernels to `out`; returns their syntax by module."""
    modules, module_of = {}, {}
    for path in sorted(pathlib.Path(tree).rglob("*.py")):
        try:
            parsed = ast.parse(path.read_text())
        except (SyntaxError, UnicodeDecodeError):
            continue
        kernels = [node for node in ast.walk(parsed) if is_kernel(node)]
        if kernels:
            name = re.sub(r"\W", "_", str(path.relative_to(tree).with_suffix("")))
            modules[name] = parsed, kernels
            for kernel in kernels:
                module_of.setdefault(kernel.name, name)
    for name, (parsed, kernels) in modules.items():
        own, named = {k.name for k in kernels}, {n.id for k in kernels for n in ast.walk(k) if isinstance(n, ast.Name)}
        text = PRELUDE
        for other in sorted(named - own):
            if other in DEVICE:
                text += f"from triton.language.extra.libdevice import {other}\n"
            elif module_of.get(other, name) != name:
                text += attempt(f"from {module_of[other]} import {other}")
        for node in parsed.body:
            if isinstance(node, (ast.Assign, ast.AnnAssign)) and any(isinstance(n, ast.Name) and n.id in named for n in ast.walk(node)):
                text += attempt(ast.unparse(node))
        for kernel in kernels:
            kernel.decorator_list = []
            for argument in kernel.args.args + kernel.args.kwonlyargs:
                if not is_constant(argument):
                    argument.annotation = None
            text += "@triton.jit\n" + ast.unparse(kernel) + "\n"
        (out / f"{name}.py").write_text(text)
    return {name: kernels for name, (_, kernels) in modules.items()}


def is_constant(argument):
    return argument.annotation is not None and "constexpr" in ast.unparse(argument.annotation)


def pointers(kernel):
    """Arguments that addresses of accesses are made of."""
    names = {argument.arg for argument in kernel.args.args}
    made_of = collections.defaultdict(list)
    for node in ast.walk(kernel):
        if isinstance(node, (ast.Assign, ast.AugAssign)):
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                for name in ast.walk(target):
                    if isinstance(name, ast.Name):
                        made_of[name.id].append(node.value)
    found = set()

    def follow(value, seen=frozenset()):
        """A sum's first operand is the pointer, or one that is called so."""
        if isinstance(value, ast.BinOp) and isinstance(value.op, (ast.Add, ast.Sub)):
            follow(value.left, seen)
            if isinstance(value.right, ast.Name) and re.search(r"ptr|^[A-Z]$|out|base", value.right.id):
                follow(value.right, seen)
        elif isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            if isinstance(value.func.value, ast.Name) and value.func.value.id == "tl":
                for operand in value.args[:1] + [k.value for k in value.keywords if k.arg == "base"]:
                    follow(operand, seen)
            else:
                follow(value.func.value, seen)
        elif isinstance(value, ast.IfExp):
            follow(value.body, seen)
            follow(value.orelse, seen)
        elif isinstance(value, ast.Name) and value.id not in seen:
            found.update({value.id} & names)
            for source in made_of[value.id]:
                follow(source, seen | {value.id})

    for node in ast.walk(kernel):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and (node.func.attr in ACCESSES or node.func.attr.startswith("atomic_")):
            for operand in node.args[:1] + [k.value for k in node.keywords if k.arg in ("pointer", "base")]:
                follow(operand)
    return found


class Arguments:
    """What a kernel is given. What a name says decides first, chance the rest."""
    FIRST = r"cu_|cum|indptr|start_loc|seqlens_|_starts?\b|start$|offsets"
    INDEX = r"ind(ex|ices|ptr)|idx|_ids?\b|ids|table|loc|slot|pos|map|len|start|offset|num|count|expert|block_?t|seq|mask|perm|order|topk_i|rank|batch"
    VALUE = r"out(put)?(_ptr)?$|weights?|scales?|state|value|cos|sin|score|logit"
    SINGLE = r"scale|lse|logsum|score|bias|norm|cos|sin|mean|rstd|acc|lambda|dt|log"
    BYTES = r"fp8|e4m3|e5m2|uint8|u8|packed|int4|mxfp4|nvfp4|qweight|q_weight|zeros|qzero"
    FACTOR = r"eps|scale|alpha|beta|gamma|theta|base|temperature|prob|slope|limit|cap|_p\b|lr|decay|momentum|sm_|max_val|min_val"
    FLAG = (r"^(has|is|use|do|with|need|enable|apply|store|return|save|even|causal|mul|filter|compute|keep|skip|reverse|load|allow|inverse|should|add|varlen|"
            r"neox|interleaved|trans|normali[sz]e|naive|direct|write|output_|update|accum|fuse|inplace|renorm|sigmoid)")
    ELEMENTS = 1 << 21

    def __init__(self, kernel, rng, draw):
        import torch
        self.torch, self.rng, self.kernel, self.draw = torch, rng, kernel, draw
        self.float = rng.choice([torch.float16, torch.bfloat16, torch.float16, torch.float32])
        self.size = rng.choice([32, 64, 64, 128])
        self.generator = torch.Generator().manual_seed(rng.randrange(1 << 30))

    def integers(self, low, high, count, types):
        return self.torch.randint(low, high, (count,), generator=self.generator).to(self.rng.choice(types))

    def buffer(self, name):
        torch, rng = self.torch, self.rng
        has = lambda pattern: re.search(pattern, name, re.I)  # noqa: E731
        if has(self.FIRST):
            return (torch.arange(4096) * 32).to(torch.int32)
        if has(self.INDEX) and not has(self.VALUE):
            return self.integers(1, rng.choice([2, 4, 33]), 1 << 18, [torch.int32, torch.int32, torch.int64])
        if has(self.SINGLE) and rng.random() < 0.7:
            return torch.rand(self.ELEMENTS, generator=self.generator)
        if has(self.BYTES) and rng.random() < 0.8:
            return self.integers(0, 120, self.ELEMENTS, [torch.uint8, torch.int32, torch.int8])
        if rng.random() < (0.08 if self.draw < 2 else 0.3):
            return self.integers(-100, 100, self.ELEMENTS, [torch.int8, torch.int32, torch.uint8])
        return torch.randn(self.ELEMENTS, generator=self.generator).to(self.float)

    def stride(self, name):
        """The last of a tensor's is 1, and none overlaps the next one."""
        tensor = lambda other: re.sub(r"_?strides?_?", "", other)[:1]  # noqa: E731
        group = [a.arg for a in self.kernel.args.args if "stride" in a.arg.lower() and tensor(a.arg) == tensor(name)]
        after = len(group) - 1 - group.index(name) if name in group else 1
        return [1, 256, 8192, 1 << 19, 1 << 20][min(after, 4)]

    def number(self, name):
        low, rng = name.lower(), self.rng
        has = lambda pattern: re.search(pattern, low)  # noqa: E731
        if "stride" in low or has(r"_s[a-z]$|_ld\b|^ld"):
            return self.stride(name)
        if has(self.FACTOR):
            return rng.choice([0.5, 1e-3, 1.25])
        if has(r"num_(kv_)?heads?|^h[qkv]?$|group|rep|n_?(experts|groups)|topk|top_k|ratio|splits?"):
            return rng.choice([1, 2, 4])
        if "head" in low and not has("dim|size"):
            return rng.choice([1, 2, 4, 8, 16])
        if has(r"pad|idx|index|start|begin|^pid|rank|zero_point|window|offset"):
            return rng.choice([0, 1, 4])
        if has(r"batch|^b$|^bs$|num_seqs?|layers"):
            return rng.choice([1, 2])
        return rng.choice([self.size, self.size, 2 * self.size, 100])

    def constant(self, name):
        import triton.language as tl
        low, rng = name.lower(), self.rng
        has = lambda pattern: re.search(pattern, low)  # noqa: E731
        if "precision" in low:
            return "ieee"
        if has(r"d?type") and not has(r"^(is|use)_"):
            return rng.choice([tl.float16, tl.float32, tl.bfloat16])
        if has(r"activation|^act"):
            return rng.choice([None, "silu", "", "relu", "gelu"])
        if "stride" in low:
            return self.stride(name)
        if has(self.FLAG):
            return rng.choice([True, False, False])
        if has(r"stages|unroll"):
            return 2
        if has(r"group_?(size_)?m"):
            return rng.choice([1, 4, 8])
        if has(r"split|num_(kv_)?heads|heads_per|q_per_kv|n?groups?$|topk|top_k|num_experts|vec|pack"):
            return rng.choice([1, 2, 4, 8])
        if "bits" in low:
            return rng.choice([4, 8])
        if has(r"eps|scale|alpha|max$|min$|softcap|limit|theta|base"):
            return rng.choice([1e-5, 1.0, 448.0])
        if has(r"window|offset|start|shift|pad\b"):
            return rng.choice([0, 1, 16])
        if has(r"block|tile|chunk|page|^b[a-z]$|size"):
            return rng.choice([16, 32, 64, 64, 128])
        if has(r"dim|head|hidden|^[dkvn]$|_[dnkm]$|rank|cols|width|len"):
            return self.size
        return rng.choice([16, 1, 2, True, False, 64, 32])

    def make(self):
        given, all_, found = {}, self.kernel.args.args, pointers(self.kernel)
        defaults = {a.arg for a in all_[len(all_) - len(self.kernel.args.defaults):]}
        for argument in all_ + self.kernel.args.kwonlyargs:
            name = argument.arg
            if is_constant(argument):
                if name not in defaults or self.rng.random() >= 0.8:
                    given[name] = self.constant(name)
            elif name in found or re.search("ptr|pointer", name, re.I):
                given[name] = self.buffer(name)
            elif name not in defaults:
                given[name] = self.number(name)
        return given


def launch(options, module, kernel, draw):
    """What happened, in a process of its own."""
    import inflight.triton
    rng = random.Random(f"{options.seed} {kernel.name} {draw}")
    given = Arguments(kernel, rng, draw).make()
    warps, grid, source = rng.choice([4, 4, 4, 8]), rng.choice([(4, 2, 1), (2, 1, 2), (8, 1, 1)]), ast.unparse(kernel)
    # Programs that differ by nothing would store to the same places.
    grid = tuple(size if re.search(rf"program_id\((axis=)?{axis}\)", source) else 1 for axis, size in enumerate(grid))
    shown = {name: f"{str(v.dtype)[6:]}*" if hasattr(v, "shape") else str(v) for name, v in given.items()}
    inflight.triton.activate(options.chip, compiler="both")
    try:
        getattr(importlib.import_module(module), kernel.name)[grid](**given, num_warps=warps)
    except BaseException as error:
        return {"kind": "failed", "why": "".join(traceback.format_exception_only(error)).strip()[-500:], "given": shown}
    with contextlib.redirect_stdout(io.StringIO()):
        [row] = inflight.triton.compare()
    kind = "refused" if row.refused else "equal" if row.equal == row.launches else "close" if row.difference < 1e-3 else "different"
    return {"kind": kind, "why": row.refused or (f"by {row.difference:.1e}" if kind in ("close", "different") else ""), "ratio": row.ratio, "given": shown,
            "grid": grid, "warps": warps}


def forked(options, module, kernel, draw):
    read, write = os.pipe()
    child = os.fork()
    if not child:
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, 1), os.dup2(nothing, 2)
        try:
            result = launch(options, module, kernel, draw)
        except BaseException:
            result = {"kind": "failed", "why": traceback.format_exc()[-500:]}
        with os.fdopen(write, "w") as pipe:
            json.dump(result, pipe, default=str)
        os._exit(0)
    os.close(write)
    signal.signal(signal.SIGALRM, lambda *_: os.kill(child, signal.SIGKILL))
    signal.alarm(options.seconds)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    _, status = os.waitpid(child, 0)
    signal.alarm(0)
    if text:
        return json.loads(text)
    return {"kind": "timeout" if os.WTERMSIG(status) == signal.SIGKILL else "crash", "why": f"status {status}"}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tree")
    parser.add_argument("--chip", default="gfx942")
    parser.add_argument("--only", default="", help="kernels with this in MODULE:NAME")
    parser.add_argument("--every", default="1", help="every N-th kernel, from FIRST on")
    parser.add_argument("--draws", type=int, default=5)
    parser.add_argument("--draw", type=int, help="this one alone")
    parser.add_argument("--seconds", type=int, default=90, help="for one launch")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", help="a line of JSON for each kernel goes to this file's end")
    options = parser.parse_args()
    os.environ.setdefault("OMP_NUM_THREADS", "1")
    with tempfile.TemporaryDirectory() as out:
        modules = extract(options.tree, pathlib.Path(out))
        sys.path.insert(0, out)
        import torch
        import triton  # noqa: F401
        torch.set_num_threads(1)
        every, _, first = options.every.partition(":")
        counts, seen = collections.Counter(), set()
        for index, (module, kernel) in enumerate((m, k) for m, kernels in modules.items() for k in kernels):
            source, name = ast.unparse(kernel), f"{module}:{kernel.name}"
            stores = re.search(r"store\(|atomic_", source) and not re.search(r"^\s+return \S", source, re.M)
            if index % int(every) != int(first or 0) or options.only not in name or source in seen or not stores:
                continue
            seen.add(source)
            for draw in range(options.draws) if options.draw is None else [options.draw]:
                result = forked(options, module, kernel, draw)
                if result["kind"] != "failed":
                    break
            counts[result["kind"]] += 1
            ratio = result.get("ratio")
            print(f"{result['kind']:10} {f'{ratio:6.3f}' if ratio else '      '} {name}, draw {draw} {result['why'][-200:]!r}", flush=True)
            if options.json:
                with open(options.json, "a") as file:
                    file.write(json.dumps({"kernel": name, "draw": draw, **result}) + "\n")
    print(", ".join(f"{count} {kind}" for kind, count in counts.most_common()))


if __name__ == "__main__":
    main()
