#!/usr/bin/env python3
"""Random kernels of LLVM IR with masks, shifts, halves and bytes that are put together, chains of selects by one
number, and places in workgroup memory whose bits are exchanged, against numpy.

    tests/random/bits.py INFLIGHT SEED COUNT [--chip gfx942] [--keep DIR]

Every program computes 16 words of each lane from four random ones. Prints the seeds that differ; the exit status is 1 if there are any.
"""
import argparse
import os
import random
import subprocess
import sys
import tempfile

import numpy as np

LANES, INPUTS, OUTPUTS = 256, 4, 16
TYPES = {8: np.uint8, 16: np.uint16, 32: np.uint32}


class Program:
    def __init__(self, seed):
        self.random, self.lines, self.count = random.Random(seed), [], 0
        data = np.random.default_rng(seed)
        self.inputs = data.integers(0, 1 << 32, (INPUTS, LANES), dtype=np.uint32)
        self.inputs[1] = data.integers(0, 12, LANES)
        self.values = []  # bits, name, array

    def add(self, bits, text, array):
        self.count += 1
        self.lines.append(f"  %v{self.count} = {text}")
        self.values.append((bits, f"%v{self.count}", array.astype(TYPES[bits])))
        return self.values[-1]

    def pick(self, bits):
        return self.random.choice([v for v in self.values if v[0] == bits])

    def any(self):
        return self.pick(self.random.choice((8, 16, 32, 32)))

    def mask(self):
        bits, name, x = self.any()
        constant = self.random.choice((0xff, 0x7f, 0xff00, 0x3f80, 0xffff, 0x0f, 7, 0x8000, 0xff0000, self.random.getrandbits(32))) & ((1 << bits) - 1)
        self.add(bits, f"and i{bits} {name}, {constant}", x & TYPES[bits](constant))

    def shift(self):
        bits, name, x = self.any()
        amount = self.random.choice((1, 4, 7, 8, 16, 24, self.random.randrange(32))) % bits
        left = self.random.random() < 0.5
        self.add(bits, f"{'shl' if left else 'lshr'} i{bits} {name}, {amount}", x << TYPES[bits](amount) if left else x >> TYPES[bits](amount))

    def combine(self):
        bits, name, x = self.any()
        _, other, y = self.pick(bits)
        text, value = self.random.choice((("or", x | y), ("xor", x ^ y), ("add", x + y), ("and", x & y)))
        self.add(bits, f"{text} i{bits} {name}, {other}", value)

    def resize(self):
        bits, name, x = self.any()
        to = self.random.choice([b for b in TYPES if b != bits])
        if to < bits:
            self.add(to, f"trunc i{bits} {name} to i{to}", x)
        elif self.random.random() < 0.6:
            self.add(to, f"zext i{bits} {name} to i{to}", x)
        else:
            self.add(to, f"sext i{bits} {name} to i{to}", x.view(np.dtype(f"i{bits // 8}")).astype(f"i{to // 8}").view(TYPES[to]))

    def pack(self):
        """A number of bytes or halves, from their vector."""
        bits, total = self.random.choice(((8, 16), (8, 32), (16, 32)))
        count, vector, array = total // bits, "poison", np.zeros(LANES, TYPES[total])
        for i in range(count):
            _, name, x = self.pick(bits)
            zero = self.random.random() < 0.25
            self.count += 1
            self.lines.append(f"  %v{self.count} = insertelement <{count} x i{bits}> {vector}, i{bits} {'0' if zero else name}, i32 {i}")
            vector = f"%v{self.count}"
            array |= (TYPES[total](0) if zero else x.astype(TYPES[total])) << TYPES[total](i * bits)
        self.add(total, f"bitcast <{count} x i{bits}> {vector} to i{total}", array)

    def chain(self):
        """Selects by what a number is equal to: mostly one of a few in a row."""
        bits, number, x = self.any()
        if self.random.random() < 0.7:
            bits, number, x = self.small(bits, number, x)
        to, rest, result = self.any()
        size = self.random.randrange(1, 9)
        keys = list(range(size)) if self.random.random() < 0.7 else [self.random.randrange(12) for _ in range(size)]
        self.random.shuffle(keys)
        shape = self.random.choice((0xff, 0xff00, 0xffff, 0xff00ff00, 0xffffffff)) & ((1 << to) - 1)
        for key in keys:
            chosen = self.random.getrandbits(32) & shape
            is_equal = self.random.random() < 0.8
            self.count += 1
            self.lines.append(f"  %v{self.count} = icmp {'eq' if is_equal else 'ne'} i{bits} {number}, {key}")
            pair = (f"i{to} {chosen}", f"i{to} {rest}")
            text = ", ".join(pair if is_equal else pair[::-1])
            _, rest, result = self.add(to, f"select i1 %v{self.count}, {text}", np.where(x == key, TYPES[to](chosen), result))

    def exchange(self):
        """Through workgroup memory, to a place of which bits are exchanged, back from another one."""
        _, name, x = self.pick(32)
        first = self.random.randrange(0, 16384, 4)
        second = first ^ self.random.randrange(0, 4 * LANES, 4)
        part = self.random.randrange(0, 16384, 4)
        self.count += 1
        n = self.count
        wait = "  fence syncscope(\"workgroup\") seq_cst\n  call void @llvm.amdgcn.s.barrier()\n  fence syncscope(\"workgroup\") seq_cst"
        self.lines.append(f"  %x{n} = xor i32 %place, {first}\n  %p{n} = getelementptr i8, ptr addrspace(3) @lds, i32 %x{n}\n"
                          f"{wait}\n  store i32 {name}, ptr addrspace(3) %p{n}\n{wait}\n"
                          f"  %y{n} = xor i32 %place, {part}\n  %z{n} = xor i32 %y{n}, {part ^ second}\n  %q{n} = getelementptr i8, ptr addrspace(3) @lds, i32 %z{n}")
        self.add(32, f"load i32, ptr addrspace(3) %q{n}", x[np.arange(LANES) ^ (first ^ second) // 4])

    def small(self, bits, number, x):
        mask = self.random.choice((3, 7, 15))
        return self.add(bits, f"and i{bits} {number}, {mask}", x & TYPES[bits](mask))

    def text(self):
        for i, words in enumerate(self.inputs):
            self.lines.append(f"  %in{i} = getelementptr i32, ptr addrspace(1) %in, i32 {i * LANES}\n  %at{i} = getelementptr i32, ptr addrspace(1) %in{i}, i32 %lane")
            self.add(32, f"load i32, ptr addrspace(1) %at{i}", words)
        for bits in (8, 16):
            _, name, x = self.pick(32)
            self.add(bits, f"trunc i32 {name} to i{bits}", x)
        for _ in range(60):
            self.random.choice((self.mask, self.mask, self.shift, self.shift, self.combine, self.resize, self.pack, self.chain, self.exchange))()
        expected = []
        for i in range(OUTPUTS):
            bits, name, x = self.values[-1 - i] if i < OUTPUTS // 2 else self.any()
            if bits < 32:
                _, name, x = self.add(32, f"zext i{bits} {name} to i32", x)
            self.lines.append(f"  %out{i} = getelementptr i32, ptr addrspace(1) %out, i32 {i * LANES}\n  %to{i} = getelementptr i32, ptr addrspace(1) %out{i}, i32 %lane\n"
                              f"  store i32 {name}, ptr addrspace(1) %to{i}")
            expected.append(x)
        head = ('target triple = "amdgcn-amd-amdhsa"\ndeclare i32 @llvm.amdgcn.workitem.id.x()\n'
                "declare void @llvm.amdgcn.s.barrier()\n@lds = internal addrspace(3) global [16384 x i8] poison, align 16\n"
                'define amdgpu_kernel void @bits(ptr addrspace(1) noalias %in, ptr addrspace(1) noalias %out) "amdgpu-flat-work-group-size"="256,256" {\n'
                "  %id = call i32 @llvm.amdgcn.workitem.id.x()\n  %lane = and i32 %id, 255\n  %place = shl i32 %lane, 2\n")
        return head + "\n".join(self.lines) + "\n  ret void\n}\n", np.concatenate(expected).astype(np.uint32)


def differs(arguments, seed, folder):
    with np.errstate(over="ignore"):
        program = Program(seed)
        text, expected = program.text()
    name = os.path.join(folder, f"bits{seed}")
    with open(name + ".ll", "w") as file:
        file.write(text)
    np.save(name + ".in.npy", program.inputs.reshape(-1))
    np.save(name + ".expected.npy", expected)
    for command in ([arguments.inflight, "compile", f"-mcpu={arguments.chip}", name + ".ll", "-o", name + ".hsaco"],
                    [arguments.inflight, "run", name + ".hsaco", "--block", str(LANES), "--arg", name + ".in.npy", "--arg", f"zeros:{len(expected)}:u32",
                     "--expect", f"1={name}.expected.npy"]):
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        if done.returncode:
            print(f"seed {seed}: {' '.join(command[:2])}: {(done.stderr or done.stdout).strip()[:500]}", flush=True)
            return True
    return False


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("inflight")
    parser.add_argument("seed", type=int)
    parser.add_argument("count", type=int)
    parser.add_argument("--chip", default="gfx942")
    parser.add_argument("--keep")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        wrong = [seed for seed in range(arguments.seed, arguments.seed + arguments.count) if differs(arguments, seed, arguments.keep or folder)]
    print(f"{arguments.count} programs, {len(wrong)} different")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
