#!/usr/bin/env python3
"""Prints an LLVM module of random straight code whose instructions have wait-state rules with one another.

    random_ir.py CHIP SEED [FUNCTIONS] > module.ll

Every value is soon used by another kind of instruction, so that llc, which knows the rules too, has to place s_nop.
What it makes is scanned with hazard-scan: a finding is a mistake of one of the two.
"""
import random
import sys

F16, BF16, I8, FP8 = "<4 x half>", "<4 x i16>", "i32", "i64"
# name, result, A and B, chips; three more arguments follow the accumulator.
MFMA = [
    ("f32.4x4x1f32", 4, "float", "float", "942 950 90a"), ("f32.16x16x4f32", 4, "float", "float", "942 950 90a"),
    ("f32.32x32x2f32", 16, "float", "float", "942 950 90a"), ("f32.32x32x1f32", 32, "float", "float", "942 950 90a"),
    ("f32.4x4x4f16", 4, F16, F16, "942 950 90a"), ("f32.16x16x16f16", 4, F16, F16, "942 950 90a"),
    ("f32.32x32x8f16", 16, F16, F16, "942 950 90a"), ("f32.32x32x4f16", 32, F16, F16, "942 950 90a"),
    ("f32.16x16x16bf16.1k", 4, BF16, BF16, "942 950 90a"),
    ("f32.16x16x32.fp8.fp8", 4, "i64", "i64", "942 950"), ("f32.32x32x16.bf8.fp8", 16, "i64", "i64", "942 950"),
    ("f32.16x16x8.xf32", 4, "<2 x float>", "<2 x float>", "942"), ("f32.16x16x32.f16", 4, "<8 x half>", "<8 x half>", "950"),
    ("f32.32x32x16.f16", 16, "<8 x half>", "<8 x half>", "950"),
]


