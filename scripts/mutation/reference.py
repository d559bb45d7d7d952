"""Whether a wait or a barrier was needed, judged from what the unmutated kernel executed.

Shares no code with the checks of `inflight run`: the registers come from llvm-objdump's text, the path and the places of
the accesses from `--trace`. The rules are those of the ISA manuals' chapter on data dependencies:

- vector memory operations and LDS operations return in the order of issue, each kind with its own counter; scalar loads
  and FLAT operations return in any order, so that only a wait for 0 tells they are done; FLAT counts on both counters;
- a register that a load writes must be neither read nor written before the load is done. Loads of one kind that return
  in order may follow each other into one register; other vector memory may follow a FLAT load whose part in LDS has been waited for;
- LDS DMA counts on vmcnt; it and the LDS unit don't wait for each other;
- two waves must not touch one byte between two barriers where one of them writes, unless both are atomic. An LDS
  operation or LDS DMA not waited for before a barrier counts on both sides. Memory is in order for a workgroup. In global memory plain
  reads don't race with atomics.
"""
import re
from collections import Counter, defaultdict

import numpy as np

from program import Instruction

REGISTER = re.compile(r"(?<![\w.])([vas])(?:(\d+)|\[(\d+):(\d+)\])(?!\w)|(?<!\w)(vcc_lo|vcc_hi|vcc|m0|exec_lo|exec_hi|exec)(?!\w)")
SPECIAL = {"vcc": ["vcc_lo", "vcc_hi"], "exec": []}


def registers(text):
    found = []
    for kind, single, first, last, special in REGISTER.findall(text):
        if special:
            found += SPECIAL.get(special, [special])
        elif single:
            found.append(kind + single)
        else:
            found += [f"{kind}{n}" for n in range(int(first), int(last) + 1)]
    return found


class Facts:
    """What the simulation needs to know of an instruction."""

    def __init__(self, instruction):
        m, operands = instruction.mnemonic, instruction.operands
        first, _, rest = operands.partition(",")
        words = operands.split()
        self.is_wait = m == "s_waitcnt"
        self.wait = {}
        if self.is_wait:
            fields = dict(re.findall(r"(vmcnt|lgkmcnt)\((\w+)\)", operands))
            self.wait = {name: int(value, 0) for name, value in fields.items()}
        self.is_barrier = m == "s_barrier"
        self.is_smem = bool(re.match(r"s_(load|buffer_load|scratch_load|store|buffer_store|scratch_store|atomic|buffer_atomic|memtime|memrealtime|dcache)", m))
        self.is_lds = m.startswith("ds_")
        self.is_flat = m.startswith("flat_")
        self.is_vmem = bool(re.match(r"(global|scratch|buffer|tbuffer)_", m)) and not re.match(r"buffer_(inv|wbl2|wbinv)", m)
        self.is_dma = self.is_vmem and ("_lds_" in m or "lds" in words)
        self.counters = (["vmcnt"] if self.is_vmem or self.is_flat else []) + (["lgkmcnt"] if self.is_lds or self.is_smem or self.is_flat else [])
        self.in_order = self.is_lds or self.is_vmem
        self.is_half = "_d16" in m
        returns = (self.is_smem and not re.search("store|dcache", m) or
                   self.is_lds and bool(re.search(r"read|_rtn|permute|swizzle|append|consume", m)) or
                   (self.is_vmem or self.is_flat) and not self.is_dma and ("_load_" in m or "_atomic" in m and ("sc0" in words or "glc" in words)))
        self.results = registers(first) if returns else []
        self.others = registers(rest) if returns else registers(operands)
        if m in ("s_cbranch_vccz", "s_cbranch_vccnz"):
            self.others += ["vcc_lo", "vcc_hi"]
        self.lane_wise = m[:2] == "v_" and not re.search(r"mfma|smfmac|lane|dpp|permlane", m) and "row_" not in operands and "quad_perm" not in operands or \
            self.is_vmem or self.is_flat or self.is_lds and not re.search("permute|swizzle|_tr_", m)


class Operation:
    __slots__ = ("facts", "exec", "waiting", "event", "epoch", "lds_done", "replaced")

    def lanes(self, register):
        """In which the register's value is this one's, not that of a later load."""
        return self.exec & ~self.replaced[register]

    def is_before(self, load):
        """Whether a load writes its registers after what is left of this FLAT operation."""
        return self.facts.is_flat and "lgkmcnt" not in self.waiting and load.is_vmem and bool(load.results) and not load.is_half


