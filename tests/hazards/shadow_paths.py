#!/usr/bin/env python3
"""Random programs of chips whose hazards certain instructions end, walked along random paths by rules of their own.

    shadow_paths.py HAZARD_SCAN SEED COUNT

What a walk comes to too early hazard-scan must report, at that line, and what it inserts must leave no walk anything. The
rules are written down here anew, for a trace: nothing is shared with src/hazards."""
import pathlib
import random
import re
import subprocess
import sys
import tempfile

scan, seed, count = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
WMMA = {"v_wmma_f32_16x16x32_bf16": (4, 8), "v_wmma_i32_16x16x64_iu8": (8, 8)}  # VALU instructions wanted; registers of A


class Instruction:
    def __init__(self, text, kind, writes=(), reads=(), target=None, fields=()):
        self.text, self.kind, self.writes, self.reads = text, kind, set(writes), set(reads)
        self.target, self.fields = target, set(fields)


def span(first, number):
    return [f"v{first + i}" for i in range(number)]


def of_gfx1250(rng):
    """One instruction, the registers that it uses as strings, and what kind it is."""
    v = lambda: rng.randrange(48)
    choice = rng.random()
    if choice < 0.18:
        name = rng.choice(list(WMMA))
        d, a, b = rng.choice([0, 8, 16]), rng.choice([16, 24, 32]), rng.choice([24, 32, 40])
        text = f"{name} v[{d}:{d + 7}], v[{a}:{a + 7}], v[{b}:{b + 7}], v[{d}:{d + 7}]"
        return Instruction(text, name, span(d, 8), span(a, 8) + span(b, 8))
    if choice < 0.36:
        d, s = v(), v()
        return Instruction(f"v_exp_f32 v{d}, v{s}", "trans", [f"v{d}"], [f"v{s}"])
    if choice < 0.6:
        d, s = v(), v()
        return Instruction(f"v_mov_b32 v{d}, v{s}", "valu", [f"v{d}"], [f"v{s}"])
    if choice < 0.72:
        return Instruction("v_nop", "valu")
    return Instruction(rng.choice(["s_delay_alu instid0(VALU_DEP_1)", "s_set_vgpr_msb 0"]), "other")


def of_gfx1201(rng):
    s = lambda: rng.randrange(12)
    choice = rng.random()
    if choice < 0.3:
        r = s()
        return Instruction(f"v_mov_b32 v0, s{r}", "valu", [], [f"s{r}"])
    if choice < 0.5:
        d, r = s(), s()
        return Instruction(f"s_mov_b32 s{d}, s{r}", "salu", [f"s{d}"], [f"s{r}"])
    if choice < 0.65:
        d = s()
        return Instruction(f"v_readfirstlane_b32 s{d}, v1", "valu", [f"s{d}"])
    if choice < 0.85:
        fields = rng.sample(["sa_sdst", "va_sdst"], rng.randint(1, 2))
        return Instruction("s_wait_alu " + " ".join(f"depctr_{f}(0)" for f in fields), "wait", fields=fields)
    return Instruction("s_nop 0", "other")


def too_early_of_gfx1250(trace, at):
    """By the last matrix instructions and transcendentals before instruction `at` of a trace."""
    now, between = trace[at], 0
    if now.kind in ("other", "wait", "branch"):
        return False
    for before in reversed(trace[:at]):
        if before.kind in WMMA:
            wanted, is_wmma = WMMA[before.kind][0], now.kind in WMMA
            if between < wanted + is_wmma and (
                before.writes & now.reads
                if is_wmma
                else before.writes & (now.reads | now.writes) or before.reads & now.writes or before.writes & now.writes
            ):
                return True
        if before.kind == "trans" and between == 0 and now.kind != "trans":
            # C of a matrix instruction is read, too, and is what it writes.
            reads = now.reads | (now.writes if now.kind in WMMA else set())
            if before.writes & reads or before.reads & now.writes:
                return True
        between += before.kind not in ("other", "wait", "branch")
        if between > 9:
            return False
    return False


