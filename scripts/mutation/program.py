"""Assembly text as instructions, and its mutants."""
import os
import re
import subprocess

OBJDUMP = "/usr/lib/llvm-22/bin/llvm-objdump"
COUNTERS = {"vmcnt": 63, "lgkmcnt": 15}
ORDERING = ("s_waitcnt", "s_barrier")


class Instruction:
    def __init__(self, address, text):
        self.address, self.text = address, text
        self.mnemonic, _, self.operands = text.partition(" ")


class Mutant:
    """`line` of the text becomes `replacement`, or goes if that is None, or stands after the instruction `after`. With `late`, waves from
    that number on come to one barrier more in front of the line, and the others to one more at the end. With `others`, {line: text}, more
    lines are replaced: it accesses other places than the program as it was, and is judged from its own trace."""

    def __init__(self, kind, number, line, original, replacement, after=None, late=None, others=None):
        self.kind, self.number, self.line, self.original, self.replacement, self.after = kind, number, line, original, replacement, after
        self.late, self.others = late, others

    def __str__(self):
        if self.late:
            return f"line {self.line + 1}: {self.original} -> waves from {self.late} on one barrier later"
        distance = self.after - self.number if self.after else 0
        where = f"after the {'next' if distance == 1 else f'{distance}th'} instruction" if self.after else None
        others = "".join(f", line {line + 1}: {text}" for line, text in (self.others or {}).items()).replace("\n", ";")
        return f"line {self.line + 1}: {self.original} -> {where or self.replacement or 'removed'}{others}"

    def reorder(self, numbers):
        """Where in an executed list of numbers each instruction of the mutant stood: straight code runs as a whole."""
        order, held = [], []
        for index, number in enumerate(numbers):
            if number == self.number and self.after:
                held.append(index)
                continue
            order.append(index)
            if number == self.after:
                order += held
                held = []
        return order + held


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
        return found + self.moves() + self.pairs() + self.rings()

    def counted(self, number, counter):
        """Whether an instruction counts on it, and returns in order."""
        m = self.instructions[number].mnemonic
        return bool(re.match(r"(global|buffer|scratch|tbuffer)_(load|store|atomic)", m)) if counter == "vmcnt" else m.startswith("ds_")

    def arrives(self, number):
        """Whether something arrives in registers or LDS that counts."""
        instruction = self.instructions[number]
        return bool(re.match(r"(global|buffer|scratch)_load|ds_read", instruction.mnemonic))

    def pairs(self):
        """Two operations in flight to one place. The last one that a wait makes sure of is there twice, so that the weakened wait makes sure
        of the first of the two; or two loads that follow each other bring what they load to one register."""
        found = []
        for number, (instruction, line) in enumerate(zip(self.instructions, self.place)):
            if instruction.mnemonic == "s_waitcnt":
                fields = waitcnt_fields(instruction.operands)
                for name, value in fields.items():
                    if value + 1 >= COUNTERS.get(name, 0):
                        continue
                    before = [n for n in range(number - 1, -1, -1) if self.counted(n, name)]
                    if len(before) > value and self.arrives(before[value]):
                        twice = self.place[before[value]]
                        found.append(Mutant("pair, wait weakened", number, line, instruction.text, waitcnt_text({**fields, name: value + 1}),
                                            others={twice: self.lines[twice].strip() + "\n" + self.lines[twice]}))
            elif self.arrives(number) and "lds" not in instruction.text:
                target = re.match(r"v(\d+|\[\d+:\d+\])", instruction.operands)
                following = [n for n in range(number + 1, min(number + 8, len(self.instructions))) if self.arrives(n)]
                if target and following and self.instructions[following[0]].mnemonic == instruction.mnemonic:
                    second = self.place[following[0]]
                    text = re.sub(r"^(\s*\S+\s+)v(\d+|\[\d+:\d+\])", r"\g<1>" + target[0], self.lines[second])
                    if text != self.lines[second] and "lds" not in text:
                        found.append(Mutant("destination shared", following[0], second, self.instructions[following[0]].text, text.strip(), others={}))
        return found

    def rings(self):
        """LDS DMA into too few buffers or the wrong one: M0 or a register that holds a buffer's place keeps its value, an offset is another
        one's, a constant of scalar arithmetic is smaller or none."""
        is_dma = [bool(re.search(r" lds( |$)|_lds_", i.text)) for i in self.instructions]
        if not any(is_dma):
            return []
        found = []

        def add(kind, number, text):
            found.append(Mutant(kind, number, self.place[number], self.instructions[number].text, text, others={}))

        offsets = [re.search(r"offset:(\d+)", i.text) for i in self.instructions]
        for number, instruction in enumerate(self.instructions):
            m = instruction.mnemonic
            if m.startswith("s_") and re.match(r"m0\b", instruction.operands):
                add("M0 kept", number, None)
            elif re.match(r"s_(mov_b32 s\d+, s\d|cselect_b32 s\d+, s\d|xor_b32 s(\d+), s\2,)", instruction.text):
                add("buffer kept", number, None)
            if is_dma[number] and offsets[number]:
                add("other buffer", number, re.sub(r" offset:\d+", "", self.lines[self.place[number]]).strip())
            if m.startswith("ds_read_b") and offsets[number]:
                others = {o[1] for n, o in enumerate(offsets) if o and self.instructions[n].mnemonic == m} - {offsets[number][1]}
                if others:
                    nearest = min(others, key=lambda o: (abs(int(o) - int(offsets[number][1])), int(o)))
                    add("other buffer", number, re.sub(r"offset:\w+", f"offset:{nearest}", self.lines[self.place[number]]).strip())
            if re.match(r"s_(and|xor|cselect|mov|mul_i|add_u|add_i|cmp_\w+_[ui]|cmpk_\w+_[ui]|lshl|movk_i|addk_i)_?(32|b32)", m):
                line = self.lines[self.place[number]]
                constant = re.search(r"(?<=[ ,])(0x[0-9a-f]+|\d+)(?=\s*(,|$|//|;))", line.partition("//")[0].rstrip())
                value = int(constant[1], 0) if constant else 0
                for kind, less in {"constant halved": value // 2, "buffers joined": 0}.items() if value else ():
                    if kind == "constant halved" or m in ("s_add_u32", "s_add_i32", "s_xor_b32"):
                        add(kind, number, (line[:constant.start()] + str(less) + line[constant.end():]).strip())
        return found

    def shifts(self, once, entry, late):
        """From each LDS access, LDS DMA and barrier among the instructions `once`, and from the first on, the waves from `late` on run one
        barrier after the others."""
        if not self.free_scalars():
            return []
        touches = re.compile(r"ds_|s_barrier|.* lds( |$)|.*_lds_")
        numbers = [n for n in sorted(once) if n == entry or touches.match(self.instructions[n].text)]
        found = [Mutant("barrier shifted", n, self.place[n], self.instructions[n].text, None, late=late) for n in numbers]
        for mutant in found:
            mutant.entry = entry
        return found

    def free_scalars(self):
        """Two scalar registers that are allocated and that no instruction names."""
        stated = re.search(r"\.amdhsa_next_free_sgpr (\d+)|\.sgpr_count: (\d+)", "\n".join(self.lines))
        if not stated:
            return None
        count = int(stated[1] or int(stated[2]) - 6) # the metadata counts VCC, FLAT_SCRATCH and XNACK_MASK
        allocated = min(102, -(-(count + 6) // 16) * 16) - 6
        named = {int(n) for i in self.instructions for pair in re.findall(r"(?<![\w.])s(?:(\d+)|\[\d+:(\d+)\])", i.text) for n in pair if n}
        first = max(named, default=0) + 1
        return (first, first + 1) if first + 2 <= allocated else None

    def shifted(self, mutant):
        wave, scc = self.free_scalars()
        lines = list(self.lines)
        barrier_of = "  s_cselect_b32 s{scc}, 1, 0\n  s_cmp_{condition}_u32 s{wave}, {late}\n  s_cbranch_scc0 .Lshift{number}\n  s_barrier\n" \
                     ".Lshift{number}:\n  s_cmp_lg_u32 s{scc}, 0\n"
        ends = [n for n, i in enumerate(self.instructions) if i.mnemonic == "s_endpgm"]
        for number in [mutant.number] + ends:
            condition = "ge" if number == mutant.number else "lt"
            lines[self.place[number]] = barrier_of.format(scc=scc, wave=wave, late=mutant.late, number=number, condition=condition) + lines[self.place[number]]
        first = self.place[mutant.entry]
        lines[first] = f"  v_readfirstlane_b32 s{wave}, v0\n  s_and_b32 s{wave}, s{wave}, 0x3ff\n  s_lshr_b32 s{wave}, s{wave}, 6\n" + lines[first]
        return lines

    def moves(self):
        """A wait or a barrier changes places with its neighbour; waits for vector memory go after the next barrier."""
        found = []

        def add(kind, number, after):
            found.append(Mutant(kind, number, self.place[number], self.instructions[number].text, None, after))

        for number, instruction in enumerate(self.instructions):
            straight = self.straight(number)
            if straight and (instruction.mnemonic in ORDERING or self.instructions[number + 1].mnemonic in ORDERING):
                add("neighbours swapped", number, number + 1)
            if instruction.mnemonic != "s_waitcnt" or "vmcnt" not in instruction.operands:
                continue
            after = number
            while self.straight(after):
                after += 1
                if self.instructions[after].mnemonic == "s_barrier":
                    if after > number + 1:
                        add("wait after barrier", number, after)
                    break
        return found

    def straight(self, number):
        """Whether an instruction and the next always run one after the other, wherever they stand."""
        if number + 1 >= len(self.instructions):
            return False
        if any(re.match(r"s_(c?branch|endpgm|setpc|swappc|getpc|call|trap|cbranch)", self.instructions[n].mnemonic) for n in (number, number + 1)):
            return False
        return not any(strip(line).endswith(":") for line in self.lines[self.place[number] + 1:self.place[number + 1]])

    def assemble(self, mutant, path):
        lines = self.shifted(mutant) if mutant.late else list(self.lines)
        if not mutant.late:
            moved, lines[mutant.line] = lines[mutant.line], "  " + mutant.replacement if mutant.replacement else ""
            if mutant.after:
                lines[self.place[mutant.after]] += "\n" + moved
            for line, text in (mutant.others or {}).items():
                lines[line] = "  " + text
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
