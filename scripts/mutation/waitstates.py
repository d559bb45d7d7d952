"""Missing wait states by a second, simpler reading of the manuals' tables.

Numbers: CDNA3 and CDNA4 ISA, "Manually inserted wait states" (4.5) and "Dependency resolution: required independent
instructions" (7.6 and 7.5); for gfx90a and where the manuals are silent, what LLVM's compiler provides
(GCNHazardRecognizer.cpp). Passes of matrix instructions follow from their shape and type.
"""
import re

from reference import registers

REACH = 20  # the longest distance in the tables
STORES = re.compile(r"store|atomic|ds_write|ds_add|ds_[a-z]+_(u|i|b|f)\d+$")


def matrix_passes(chip, mnemonic):
    """(kind, passes): xdl, sgemm (single precision on the plain pipeline) or dgemm."""
    m, n, k = map(int, re.search(r"(\d+)x(\d+)x(\d+)", mnemonic).groups())
    name = mnemonic.replace("_e64", "")
    if "_f64_" in name:
        if m == 4:
            return "dgemm4", 4
        return "dgemm16", 16 if chip == "gfx950" else 8
    if re.search(r"(x|_)\d*f32$", name) and not name.endswith("xf32"):
        return ("xdl" if chip == "gfx90a" else "sgemm"), {32: 16, 16: 8, 4: 2}[m]
    if "f8f6f4" in name:
        return "xdl", {16: 8, 32: 16}[m]  # of 8-bit operands; smaller ones take half
    if m == 4:
        return "xdl", 2
    if chip == "gfx90a" or "xf32" in name or k * (32 // m) ** 1 < (16 if re.search("i8|[fb]p?8", name.replace("bf16", "")) else 8) * (32 // m):
        small = {32: 16, 16: 8}
        return "xdl", small[m] if not ("xf32" in name and m == 32) else 16
    return "xdl", {32: 8, 16: 4}[m]


class State:
    """An instruction as the tables see it."""

    def __init__(self, instruction, chip):
        m, operands = instruction.mnemonic, instruction.operands
        parts = [p.strip() for p in re.split(r",(?![^\[]*\])", operands)]
        modifiers = " ".join(w for p in parts for w in p.split()[1:])
        values = [p.split()[0] if p else "" for p in parts]
        self.text, self.mnemonic = instruction.text, m
        self.states = int(operands, 0) + 1 if m == "s_nop" else 1
        self.is_matrix = bool(re.match(r"v_s?mfma", m)) or m.startswith("v_smfmac")
        self.is_valu = m.startswith("v_") and not self.is_matrix
        self.is_salu = m.startswith("s_") and not re.match(r"s_(load|buffer|store|atomic|scratch|mem|dcache|wait|nop|barrier|c?branch|endpgm)", m)
        self.is_memory = bool(re.match(r"(global|flat|scratch|buffer|tbuffer|ds)_", m))
        self.is_vmem = self.is_memory and m[:3] != "ds_"
        self.is_dma = self.is_vmem and ("_lds_" in m or "lds" in operands.split())
        self.is_dpp = "_dpp" in m or bool(re.search(r"quad_perm|row_|wave_|dpp", operands))
        self.is_lane = bool(re.match(r"v_(readlane|readfirstlane|writelane)", m))
        self.is_permlane = m.startswith("v_permlane")
        self.is_trans = bool(re.match(r"v_(exp|log|rcp|rsq|sqrt|sin|cos|rcp_iflag)_", m))
        self.shifts = "dst_sel:" in operands and "dst_sel:DWORD" not in operands or bool(re.search(r"op_sel:\[[01,]*1\]", operands)) and "_pk_" not in m
        count = 0 if not (self.is_valu or self.is_matrix or self.is_salu) else \
            2 if re.match(r"v_(add|sub|subrev|addc|subb|subbrev)_co|v_div_scale|v_mad_(u64_u32|i64_i32)|v_swap|v_permlane(16|32)_swap", m) else 1
        if re.match(r"s_(cmp|bitcmp|setreg|set|sendmsg|sleep)", m) or m == "v_nop":
            count = 0
        if self.is_memory:
            returns = "load" in m and not self.is_dma or re.search(r"ds_read|_rtn|permute|swizzle", m) or "atomic" in m and re.search(r"\b(sc0|glc)\b", operands)
            count = 1 if returns else 0
        self.writes = {r for v in values[:count] for r in registers(v)}
        self.reads = {r for v in values[count:] for r in registers(v)}
        if re.match(r"v_(fmac|mac|dot\d\w*c)_|v_writelane|v_swap|v_permlane(16|32)_swap|v_smfmac|v_pk_fmac", m) or self.shifts or self.is_dpp:
            self.reads |= {r for v in values[:1] for r in registers(v)}
        if m.startswith("v_cmpx"):
            self.writes |= {"exec"}
        elif count and values and values[0].startswith("exec"):
            self.writes |= {"exec"}
        self.exec_constant = self.is_valu and any(v.startswith("exec") for v in values[count:])
        self.carry = set(registers(values[-1])) if re.match(r"v_(addc|subb)", m) else set()  # the manuals name it with 0 states
        self.lane_select = set(registers(values[-1])) if re.match(r"v_(readlane|writelane)", m) else set()
        if re.match(r"v_div_fmas", m):
            self.reads |= {"vcc_lo", "vcc_hi"}
        self.stored = set()
        if self.is_vmem and "store" in m and re.search(r"(x3|x4|xyz|xyzw)$", m.replace("_dword", "")):
            self.stored = {r for r in self.reads if r[0] in "va"}
        # The manuals exempt stores with an SGPR offset; an MI350X wants one wait state there (llvm/llvm-project PR 197267).
        self.has_scalar_offset = m.startswith("buffer_") and len(values) > 3 and bool(re.match(r"s\d|m0|ttmp", values[3]))
        if self.is_matrix:
            self.kind, self.passes = matrix_passes(chip, m)
            sources = [registers(v) for v in values[1:4]]
            self.factors = set(sources[0]) | set(sources[1])
            self.accumulator = sources[2] if m.startswith("v_mfma") and len(sources) > 2 else registers(values[0]) if m.startswith("v_smfmac") else []
            self.result = registers(values[0])
            if m.startswith("v_smfmac"):
                self.factors |= set(sources[2])
            if "v_mfma_scale" in m or "mfma_ld_scale" in m:
                self.factors |= {r for v in values[4:] for r in registers(v)}


def vectors(registers):
    return {r for r in registers if r[0] in "va" and r[:3] != "vcc"}


def scalars(registers):
    return {r for r in registers if r[0] == "s" or r[:3] == "vcc"}


def required(chip, before, now):
    """Wait states that must lie between two instructions."""
    later = chip != "gfx90a"
    need = 0
    if before.is_valu:
        written = scalars(before.writes)
        if written:
            if written & now.lane_select or now.mnemonic.startswith("v_div_fmas") and written & {"vcc_lo", "vcc_hi"}:
                need = max(need, 4)
            if now.is_vmem and written & now.reads:
                need = max(need, 5)
            if later and now.is_valu and written & (now.reads - now.carry):
                need = max(need, 2)
        if "exec" in before.writes:
            if now.is_dpp:
                need = max(need, 5)
            if now.is_matrix or later and now.is_lane or chip == "gfx950" and now.is_permlane:
                need = max(need, 4)
            if later and now.exec_constant:
                need = max(need, 2)
        written = vectors(before.writes)
        if written & now.reads:
            if now.is_dpp:
                need = max(need, 2)
            if now.is_matrix:
                need = max(need, 2)
            if later and now.is_lane or later and before.is_trans and now.is_valu and not now.is_trans or later and before.shifts and now.is_valu:
                need = max(need, 1)
            if chip == "gfx950" and now.is_permlane:
                need = max(need, 2)
    if before.is_salu and "m0" in before.writes and (now.is_dma or now.mnemonic == "s_sendmsg" or now.mnemonic.startswith(("s_movrel", "ds_gws"))):
        need = max(need, 1)
    if before.mnemonic.startswith("s_setreg") and now.mnemonic.startswith(("s_getreg", "s_setreg")):
        need = max(need, 2)
    if before.stored & now.writes and now.is_valu:
        # With an SGPR offset one state less (llvm/llvm-project PR 197267).
        need = max(need, 1 + later - before.has_scalar_offset)
    if before.is_matrix:
        need = max(need, after_matrix(chip, before, now))
    return need


def after_matrix(chip, before, now):
    kind, passes, result = before.kind, before.passes, set(before.result)
    long = passes + (4 if chip == "gfx950" and kind == "xdl" and passes > 2 else 3) if kind != "sgemm" else passes + 2
    overlap = passes if kind == "sgemm" or chip == "gfx90a" else passes + (2 if chip == "gfx950" else 1)
    memory = long
    if kind == "dgemm16":
        overlap, long, memory = (17, 19, 18) if chip == "gfx950" else (9, 11, 18)
    elif kind == "dgemm4":
        overlap, long, memory = 4, 6, 9
    need = 0
    if now.is_matrix:
        if result & now.factors:
            need = long
        if result & set(now.accumulator):
            same = before.result == now.accumulator and kind[0] == now.kind[0]
            if same and kind != "dgemm4":
                need = max(need, 2 if chip != "gfx90a" and passes == 2 else 0)
            elif kind == "sgemm" and now.kind == "xdl":
                pass
            elif chip != "gfx90a" and kind == "xdl" and now.kind != "xdl":
                need = max(need, passes + (2 if chip == "gfx950" and passes > 2 else 1))
            elif chip == "gfx90a" and kind == "xdl" and now.kind != "xdl":
                need = max(need, passes + 1)
            else:
                need = max(need, overlap)
    elif now.is_valu:
        if result & (now.reads | now.writes):
            need = long
        if kind == "xdl" and set(before.accumulator) & now.writes:
            need = max(need, passes - 1)
    elif now.is_memory and result & now.reads:
        need = memory
    return need


class WaitStates:
    def __init__(self, program, reference):
        self.chip, self.instructions = program.chip, program.instructions
        self.states = [State(i, program.chip) for i in program.instructions]
        self.paths = {tuple(e.number for e in reference.groups[group][wave]) for group, wave in set(reference.path_of.values())}
        self.rules = {}

    def required(self, before, now):
        key = before, now
        if key not in self.rules:
            self.rules[key] = required(self.chip, self.states[before], self.states[now])
        return self.rules[key]

    def missing(self, mutant=None):
        """The first place of a path with too few wait states between two instructions, or None."""
        moved = mutant if mutant and mutant.after else None
        # A barrier that some waves run besides takes no instruction away.
        mutant = None if moved or (mutant and mutant.late) else mutant
        if mutant:
            states = int(mutant.replacement.split()[1]) + 1 if mutant.replacement and mutant.replacement.startswith("s_nop") else 1 if mutant.replacement else 0
        seen = set()
        for path in self.paths:
            if moved:
                path = tuple(path[i] for i in moved.reorder(path))
            for position, number in enumerate(path):
                if moved and moved.number not in path[max(0, position - REACH):position + 1]:
                    continue
                if mutant and mutant.number not in path[max(0, position - REACH):position]:
                    continue
                window = path[max(0, position - REACH):position + 1]
                if window in seen:
                    continue
                seen.add(window)
                between = 0
                for before in reversed(window[:-1]):
                    if between >= REACH:
                        break
                    if number != (mutant and mutant.number) and self.required(before, number) > between:
                        return f"{self.required(before, number)} wait states between '{self.instructions[before].text}' and '{self.instructions[number].text}', {between} there"
                    between += states if mutant and before == mutant.number else self.states[before].states
        return None