def too_early_of_gfx1201(trace, at):
    read, salu, valu = set(), set(), set()
    for number, now in enumerate(trace[: at + 1]):
        if "sa_sdst" in now.fields:
            salu.clear()
        if "va_sdst" in now.fields:
            valu.clear()
        known = {r for r in now.reads if int(r[1:]) // 2 in read}
        is_early = bool(known & salu or (now.kind == "valu" and known & valu))
        if number == at:
            return is_early
        if now.kind == "valu":
            read |= {int(r[1:]) // 2 for r in now.reads}
        if now.kind == "salu":
            valu = set() if known else valu - now.reads
        for r in now.writes:
            if int(r[1:]) // 2 in read:
                (salu if now.kind == "salu" else valu).add(r)
    return False


CHIPS = {"gfx1250": (of_gfx1250, too_early_of_gfx1250), "gfx1201": (of_gfx1201, too_early_of_gfx1201)}


def parse(line, chip):
    """What was inserted."""
    if line.startswith("s_wait_alu"):
        number = int(line.split()[1], 0) if "depctr" not in line else None
        fields = re.findall(r"depctr_(\w+)\(0\)", line) if number is None else []
        if number is not None:
            fields = [f for f, mask in (("sa_sdst", 1), ("va_sdst", 0xE00)) if not number & mask]
        return Instruction(line, "wait", fields=fields)
    return Instruction(line, "valu" if line == "v_nop" else "other")


def walks(rng, program):
    labels = {i.text[:-1]: n for n, i in enumerate(program) if i.kind == "label"}
    for _ in range(20):
        trace, at = [], 0
        while at < len(program) and len(trace) < 60:
            now = program[at]
            at += 1
            if now.kind != "label":
                trace.append((at - 1, now))
            if now.kind == "branch" and rng.random() < 0.5:
                at = labels[now.target]
        yield trace


def early(rng, program, too_early):
    found = set()
    for trace in walks(rng, program):
        plain = [i for _, i in trace]
        found |= {place for number, (place, _) in enumerate(trace) if too_early(plain, number)}
    return found


def main():
    lines_found = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            rng = random.Random(f"{seed} {number}")
            chip = rng.choice(list(CHIPS))
            make, too_early = CHIPS[chip]
            program = [make(rng) for _ in range(rng.randint(8, 24))]
            for label in range(rng.randint(1, 3)):
                program.insert(rng.randrange(len(program) + 1), Instruction(f"l{label}:", "label"))
                program.insert(rng.randrange(len(program) + 1), Instruction(f"s_cbranch_scc0 l{label}", "branch", target=f"l{label}"))
            file = pathlib.Path(folder) / "k.s"
            head = f'.amdgcn_target "amdgcn-amd-amdhsa--{chip}"\n.text\nk:\n'
            file.write_text(head + "\n".join(i.text for i in program) + "\ns_endpgm\n")
            report = subprocess.run([scan, chip, str(file)], capture_output=True, text=True).stdout
            reported = {int(n) - 4 for n in re.findall(r"^(?:k\.s:|l\.)?(\d+)\S*: ", report, re.M)}
            missed = early(rng, program, too_early) - reported
            lines_found += len(reported)
            if missed:
                sys.exit(f"{seed} {number}: not reported: {[program[i].text for i in missed]}\n{file.read_text()}{report}")
            subprocess.run([scan, "--rewrite", chip, str(file)], check=True)
            after = file.read_text().splitlines()[3:-1]
            known = {i.text: i for i in program}
            mended = [known[line] if line in known else parse(line, chip) for line in after]
            if left := early(rng, mended, too_early):
                sys.exit(f"{seed} {number}: inserted, and still {[mended[i].text for i in left]}\n{file.read_text()}")
    print(f"{count} programs, {lines_found} reported")


main()
