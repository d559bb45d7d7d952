"""Assembly text as instructions, and its mutants."""
import os
import re
import subprocess

OBJDUMP = "/usr/lib/llvm-22/bin/llvm-objdump"
COUNTERS = {"vmcnt": 63, "lgkmcnt": 15}


class Instruction:
    def __init__(self, address, text):
        self.address, self.text = address, text
        self.mnemonic, _, self.operands = text.partition(" ")


class Mutant:
    """`line` of the text becomes `replacement`, or goes if that is None."""

    def __init__(self, kind, number, line, original, replacement):
        self.kind, self.number, self.line, self.original, self.replacement = kind, number, line, original, replacement

    def __str__(self):
        return f"line {self.line + 1}: {self.original} -> {self.replacement or 'removed'}"


def waitcnt_fields(operands):
    return {name: int(value, 0) for name, value in re.findall(r"(vmcnt|expcnt|lgkmcnt)\((\w+)\)", operands)}


def waitcnt_text(fields):
    return "s_waitcnt " + " ".join(f"{name}({value})" for name, value in fields.items())


class Program:
    """`code` is a code object; `text` its assembly, which assembles to the same instructions in the same order."""

    def __init__(self, inflight, code, text=None):
        self.inflight = inflight
        if text is None:
            path = code + ".s"
            run([inflight, "dis", code, "-o", path])
            text = open(path).read()
        self.lines = text.split("\n")
        self.chip = re.search(r"amdgcn-amd-amdhsa-?-?(gfx\w+)", text)[1]
        self.instructions = disassemble(code)
        self.place = []  # line of each instruction
        in_code = False
        for number, line in enumerate(self.lines):
            word = strip(line)
            if re.match(r"\.(text|section|rodata|amdgpu_metadata)", word):
                in_code = word.startswith(".text") or ".text" in word
            elif in_code and re.match(r"[a-z]\w*( |$)", word):
                self.place.append(number)
        if len(self.place) != len(self.instructions):
            raise RuntimeError(f"{code}: {len(self.place)} lines of assembly, {len(self.instructions)} instructions")
        self.number_at = {i.address: n for n, i in enumerate(self.instructions)}

    def mutants(self):
        found = []
        for number, (instruction, line) in enumerate(zip(self.instructions, self.place)):
            def add(kind, replacement):
                found.append(Mutant(kind, number, line, instruction.text, replacement))

            if instruction.mnemonic == "s_waitcnt":
                add("wait removed", None)
                fields = waitcnt_fields(instruction.operands)
                for name, value in fields.items():
                    maximum = COUNTERS.get(name, 0)
                    if value < maximum - 1:
                        add("wait weakened by one", waitcnt_text({**fields, name: value + 1}))
                    if value < maximum and len(fields) > 1:
                        add("counter dropped", waitcnt_text({n: v for n, v in fields.items() if n != name}))
            elif instruction.mnemonic == "s_barrier":
                add("barrier removed", None)
            elif instruction.mnemonic == "s_nop":
                add("nop removed", None)
                count = int(instruction.operands, 0)
                if count:
                    add("nop shortened", f"s_nop {count - 1}")
        return found

    def assemble(self, mutant, path):
        lines = list(self.lines)
        lines[mutant.line] = "  " + mutant.replacement if mutant.replacement else ""
        with open(path + ".s", "w") as out:
            out.write("\n".join(lines))
        run([self.inflight, "asm", f"-mcpu={self.chip}", path + ".s", "-o", path])


def strip(line):
    return re.sub(r"(//|;).*", "", line).strip()


def disassemble(code):
    listing = subprocess.run([OBJDUMP, "-d", "--section=.text", code], capture_output=True, text=True, check=True).stdout
    return [Instruction(int(m[2], 16), re.sub(r"\s+", " ", m[1]).strip())
            for m in re.finditer(r"^\t(\S.*?)\s*// ([0-9A-F]+): ", listing, re.M)]


def run(command):
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(f"{' '.join(command)}\n{result.stderr[:2000]}")
    return result
