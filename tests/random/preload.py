#!/usr/bin/env python3
"""Random kernels with arguments that are in registers when they start (inreg), compiled and run by Inflight in this process.

    tests/random/preload.py LIBINFLIGHT FIRST_SEED COUNT [--chip CHIP] [--keep DIR]

A kernel is LLVM IR: arguments of 1 to 16 bytes, of which the first few are marked, some unused, some structs that lie among them (byref).
It stores the arguments that it uses, workgroup ids in any of three dimensions, hidden arguments, and what it computes of all of them: before
and in a loop, by way of private memory that takes a scratch prologue on gfx90a, and with so many uniform values at once that
scalar registers are spilled. Python's integers judge. Each code object is run as it is, and once more by firmware that doesn't preload, which
begins 256 bytes earlier: the length in its descriptor is zero then.
"""
import argparse
import collections
import os
import random
import struct
import sys

import numpy as np

ROOT = os.path.join(os.path.dirname(os.path.abspath(__file__)), "../..")
sys.path[:0] = [os.path.join(ROOT, "python")]

CHIPS = ["gfx90a", "gfx942", "gfx950"]
LANES = 64
PRELOAD = 58  # where in a kernel descriptor the number of preloaded dwords is (AMDGPUUsage)
Type = collections.namedtuple("Type", "name bytes align words")  # words of 64 bits that it is stored as
TYPES = [Type("i8", 1, 1, 1), Type("i16", 2, 2, 1), Type("i32", 4, 4, 1), Type("i32", 4, 4, 1), Type("i64", 8, 8, 1), Type("float", 4, 4, 1),
         Type("double", 8, 8, 1), Type("half", 2, 2, 1), Type("<2 x i32>", 8, 8, 2), Type("<2 x i16>", 4, 4, 2), Type("<4 x i32>", 16, 16, 4),
         Type("<2 x i64>", 16, 16, 2), Type("i1", 1, 1, 1)]
M32, M64 = (1 << 32) - 1, (1 << 64) - 1