class Function:
    def __init__(self, rng, chip, name):
        self.rng, self.chip, self.name = rng, chip, name
        self.lines, self.count, self.values, self.declared = [], 0, {}, set()

    def emit(self, kind, text):
        self.count += 1
        name = f"%v{self.count}"
        self.lines.append(f"  {name} = {text}")
        self.values.setdefault(kind, []).append(name)
        return name

    def call(self, kind, intrinsic, arguments):
        types = ", ".join(a.rsplit(" ", 1)[0].removeprefix("immarg ") for a in arguments)
        self.declared.add(f"declare {kind} @{intrinsic}({types})")
        return self.emit(kind, f"call {kind} @{intrinsic}({', '.join(arguments)})")

    def value(self, kind):
        """A value of the type, likely a young one, made of another type's if there is none."""
        known = self.values.get(kind)
        if known and self.rng.random() < 0.8:
            return known[-1 - min(int(self.rng.expovariate(0.7)), len(known) - 1)]
        size = {"float": 32, "i32": 32, "double": 64, "i64": 64, "half": 16, F16: 64, BF16: 64, "<2 x half>": 32, "<2 x float>": 64, "<8 x half>": 128,
                "<4 x i32>": 128}[kind]
        if size == 32 and kind != "i32":
            return self.emit(kind, f"bitcast i32 {self.value('i32')} to {kind}")
        if kind == "i32":
            vectors = [k for k in self.values if k.endswith("x float>")]
            if vectors and self.rng.random() < 0.7:
                vector = self.rng.choice(vectors)
                lane = self.rng.randrange(int(vector[1:].split(" ")[0]))
                return self.emit("i32", f"bitcast float {self.emit('float', f'extractelement {vector} {self.value_of(vector)}, i32 {lane}')} to i32")
            return self.emit("i32", f"add i32 {self.value_of('i32')}, {self.value_of('i32')}")
        if kind == "half":
            return self.emit("half", f"extractelement <2 x half> {self.value('<2 x half>')}, i32 {self.rng.randrange(2)}")
        count = size // 32
        pair = f"<{count} x i32>"
        name = "poison"
        for i in range(count):
            name = self.emit(pair, f"insertelement {pair} {name}, i32 {self.value('i32')}, i32 {i}")
        return name if kind == pair else self.emit(kind, f"bitcast {pair} {name} to {kind}")

    def value_of(self, kind):
        known = self.values[kind]
        return known[-1 - min(int(self.rng.expovariate(0.7)), len(known) - 1)]

    def accumulator(self, count):
        kind = f"<{count} x float>"
        if kind in self.values and self.rng.random() < 0.75:
            return self.value_of(kind)
        return self.emit(kind, f"insertelement {kind} zeroinitializer, float {self.value('float')}, i32 {self.rng.randrange(count)}")

    def mfma(self):
        name, count, a, b, chips = self.rng.choice([m for m in MFMA if self.chip in m[4].split()])
        kind = f"<{count} x float>"
        self.call(kind, f"llvm.amdgcn.mfma.{name}", [f"{a} {self.value(a)}", f"{b} {self.value(b)}", f"{kind} {self.accumulator(count)}", "i32 0", "i32 0", "i32 0"])

    def sparse(self):
        kind = "<4 x float>"
        if self.chip != "90a":
            self.call(kind, "llvm.amdgcn.smfmac.f32.16x16x32.f16", [f"{F16} {self.value(F16)}", f"<8 x half> {self.value('<8 x half>')}",
                      f"{kind} {self.accumulator(4)}", f"i32 {self.value('i32')}", "i32 0", "i32 0"])

    def double(self):
        if self.rng.random() < 0.5:
            return self.call("double", "llvm.amdgcn.mfma.f64.4x4x4f64", [f"double {self.value('double')}", f"double {self.value('double')}", f"double {self.value('double')}", "i32 0", "i32 0", "i32 0"])
        if self.rng.random() < 0.5:
            return self.call("double", "llvm.fma.f64", [f"double {self.value('double')}"] * 2 + [f"double {self.value('double')}"])
        kind = "<4 x double>"
        c = self.value_of(kind) if kind in self.values else "zeroinitializer"
        v = self.call(kind, "llvm.amdgcn.mfma.f64.16x16x4f64", [f"double {self.value('double')}", f"double {self.value('double')}", f"{kind} {c}", "i32 0", "i32 0", "i32 0"])
        return self.emit("double", f"extractelement {kind} {v}, i32 {self.rng.randrange(4)}")

    def dot(self):
        if self.rng.random() < 0.5:
            self.call("i32", "llvm.amdgcn.sdot4", [f"i32 {self.value('i32')}", f"i32 {self.value('i32')}", f"i32 {self.value('i32')}", "i1 0"])
        else:
            self.call("float", "llvm.amdgcn.fdot2", [f"<2 x half> {self.value('<2 x half>')}", f"<2 x half> {self.value('<2 x half>')}", f"float {self.value('float')}", "i1 0"])

    def lanes(self):
        choice = self.rng.randrange(6)
        if choice == 0:
            self.call("i32", "llvm.amdgcn.readlane.i32", [f"i32 {self.value('i32')}", f"i32 {self.call('i32', 'llvm.amdgcn.readfirstlane.i32', ['i32 ' + self.value('i32')])}"])
        elif choice == 1:
            self.call("i32", "llvm.amdgcn.readfirstlane.i32", [f"i32 {self.value('i32')}"])
        elif choice == 2:
            self.call("i32", "llvm.amdgcn.writelane.i32", [f"i32 {self.call('i32', 'llvm.amdgcn.readfirstlane.i32', ['i32 ' + self.value('i32')])}", "i32 3", f"i32 {self.value('i32')}"])
        elif choice == 3 and self.chip == "950":
            pair = self.call("{i32, i32}", "llvm.amdgcn.permlane32.swap", [f"i32 {self.value('i32')}", f"i32 {self.value('i32')}", "i1 0", "i1 0"])
            self.values["{i32, i32}"].pop()
            self.emit("i32", f"extractvalue {{i32, i32}} {pair}, {self.rng.randrange(2)}")
        else:
            self.call("i32", "llvm.amdgcn.update.dpp.i32", [f"i32 {self.value('i32')}", f"i32 {self.value('i32')}", "i32 257", "i32 15", "i32 15", "i1 0"])

    def scalars(self):
        s = self.call("i32", "llvm.amdgcn.readfirstlane.i32", [f"i32 {self.value('i32')}"])
        if self.rng.random() < 0.5:
            wide = self.emit("i64", f"zext i32 {s} to i64")
            p = self.emit("p1", f"getelementptr i8, ptr addrspace(1) %p, i64 {wide}")
            at = self.emit("p1", f"getelementptr i32, ptr addrspace(1) {p}, i32 %t")
            self.emit("i32", f"load i32, ptr addrspace(1) {at}")
        else:
            self.emit("i32", f"xor i32 {s}, {self.value('i32')}")

    def math(self):
        f = f"float {self.value('float')}"
        choice = self.rng.randrange(8)
        if choice < 3:
            self.call("float", self.rng.choice(["llvm.amdgcn.exp2.f32", "llvm.amdgcn.log.f32", "llvm.amdgcn.rcp.f32", "llvm.amdgcn.sin.f32"]), [f])
        elif choice == 3:
            self.emit("float", f"fdiv float {self.value('float')}, {self.value('float')}")
        elif choice == 4:
            c = self.emit("i1", f"fcmp olt float {self.value('float')}, {self.value('float')}")
            self.emit("float", f"select i1 {c}, float {self.value('float')}, float {self.value('float')}")
        elif choice == 5 and self.chip != "90a":
            self.call("i32", "llvm.amdgcn.cvt.pk.fp8.f32", [f, f, f"i32 {self.value('i32')}", f"i1 {self.rng.randrange(2)}"])
        elif choice == 6 and self.chip != "90a":
            self.call("i32", "llvm.amdgcn.cvt.sr.bf8.f32", [f, f"i32 {self.value('i32')}", f"i32 {self.value('i32')}", f"i32 {self.rng.randrange(4)}"])
        elif choice == 7 and self.chip == "950":
            self.call("i32", "llvm.amdgcn.cvt.scalef32.pk.fp4.f32", [f"i32 {self.value('i32')}", f, f, f"float {self.value('float')}", f"i32 {self.rng.randrange(4)}"])
        else:
            self.emit("float", f"fmul float {self.value('float')}, {self.value('float')}")
            a, b = self.value("half"), self.value("half")
            h = self.emit("half", f"fadd half {a}, {b}")
            v = self.emit("<2 x half>", f"insertelement <2 x half> {self.value('<2 x half>')}, half {h}, i32 1")
            self.emit("i32", f"bitcast <2 x half> {v} to i32")

    def store(self):
        kinds = [k for k in self.values if k in ("i32", "float", "double", "<4 x i32>", "<4 x float>", "<16 x float>", "<4 x double>")]
        kind = self.rng.choice(kinds)
        p = self.emit("p1", f"getelementptr i32, ptr addrspace(1) %p, i32 {self.rng.choice(['%t', self.value('i32')])}")
        self.lines.append(f"  store {kind} {self.value_of(kind)}, ptr addrspace(1) {p}, align 16")

    def lds(self):
        p = self.emit("p3", f"getelementptr i32, ptr addrspace(3) %l, i32 {self.value('i32')}")
        if self.rng.random() < 0.5:
            self.emit("i32", f"load i32, ptr addrspace(3) {p}")
        else:
            self.lines.append(f"  store i32 {self.value('i32')}, ptr addrspace(3) {p}")

    def text(self, length):
        self.lines.append(f"define amdgpu_kernel void @{self.name}(ptr addrspace(1) %p, ptr addrspace(3) %l) {{")
        self.lines.append("  %t = call i32 @llvm.amdgcn.workitem.id.x()")
        self.declared.add("declare i32 @llvm.amdgcn.workitem.id.x()")
        self.values["i32"] = ["%t"]
        steps = [self.mfma] * 5 + [self.double, self.sparse, self.dot, self.lanes, self.lanes, self.scalars, self.math, self.math, self.store, self.store, self.lds]
        for _ in range(length):
            self.rng.choice(steps)()
        for _ in range(4):
            self.store()
        self.lines += ["  ret void", "}"]
        return self.lines


def main():
    chip, seed = sys.argv[1].removeprefix("gfx"), int(sys.argv[2])
    rng = random.Random(seed)
    declared = set()
    for i in range(int(sys.argv[3]) if len(sys.argv) > 3 else 8):
        function = Function(rng, chip, f"k{i}")
        print("\n".join(function.text(rng.randrange(20, 120))))
        declared |= function.declared
    print("\n".join(sorted(declared)))


if __name__ == "__main__":
    main()
