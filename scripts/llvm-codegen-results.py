#!/usr/bin/env python3
"""Kernels of LLVM's own tests of its code generator, compiled by both compilers and run on the machine with made-up arguments: the results are the same.

    llvm-codegen-results.py INFLIGHT FOLDER [--chip gfx942]... [--every N] [--only NAME]... [--list]

FOLDER is llvm/test/CodeGen/AMDGPU, as for llvm-codegen-tests.py. Each kernel is taken alone (llvm-extract-22). Pointers are to buffers of random words
that differ from each other, other arguments are small numbers. What llc -O0 and llc -O2 have different results for isn't compared: the kernel reads what
nobody wrote, or rounds as it likes. Nor is a kernel that ends in a fault with llc's code, as most do that take an address from a buffer. Prints what
differs and why the others weren't compared; "poison" are those that are equal once amounts of shifts and indices of elements are in range and no operation promises
anything (nsw, llvm.assume and the like) or allows anything (afn), "rounded" those whose floats are as good as equal; the exit status is 1 if something differs, or faults by Inflight's code alone. Needs libinflight.so (INFLIGHT_LIBRARY).
"""
import collections
import importlib.util
import pathlib
import re
import subprocess
import sys

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).parent.parent / "python"))
import inflight  # noqa: E402

WORDS, STEPS, SECONDS = 1 << 14, 1 << 18, 60