class Program:
    def __init__(self, seed):
        self.random = rng = random.Random(seed)
        self.lines, self.stored, self.values = [], 0, 0
        self.grid = [rng.randint(1, 3), rng.choice([1, 1, 2]), rng.choice([1, 1, 2])]
        self.groups = [(x, y, z) for z in range(self.grid[2]) for y in range(self.grid[1]) for x in range(self.grid[0])]
        count = rng.choice([1, 2, 3, 5, 8, 12, 20])
        self.types = [rng.choice(TYPES) for _ in range(count)]
        self.out = rng.randrange(count + 1)
        self.types.insert(self.out, Type("ptr addrspace(1)", 8, 8, 0))
        self.marked = rng.choice([0, 1, count // 2, count + 1, count + 1])
        if rng.random() < 0.1:  # one that isn't a value ends what can be preloaded
            self.types.insert(rng.randrange(self.out + 1, count + 2), Type("ptr addrspace(4) byref({ i32, i32 }) align 4", 8, 4, 1))
        self.data = [bytes([rng.randrange(2)]) if t.name == "i1" else rng.randbytes(t.bytes) for t in self.types]
        self.scalars = []  # (name, value): uniform, 64 bits
        self.body()

    def fresh(self):
        self.values += 1
        return f"%v{self.values}"

    def emit(self, text):
        name = self.fresh()
        self.lines.append(f"  {name} = {text}")
        return name

    def store(self, name):
        """A value of 64 bits."""
        at = self.emit(f"getelementptr i64, ptr addrspace(1) %place, i64 {self.stored}")
        self.lines.append(f"  store i64 {name}, ptr addrspace(1) {at}, align 8")
        self.stored += 1

    def argument(self, number):
        """Its words of 64 bits, with what they are."""
        kind, data, name = self.types[number], self.data[number], f"%a{number}"
        if "byref" in kind.name:
            return [(self.emit(f"load i64, ptr addrspace(4) {name}, align 4"), int.from_bytes(data, "little"))]
        if kind.name.startswith("<"):
            each = kind.bytes // kind.words
            element, words = f"i{8 * each}", []
            for i in range(kind.words):
                one = self.emit(f"extractelement {kind.name} {name}, i32 {i}")
                words.append((one if each == 8 else self.emit(f"zext {element} {one} to i64"), int.from_bytes(data[i * each:][:each], "little")))
            return words
        bits = 1 if kind.name == "i1" else 8 * kind.bytes
        if kind.name in ("float", "double", "half"):
            name = self.emit(f"bitcast {kind.name} {name} to i{bits}")
        return [(name if bits == 64 else self.emit(f"zext i{bits} {name} to i64"), int.from_bytes(data, "little"))]

    def body(self):
        rng = self.random
        for number in range(len(self.types)):
            if number != self.out and rng.random() < 0.75:
                for name, value in self.argument(number):
                    self.scalars.append((name, value))
                    self.store(name)
        self.fixed = [value for _, value in self.scalars]
        self.dims = [d for d in range(3) if rng.random() < 0.3]
        for d in self.dims:
            group = self.emit(f"call i32 @llvm.amdgcn.workgroup.id.{'xyz'[d]}()")
            self.store(self.emit(f"zext i32 {group} to i64"))
        self.hidden = rng.random() < 0.3
        if self.hidden:
            base = self.emit("call ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()")
            at = self.emit(f"getelementptr i8, ptr addrspace(4) {base}, i64 4")
            size = self.emit(f"load i32, ptr addrspace(4) {at}, align 4")
            self.store(self.emit(f"zext i32 {size} to i64"))
        self.computed, self.private, self.loop = [], None, None
        if self.scalars:
            self.compute(rng.choice([0, 2, 10, 30, 70]))
            if rng.random() < 0.3:
                self.use_private()

    def compute(self, count):
        """Uniform values, used again behind a loop that uses them too."""
        rng = self.random
        made = []
        for _ in range(count):
            (a, x), (b, y) = rng.choice(self.scalars), rng.choice(self.scalars)
            factor, addend = rng.getrandbits(31) | 1, rng.getrandbits(31)
            name = self.emit(f"xor i64 {self.emit(f'mul i64 {a}, {factor}')}, {self.emit(f'add i64 {b}, {addend}')}")
            made.append((name, (x * factor & M64) ^ (y + addend & M64)))
        if not made:
            return
        turns, turns_value = rng.choice(self.scalars)
        turns = self.emit(f"and i64 {turns}, 3")
        turns_value &= 3
        used = rng.sample(made, min(len(made), rng.randint(1, 40)))
        self.lines += ["  br label %head", "head:", "  %turn = phi i64 [ 0, %entry ], [ %next, %head ]", "  %sum = phi i64 [ %wide, %entry ], [ %added, %head ]"]
        total = "%sum"
        for name, _ in used:
            total = self.emit(f"add i64 {self.emit(f'mul i64 {total}, 31')}, {self.emit(f'xor i64 {name}, %turn')}")
        self.lines += [f"  %added = add i64 {total}, 1", "  %next = add i64 %turn, 1", f"  %again = icmp ule i64 %next, {turns}",
                       "  br i1 %again, label %head, label %end", "end:"]
        self.store("%added")
        for name, _ in made:
            self.store(name)
        self.loop, self.computed = (turns_value, [value for _, value in used]), [value for _, value in made]

    def use_private(self):
        (a, x), (b, y) = self.random.choice(self.scalars), self.random.choice(self.scalars)
        lane = self.emit("and i32 %lane, 15")
        at = self.emit(f"getelementptr i64, ptr addrspace(5) %private, i32 {lane}")
        self.lines.append(f"  store i64 {self.emit(f'add i64 {a}, %wide')}, ptr addrspace(5) {at}, align 8")
        index = self.emit(f"trunc i64 {self.emit(f'and i64 {b}, 15')} to i32")
        other = self.emit(f"getelementptr i64, ptr addrspace(5) %private, i32 {self.emit(f'xor i32 {index}, {lane}')}")
        loaded = self.emit(f"load i64, ptr addrspace(5) {other}, align 8")
        same = self.emit(f"icmp eq i32 {index}, 0")
        self.store(self.emit(f"select i1 {same}, i64 {loaded}, i64 77"))
        self.private = (x, y & 15)

    def text(self):
        arguments = ", ".join(f"{t.name}{' inreg' if i < self.marked and 'byref' not in t.name else ''} %a{i}" for i, t in enumerate(self.types))
        private = ["  %private = alloca [16 x i64], align 8, addrspace(5)"] if self.private else []
        ids = [f"  %g{d} = call i32 @llvm.amdgcn.workgroup.id.{d}()" for d, n in zip("xyz", self.grid) if n > 1]
        flat = "0"
        for d, n in reversed(list(zip("xyz", self.grid))):
            if n > 1:
                ids += [f"  %m{d} = mul i32 {flat}, {n}", f"  %f{d} = add i32 %m{d}, %g{d}"]
                flat = f"%f{d}"
        start = [*private, "  %lane = call i32 @llvm.amdgcn.workitem.id.x()", "  %wide = zext i32 %lane to i64", *ids, f"  %base = mul i32 {flat}, {LANES}",
                 "  %lanes = add i32 %base, %lane", f"  %at = mul i32 %lanes, {max(self.stored, 1)}", "  %offset = sext i32 %at to i64",
                 f"  %place = getelementptr i64, ptr addrspace(1) %a{self.out}, i64 %offset"]
        declared = [f"declare i32 @llvm.amdgcn.work{w}.id.{d}()" for w in ("group", "item") for d in "xyz"]
        return "\n".join(['target triple = "amdgcn-amd-amdhsa"', f"define amdgpu_kernel void @k({arguments}) #0 {{", "entry:", *start, *self.lines, "  ret void", "}",
                          *declared, "declare ptr addrspace(4) @llvm.amdgcn.implicitarg.ptr()", f'attributes #0 = {{ "amdgpu-flat-work-group-size"="1,{LANES}" }}', ""])

    def expected(self):
        result = np.zeros((len(self.groups), LANES, max(self.stored, 1)), np.uint64)
        for g, group in enumerate(self.groups):
            for lane in range(LANES):
                row = self.fixed + [group[d] for d in self.dims] + ([self.grid[1]] if self.hidden else [])
                if self.loop:
                    turns, used = self.loop
                    total = lane
                    for turn in range(turns + 1):
                        for value in used:
                            total = (total * 31 & M64) + (value ^ turn) & M64
                        total = total + 1 & M64
                    row = row + [total] + self.computed
                if self.private:
                    value, index = self.private
                    row = row + [value + lane & M64 if index == 0 else 77]
                result[g, lane, :len(row)] = row
        return result

    def kernarg(self, out):
        packed, offset = b"", 0
        for number, (kind, data) in enumerate(zip(self.types, self.data)):
            packed += bytes(-len(packed) % kind.align) + (struct.pack("<Q", out) if number == self.out else data)
        packed += bytes(-len(packed) % 8)
        return packed + (struct.pack("<3I", *self.grid) + struct.pack("<6H", LANES, 1, 1, 0, 0, 0) + bytes(232) if self.hidden else b"")


def without_preloading(image):
    """The code object as firmware sees it that knows nothing of preloading, and how many dwords its kernel has preloaded."""
    sections, count = struct.unpack_from("<Q", image, 40)[0], struct.unpack_from("<H", image, 60)[0]
    headers = [struct.unpack_from("<IIQQQQIIQQ", image, sections + 64 * i) for i in range(count)]
    for _, kind, _, _, offset, size, link, *_ in headers:
        if kind != 11:  # SHT_DYNSYM
            continue
        names = headers[link][4]
        for at in range(offset, offset + size, 24):
            name, _, _, section, value, _ = struct.unpack_from("<IBBHQQ", image, at)
            if image[names + name:].startswith(b"k.kd\0"):
                place = headers[section][4] + value - headers[section][3] + PRELOAD
                changed = bytearray(image)
                changed[place:place + 2] = bytes(2)
                return bytes(changed), image[place] & 127
    raise RuntimeError("no kernel descriptor")


def check(inflight, seed, chip, keep, seen):
    """None, or what is wrong."""
    program = Program(seed)
    text = program.text()
    if keep:
        with open(os.path.join(keep, f"{seed}.ll"), "w") as file:
            file.write(text)
    image = inflight.compile(text, chip, name=f"{seed}.ll")
    expected = program.expected()
    plain, preloaded = without_preloading(image)
    seen["preloaded dwords"] += preloaded
    seen["kernels that preload"] += preloaded > 0
    for how, code in (("", image), (" by firmware that doesn't preload", plain)):
        out = np.full(expected.shape, 0x5555, np.uint64)
        kernel = inflight.load(code)["k"]
        result = kernel.launch(tuple(program.grid), (LANES, 1, 1), kernarg=program.kernarg(out.ctypes.data), buffers=[out], checks="all")
        if result.findings:
            return f"{result.findings[0]}{how}"
        if program.stored and (out != expected).any():
            place = tuple(int(i) for i in np.argwhere(out != expected)[0])
            return f"word {place[2]} of lane {place[1]}, workgroup {place[0]} is {int(out[place]):#x}, expected {int(expected[place]):#x}{how}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("library")
    parser.add_argument("first", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--chip", choices=CHIPS)
    parser.add_argument("--keep", metavar="DIR", help="where to leave the kernels")
    options = parser.parse_args()
    os.environ["INFLIGHT_LIBRARY"] = options.library
    import inflight
    failures, seen = 0, collections.Counter()
    for seed in range(options.first, options.first + options.count):
        chip = options.chip or CHIPS[seed % len(CHIPS)]
        try:
            problem = check(inflight, seed, chip, options.keep, seen)
        except inflight.Error as error:
            problem = str(error)
        if problem:
            failures += 1
            print(f"seed {seed}, {chip}: {problem}", flush=True)
    print(f"{options.count} kernels, {failures} wrong; " + ", ".join(f"{count} {what}" for what, count in seen.items()))
    return failures > 0


if __name__ == "__main__":
    sys.exit(main())