class Event:
    """An executed instruction with its accesses: (kind, space, bytes, places)."""
    __slots__ = ("number", "exec", "accesses")


def read_trace(path, program):
    """{workgroup: {wave: [Event]}}"""
    groups = defaultdict(lambda: defaultdict(list))
    for line in open(path):
        words = line.split()
        if line[0] == " ":
            event.accesses.append((words[0], words[1], int(words[2]), np.array([int(w, 16) for w in words[3:]], np.uint64)))
            continue
        event = Event()
        event.number, event.exec, event.accesses = program.number_at[int(words[2], 16)], int(words[3], 16), []
        groups[words[0]][int(words[1])].append(event)
    return groups


def overlap(a, b):
    """Whether two accesses share a byte."""
    if a[3].min() >= b[3].max() + np.uint64(b[2]) or b[3].min() >= a[3].max() + np.uint64(a[2]):
        return False
    low, high = (a, b) if a[3].size <= b[3].size else (b, a)
    return any(((high[3] < p + np.uint64(low[2])) & (p < high[3] + np.uint64(high[2]))).any() for p in low[3])


class Reference:
    MAXIMA = {"vmcnt": 63, "lgkmcnt": 15}  # nothing is issued that would be counted beyond

    def __init__(self, program, trace, late=1):
        """Mutants may make waves from `late` on differ from the others."""
        self.program, self.late = program, late
        self.facts = [Facts(i) for i in program.instructions]
        self.groups = read_trace(trace, program)
        # Waves on the same path look the same to the registers; the first of them stands for all.
        self.paths = {}
        self.path_of = {}
        for group, waves in self.groups.items():
            for wave, events in waves.items():
                key = (wave >= late, tuple((e.number, e.exec) for e in events))
                self.path_of[group, wave] = self.paths.setdefault(hash(key), (group, wave))
        self.lasting = None
        self.executed = {e.number for waves in self.groups.values() for events in waves.values() for e in events}

    def once(self):
        """What each wave executes exactly once."""
        found = None
        for waves in self.groups.values():
            for events in waves.values():
                counts = Counter(e.number for e in events)
                once = {n for n, count in counts.items() if count == 1}
                found = once if found is None else found & once
        return found or set()

    def entry(self):
        return next(iter(next(iter(self.groups.values())).values()))[0].number

    def waves(self):
        return max(len(waves) for waves in self.groups.values())

    def reason(self, mutant=None, in_flight=True):
        """Why the mutated kernel is wrong, or None. Without `in_flight`: between waves if every access were done as soon as it is issued."""
        replaced, facts = None, None
        if mutant:
            replaced = mutant.number
            if mutant.after or mutant.late:
                replaced = None
            if mutant.replacement:
                facts = Facts(Instruction(0, mutant.replacement))
            if mutant.number not in self.executed:
                return None
        lasting = {}
        for group, wave in set(self.path_of.values()):
            is_late = bool(mutant and mutant.late and wave >= mutant.late)
            why, lasting[group, wave] = self.walk(self.groups[group][wave], replaced, facts, mutant, is_late)
            if why:
                return why if in_flight else None
        if not in_flight:
            lasting = {key: {event: (first, first) for event, (first, last) in epochs.items()} for key, epochs in lasting.items()}
        elif lasting == self.lasting:
            return None
        if not mutant and in_flight:
            self.lasting = lasting
        for group, waves in self.groups.items():
            if len(waves) > 1 or any(f.is_dma for f in self.facts):
                why = self.races(group, waves, lasting)
                if why:
                    return why
        return None

    def walk(self, events, replaced, replacement, mutant, is_late=False):
        """One wave: a reason, or {event: (first epoch, last epoch)} of the accesses."""
        live, pending = [], defaultdict(int)
        epochs, epoch = {}, 0

        def done(operation):
            for r in operation.facts.results:
                pending[r] -= 1
            epochs[operation.event] = (operation.epoch, epoch if operation.lds_done is None else operation.lds_done)

        def retire(limits):
            nonlocal live
            later = {"vmcnt": 0, "lgkmcnt": 0}
            for operation in reversed(live):
                for counter in operation.facts.counters:
                    if counter in limits and (later[counter] >= limits[counter] if operation.facts.in_order else limits[counter] == 0):
                        operation.waiting.discard(counter)
                        # What FLAT does in LDS is done when lgkmcnt says so.
                        if operation.facts.is_flat and counter == "lgkmcnt" and operation.lds_done is None:
                            operation.lds_done = epoch
                    if operation.facts.in_order:
                        later[counter] += 1
            for operation in live:
                if not operation.waiting:
                    done(operation)
            live = [o for o in live if o.waiting]

        for index in mutant.reorder([e.number for e in events]) if mutant and mutant.after else range(len(events)):
            event = events[index]
            facts = self.facts[event.number]
            if is_late and event.number == mutant.number:
                epoch += 1
            if event.number == replaced:
                if replacement is None:
                    continue
                facts = replacement
            if facts.is_wait:
                retire(facts.wait)
                continue
            if facts.is_barrier:
                epoch += 1
                continue
            for r in facts.others + facts.results:
                if not pending[r]:
                    continue
                for operation in live:
                    if r not in operation.facts.results:
                        continue
                    if r[0] in "va" and not operation.lanes(r) & (event.exec if facts.lane_wise else -1):
                        continue
                    if r not in facts.others and operation.is_before(facts):
                        continue
                    if r not in facts.others and facts.in_order and operation.facts.in_order and facts.is_lds == operation.facts.is_lds:
                        continue
                    return f"{r} of '{self.text(operation.event, events)}' in flight at '{self.text(index, events)}'", None
            for access in event.accesses:
                if access[1] != "lds":
                    continue
                for operation in live:
                    if operation.facts.is_dma == facts.is_dma or operation.lds_done is not None:
                        continue
                    for other in events[operation.event].accesses:
                        if other[1] == "lds" and overlap(access, other):
                            return f"LDS bytes of '{self.text(operation.event, events)}' at '{self.text(index, events)}'", None
            if facts.counters:
                operation = Operation()
                operation.lds_done = None
                operation.facts, operation.exec, operation.waiting, operation.event, operation.epoch = facts, event.exec, set(facts.counters), index, epoch
                operation.replaced = defaultdict(int)
                for r in facts.results:
                    for earlier in live:
                        if r in earlier.facts.results and earlier.is_before(facts):
                            earlier.replaced[r] |= event.exec
                    pending[r] += 1
                live.append(operation)
                for counter, maximum in self.MAXIMA.items():
                    if sum(counter in o.waiting for o in live) > maximum:
                        retire({counter: maximum})
        for operation in live:
            done(operation)
        return None, epochs

    def text(self, index, events):
        return self.program.instructions[events[index].number].text

    def races(self, group, waves, lasting):
        """Two waves at one place in one epoch, one of them writing."""
        rows = defaultdict(list)  # space -> arrays of epoch, byte, wave and kind
        for wave, events in waves.items():
            for index, (first, last) in lasting[self.path_of[group, wave]].items():
                for kind, space, size, places in events[index].accesses:
                    unit = 4 if size % 4 == 0 and not (places % np.uint64(4)).any() else 1
                    bytes = (places[:, None] + np.arange(0, size, unit, dtype=np.uint64)).ravel()
                    for epoch in range(first, (last if space == "lds" else first) + 1):
                        rows[space].append((epoch, bytes, wave, {"read": 1, "write": 2, "atomic": 4}[kind], unit, index))
        for space, entries in rows.items():
            if any(unit == 1 for *_, unit, _ in entries):  # then all in bytes
                entries = [(e, (b[:, None] + np.arange(4, dtype=np.uint64)).ravel() if unit == 4 else b, w, k, 1, i) for e, b, w, k, unit, i in entries]
            by_epoch = defaultdict(list)
            for entry in entries:
                by_epoch[entry[0]].append(entry)
            for entries in by_epoch.values():
                if len({e[2] for e in entries}) == 1 or not any(e[3] != 1 for e in entries):
                    continue
                place, where = np.unique(np.concatenate([e[1] for e in entries]), return_inverse=True)
                counts = [len(e[1]) for e in entries]
                wave = np.repeat([e[2] for e in entries], counts)
                kind = np.repeat([e[3] for e in entries], counts)
                low, high, kinds = np.full(len(place), 99), np.full(len(place), -1), np.zeros(len(place), int)
                np.minimum.at(low, where, wave)
                np.maximum.at(high, where, wave)
                np.bitwise_or.at(kinds, where, kind)
                wrong = (low != high) & (((kinds & 2) != 0) | ((kinds & 5) == 5) & (space == "lds"))
                if wrong.any():
                    at = place[np.argmax(wrong)]
                    sides = {self.text(e[5], waves[e[2]]) for e in entries if at in e[1]}
                    return f"{space} 0x{int(at):x} between waves: " + " and ".join(f"'{s}'" for s in sorted(sides))
        return None