def beside(name):
    spec = importlib.util.spec_from_file_location(name.replace("-", "_"), pathlib.Path(__file__).parent / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


tests = beside("llvm-codegen-tests")


def complaint(command, output):
    """Why it didn't come to be; empty if it did."""
    output.unlink(missing_ok=True)
    try:
        done = subprocess.run([str(part) for part in command], capture_output=True, text=True, errors="replace", timeout=SECONDS)
    except subprocess.TimeoutExpired:
        return f"more than {SECONDS} s"
    if done.returncode == 0 and output.exists():
        return ""
    found = tests.SAYS_WHY.search(done.stderr)
    return found[1] if found else f"status {done.returncode}"


def arguments(kernel, seed):
    """The segment of a kernel's arguments, and the buffers that it points to."""
    rng = np.random.default_rng(seed)
    segment, buffers = bytearray(kernel.info["kernarg_bytes"]), []
    for one in kernel.info["arguments"]:
        at, size = one["offset"], one["size"]
        if one["hidden"]:
            continue
        if one["value_kind"] == "global_buffer" and size >= 8:  # not to LDS
            buffers.append(rng.integers(0, 1 << 32 if seed % 2 else 64, WORDS, np.uint32))
            # Half way: some kernels go below what they are given.
            address = buffers[-1].ctypes.data + 2 * WORDS
            resource = address | (2 * WORDS) << 64 | 0x00027000 << 96  # raw, of 32 bits
            segment[at:at + size] = {8: address, 16: resource}.get(size, 0).to_bytes(size, "little")
        elif one["value_kind"] == "by_value":
            segment[at:at + size] = rng.integers(0, 32, (size + 3) // 4, np.uint32).tobytes()[:size]
    return bytes(segment), buffers


def results(path, seed, block):
    """What is in the buffers afterwards, or why there is nothing."""
    with_context = inflight.Context()
    try:
        module = with_context.load(path.read_bytes())
        (kernel,) = module.kernels.values()
        segment, buffers = arguments(kernel, seed)
        kernel.launch(2, block, kernarg=segment, buffers=buffers, lds=4096, max_steps=STEPS, threads=1)
        return buffers
    except (inflight.Error, inflight.KernelFault) as error:
        return f"{type(error).__name__}: {str(error).splitlines()[0]}"
    finally:
        with_context.close()


def blocks(text):
    """Lanes of a workgroup."""
    if found := re.search(r"!reqd_work_group_size !(\d+)", text):
        if sizes := re.search(rf"^!{found[1]} = !{{i32 (\d+), i32 (\d+), i32 (\d+)}}", text, re.M):
            return tuple(int(size) for size in sizes.groups())
    found = re.search(r'"amdgpu-flat-work-group-size"="(\d+),(\d+)"', text)
    return (max(int(found[1]), min(64, int(found[2]))), 1, 1) if found else (64, 1, 1)


def same(one, other):
    return all(np.array_equal(a, b) for a, b in zip(one, other))


def close(one, other):
    """Whether words that differ are floats that hardly do."""
    one, other = one[one != other], other[one != other]
    for form, most in ((np.float32, 1e-5), (np.float16, 4e-3)):
        with np.errstate(all="ignore"):
            a, b = one.view(form).astype(float), other.view(form).astype(float)
            if np.all((np.abs(a - b) <= most * np.abs(b)) | (np.isnan(a) & np.isnan(b))):  # no NaN's bits are promised
                return True
    return False


def defined(text):
    """Without promises, and with amounts of shifts and indices of elements in range."""
    text = re.sub(r" (nuw|nsw|exact|disjoint|nneg|samesign|fast|afn|arcp|contract|reassoc|nnan|ninf|nsz|nonnull|noundef|range\([^)]*\)|nofpclass\([^)]*\))(?=[ ,)])", "", text)
    text = re.sub(r'"(no-(nans|infs|signed-zeros)|unsafe)-fp-math"="true"', "", text)
    text = re.sub(r", !(range|nonnull|noundef|nofpclass) !\d+", "", text)
    text = re.sub(r"^.* call void @llvm\.assume\(.*\n", "", text, flags=re.M)
    text = re.sub(r"(?<=[ <(\[])(undef|poison)(?=[],)> ]|$)", "zeroinitializer", text, flags=re.M)
    # Lanes that get nothing have zero.
    text = re.sub(r"^(declare .*@llvm\.amdgcn\.)mov(\.dpp\.(\w+)\()", r"\1update\2\3, ", text, flags=re.M)
    text = re.sub(r"(@llvm\.amdgcn\.)mov(\.dpp\.(\w+)\()", r"\1update\2\3 0, ", text)

    def masked(found):
        indent, name, operation, vector, bits, value, amount = found.groups()
        if not amount.startswith("%") or int(bits) & int(bits) - 1:
            return found[0]
        count = int(vector) if vector else 0
        kind, mask = (f"<{count} x i{bits}>", f"splat (i{bits} {int(bits) - 1})") if count else (f"i{bits}", str(int(bits) - 1))
        return f"{indent}{name}.in.range = and {kind} {amount}, {mask}\n{indent}{name} = {operation} {kind} {value}, {name}.in.range"

    def inside(found):
        indent, name, operation, count, rest, bits, index = found.groups()
        mask = (1 << int(count).bit_length() - 1) - 1
        return f"{indent}{name}.in.range = and i{bits} {index}, {mask}\n{indent}{name} = {operation} <{count} x {rest}, i{bits} {name}.in.range"

    # No divisor is zero.
    text = re.sub(r"^( *)(%[\w.]+) = ([su](?:div|rem)) (i\d+) ([^ ,]+), (%[\w.]+)$", r"\1\2.odd = or \4 \6, 1\n\1\2 = \3 \4 \5, \2.odd", text, flags=re.M)
    text = re.sub(r"^( *)(%[\w.]+) = ([su](?:div|rem)) (<\d+ x (i\d+)>) ([^ ,]+), (%[\w.]+)$",
                  r"\1\2.odd = or \4 \7, splat (\5 1)\n\1\2 = \3 \4 \6, \2.odd", text, flags=re.M)
    text = re.sub(r"^( *)(%[\w.]+) = (insertelement|extractelement) <(\d+) x (.*), i(\d+) (%[\w.]+)$", inside, text, flags=re.M)
    return re.sub(r"^( *)(%[\w.]+) = (shl|lshr|ashr) (?:<(\d+) x )?i(\d+)>? ([^ ,]+|splat \([^)]*\)|<[^>]*>), (\S+)$", masked, text, flags=re.M)


def build(options, part, chip, folder):
    """Inflight's object and llc's two, or a kind and why there are none."""
    own, *llvm = (pathlib.Path(folder, name) for name in ("own.hsaco", "llvm0.o", "llvm2.o"))
    if why := complaint([options.inflight, "compile", "-mcpu=" + chip, part, "-o", own], own):
        return "not compiled by Inflight", why
    for level, output in zip("02", llvm):
        if why := complaint(["llc-22", "-O" + level, "-mtriple=amdgcn-amd-amdhsa", "-mcpu=" + chip, "-filetype=obj", part, "-o", output], output):
            return "not compiled by llc", why
    return own, llvm


def compare_objects(own, llvm, block):
    """A kind, and what is to be said of it."""
    compared, said = 0, ""
    for seed in (1, 2):
        unoptimised, expected = (results(path, seed, block) for path in llvm)
        if isinstance(expected, str) or isinstance(unoptimised, str):
            said = expected if isinstance(expected, str) else unoptimised
            continue
        if not same(unoptimised, expected):
            said = "llc's results differ from each other"
            continue
        compared += 1
        got = results(own, seed, block)
        if isinstance(got, str):
            return "FAULT", got
        for number, (a, b) in enumerate(zip(got, expected)):
            if not np.array_equal(a, b):
                at = int(np.flatnonzero(a != b)[0])
                text = f"buffer {number}, {int((a != b).sum())} words, first {at - WORDS // 2}: {a[at]:#x}, not {b[at]:#x} (seed {seed})"
                return ("rounded" if close(a, b) else "DIFFERENT"), text
    return ("equal", "") if compared else ("not compared", said)


def has_idle_assembly(text):
    """Whether what inline assembly is said to write is what was in the register: its text is a comment."""
    return re.search(r'= (tail )?call .* asm (sideeffect )?"\s*;', text)


def not_comparable(text):
    """Why its results say nothing; empty if they do."""
    if has_idle_assembly(text):
        return "a register that nothing wrote"
    if re.search(r"^define [^@]*amdgpu_kernel[^@]*@[^(]*\([^)]*ptr addrspace\(5\)", text, re.M):
        return "private memory of somebody else"
    # From the pointer to printf's buffer on.
    if "@llvm.amdgcn.implicitarg.ptr" in text and any(int(at) >= 72 for at in re.findall(r"getelementptr .*, i64 (\d+)$", text, re.M)):
        return "addresses that the runtime chose"
    return ""


def compare(options, part, chip, folder):
    text = part.read_text(errors="replace")
    if why := not_comparable(text):
        return "not compared", why
    objects = build(options, part, chip, folder)
    if isinstance(objects[0], str):
        return objects
    kind, said = compare_objects(*objects, blocks(text))
    if kind in ("DIFFERENT", "FAULT") and defined(text) != text:
        promises_nothing = pathlib.Path(folder, "defined.ll")
        promises_nothing.write_text(defined(text))
        again = build(options, promises_nothing, chip, folder)
        if not isinstance(again[0], str) and compare_objects(*again, blocks(text))[0] in ("equal", "rounded", "not compared"):
            return "poison", said
    return kind, said


def main():
    parser = tests.parser_of(__doc__)
    parser.add_argument("--from", dest="start", type=int, default=0, help="the first of them")
    parser.add_argument("--only", action="append", help="files of this name")
    options = parser.parse_args()
    files = [path for path in sorted(options.folder.rglob("*.ll"))[options.start::options.every] if not options.only or path.name in options.only]
    kinds = collections.Counter(kind for kind, _ in tests.judged(options, files, options.chip or ["gfx942"], True,
                                                                 lambda part, chip, folder: compare(options, part, chip, folder)))
    tests.print_kinds(kinds)
    return 1 if kinds["DIFFERENT"] + kinds["FAULT"] else 0


if __name__ == "__main__":
    sys.exit(main())
