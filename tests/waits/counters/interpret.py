"""An interpreter of the counters of gfx11, gfx12 and gfx1250: random paths of assembly text, and the registers that it uses too early.

It reads the text alone and shares nothing with src/waits. Registers are followed, and on gfx1250 bytes of LDS: of addresses
that are constants, or 16 bytes a lane from a constant on, and of tiles whose descriptors are; all waves of a workgroup are taken
to touch the same bytes, on the same path. So is who tells others something: a store to where a loop looks, with stores in flight
that it may be about. An operation is in flight until waits prove that it is done: of operations that finish in order, a wait for N
leaves the N youngest; of others only a wait for 0 proves anything.
"""
import re

# Which operand is written. Vector instructions write their first operand but for these.
NO_RESULT = re.compile(r'v_nop|v_cmpx|ds_store|ds_(add|sub|inc|dec|min|max|and|or|xor|cond_sub|sub_clamp|pk_add|cmpstore)\w*(?<!_rtn)_|'
                       r'(global|flat|scratch|t?buffer|image)_store|(global|flat|cluster)_\w*async|global_(wb|inv|wbinv)|\w*prefetch|tensor_')
TWO_RESULTS = re.compile(r'v_(add|sub|subrev)_co_|v_div_scale|v_mad_co_[ui]64|v_mad_[ui]64_[ui]32|v_swap|v_permlane\d+_swap')
READS_RESULT = re.compile(r'v_fmac|v_(pk_)?fmac|v_dot2c|v_writelane|v_swap|v_permlane\d+_swap|v_cvt_sr')
TRANS = re.compile(r'v_(s_)?(exp|log|rcp|rcp_iflag|rsq|sqrt|sin|cos|tanh|prng)_')
MATRIX = re.compile(r'v_s?wmma')
COUNTERS = ('loadcnt', 'storecnt', 'dscnt', 'kmcnt', 'samplecnt', 'bvhcnt', 'asynccnt', 'tensorcnt', 'xcnt')
FIELDS = {'va_vdst': (12, 4), 'va_sdst': (9, 3), 'va_ssrc': (8, 1), 'hold_cnt': (7, 1), 'vm_vsrc': (2, 3), 'va_vcc': (1, 1),
          'sa_sdst': (0, 1)}


def registers(operand):
    """The 32-bit registers that an operand names, as numbers: of VGPRs 1000 and more. A window's comment says which."""
    full = re.search(r'/\*([^*]*)\*/', operand)
    if full:
        operand = full.group(1)
    operand = operand.strip().strip('|-').replace('neg(', '').replace('abs(', '')
    out = set()
    for kind, first, last in re.findall(r'\b([vs])\[(\d+):(\d+)\]', operand):
        out |= {(1000 if kind == 'v' else 0) + n for n in range(int(first), int(last) + 1)}
    for kind, number in re.findall(r'\b([vs])(\d+)\b', operand):
        out.add((1000 if kind == 'v' else 0) + int(number))
    return out


class Instruction:
    def __init__(self, text, line):
        self.text, self.line = text, line
        parts = text.split(None, 1)
        self.name = re.sub(r'_(e32|e64|dpp|e64_dpp|sdwa)$', '', parts[0])
        self.rest = parts[1] if len(parts) > 1 else ''
        self.reads, self.writes, self.tells = set(), set(), False
        for one in text.split('::'):
            self.operands(one.strip())

    def operands(self, text):
        parts = text.split(None, 1)
        name, rest = parts[0], parts[1] if len(parts) > 1 else ''
        found = [o for o in re.split(r',', rest)]
        # After the last operand come modifiers, without a comma.
        found = [re.split(r'\s+(?=[a-z_]+[:\d]|off|offen|idxen|null|th:|scope:|offset)', o.strip())[0] if i == len(found) - 1 else o
                 for i, o in enumerate(found)]
        if name.startswith('s_') and not name.startswith(('s_load', 's_buffer_load')):
            if name.startswith(('s_cmp', 's_bitcmp', 's_cbranch', 's_setreg', 's_wait', 's_barrier', 's_set')):
                for o in found:
                    self.reads |= registers(o)
                return
        results = 0 if NO_RESULT.match(name) or not re.match(r'v_|ds_|global_|flat_|scratch_|buffer_|s_|image_', name) else 1
        if 'atomic' in name:
            results = int(re.search(r'TH_ATOMIC_RETURN|\bglc\b', rest) is not None)
        if name.startswith('ds_') and '_rtn' in name:
            results = 1
        if TWO_RESULTS.match(name):
            results = 2
        if name.startswith(('image_bvh8', 'image_bvh_dual')):
            # They give the ray back: its origin and direction, three registers each.
            self.writes |= {r for span in re.findall(r'v\[\d+:\d+\]', rest) for r in registers(span) if len(registers(span)) == 3}
        for i, o in enumerate(found):
            if i < results:
                self.writes |= registers(o)
                if not READS_RESULT.match(name):
                    continue
            self.reads |= registers(o)

    # Which counters count it: (counter, order), the order being none where it finishes in no order.
    def counted(self, chip):
        n = self.name
        if re.match(r'(global|buffer)_(wb|inv|wbinv|gl[01]_inv)\w*$|\w*prefetch|s_prefetch|s_dcache_inv|\w*_gl[01]_inv', n):
            return []
        return self.countedOnGfx11() if chip.startswith('gfx11') else self.countedApart(chip)

    def isLoad(self):
        return not ('_store' in self.name or ('atomic' in self.name and not re.search(r'TH_ATOMIC_RETURN|\bglc\b', self.rest)))

    def isVectorMemory(self):
        return re.match(r'(global|flat|scratch|t?buffer|cluster|image)_', self.name) is not None

    def isScalarMemory(self):
        return self.name.startswith(('s_load', 's_buffer_load', 's_atc'))

    def countedOnGfx11(self):
        n = self.name
        if n.startswith('ds_'):
            return [('lgkmcnt', 'lds')]
        if self.isVectorMemory():
            counter = 'vmcnt' if self.isLoad() else 'vscnt'
            order = 'all'
            if n.startswith('image_'):
                order = 'sample' if re.match(r'image_(sample|gather4|msaa_load)', n) else 'ray' if 'bvh' in n else 'all'
            return [(counter, order)] + ([('lgkmcnt', 'lds')] if n.startswith('flat_') else [])
        return [('lgkmcnt', None)] if self.isScalarMemory() or n.startswith('s_sendmsg') else []

    def countedApart(self, chip):
        n = self.name
        if n.startswith('ds_') and n != 'ds_nop':
            return [('dscnt', 'all')]
        translated = [('xcnt', 'vector')] if chip == 'gfx1250' else []
        if 'async' in n:
            return [('asynccnt', 'all')] + translated
        if n.startswith('tensor_'):
            return [('tensorcnt', 'all')]
        if re.match(r'image_(sample|gather4|msaa_load|bvh)', n):
            return [('bvhcnt' if 'bvh' in n else 'samplecnt', 'all')]
        if self.isVectorMemory():
            out = [('loadcnt' if self.isLoad() else 'storecnt', 'all')]
            return out + ([('dscnt', 'all')] if n.startswith('flat_') else []) + translated
        if self.isScalarMemory():
            return [('kmcnt', None)] + ([('xcnt', None)] if translated else [])
        return [('kmcnt', None)] if n.startswith('s_sendmsg_rtn') else []

    def place(self):
        """How a global access names its address."""
        operands = re.sub(r'\s+scope:.*', '', self.rest).split(', ')
        return tuple(operands[1:] if '_load' in self.name else operands[:1] + operands[2:])

    def isVector(self):
        return self.name.startswith('v_')

    def pipe(self):
        if MATRIX.match(self.name):
            return 'matrix'
        if TRANS.match(self.name):
            return 'trans'
        return 'double' if 'f64' in self.name else 'main'

    def readPath(self):
        n = self.name
        if n.startswith('ds_'):
            return 'lds'
        if 'prefetch' in n:
            return 'prefetch' if n.startswith(('global', 'flat')) else None
        if re.match(r'(global|flat|scratch|cluster)_', n):
            return 'flat'
        return 'buffer' if re.match(r't?buffer_|image_', n) else None

    def waits(self):
        """Counter -> value."""
        n, rest = self.name, self.rest.split(';')[0].strip()
        if n == 's_wait_idle':
            return {c: 0 for c in COUNTERS + ('va_vdst', 'vm_vsrc')}
        if n == 's_wait_alu':
            out = {f: int(v) for f, v in re.findall(r'depctr_(\w+)\((\d+)\)', rest)}
            if re.match(r'0x|\d', rest):
                value = int(rest, 0)
                out = {f: value >> at & ((1 << bits) - 1) for f, (at, bits) in FIELDS.items()}
            return {f: v for f, v in out.items() if f in ('va_vdst', 'vm_vsrc') and v < (1 << FIELDS[f][1]) - 1}
        m = re.match(r's_wait_(load|store)cnt_dscnt$', n)
        if m:
            value = int(rest, 0)
            return {m.group(1) + 'cnt': value >> 8 & 63, 'dscnt': value & 63}
        if n == 's_waitcnt':
            return {c: int(v) for c, v in re.findall(r'(vmcnt|lgkmcnt)\((\d+)\)', rest)}
        if n == 's_waitcnt_vscnt':
            return {'vscnt': int(rest.split(',')[1], 0)}
        m = re.match(r's_wait_(load|store|ds|km|async|tensor|sample|bvh|x)cnt$', n)
        return {m.group(1) + 'cnt': int(rest, 0)} if m else {}


class Values:
    """Constants in registers: ('one', n), or ('lanes', n) for 16 bytes a lane from n on."""
    lanes = 32

    def __init__(self):
        self.known = {}

    def step(self, inst):
        for register in inst.writes:
            self.known.pop(register, None)
        moved = re.match(r'[sv]_mov_b32\S*\s+([sv]\d+), (0x[0-9a-f]+|\d+)$', inst.text)
        placed = re.match(r'v_lshl_add_u32\s+(v\d+), v\d+, 4, (0x[0-9a-f]+|\d+)$', inst.text)
        if moved or placed:
            (register,) = registers((moved or placed).group(1))
            self.known[register] = ('one' if moved else 'lanes', int((moved or placed).group(2), 0))

    def bytes(self, inst):
        """Of LDS that the instruction touches: (whether it writes, first, end); none where it isn't followed."""
        vectors, offset = re.findall(r'\bv\[?\d+(?:\:\d+\])?', inst.rest), re.search(r'offset:(\d+)', inst.rest)
        offset = int(offset.group(1)) if offset else 0
        m = re.match(r'(ds_load|ds_store|global_load_async_to_lds|global_store_async_from_lds)_b128$', inst.name)
        if m:
            place = vectors[1 if m.group(1) in ('ds_load', 'global_store_async_from_lds') else 0]
            kind, first = self.known.get(min(registers(place)), (None, 0))
            size = 16 * (self.lanes if kind == 'lanes' else 1)
            return kind and (m.group(1) in ('ds_store', 'global_load_async_to_lds'), first + offset, first + offset + size)
        if inst.name in ('tensor_load_to_lds', 'tensor_store_from_lds'):
            place, tile = (min(registers(o)) for o in inst.rest.split(', ')[:2])
            word = lambda at: self.known.get(at, (None, None))[1]
            words = [word(place + 1), word(tile), word(tile + 3), word(tile + 4)]
            if None in words:
                return None
            first, flags, inner, outer = words
            size = max(inner >> 16, 1) * max(outer & 0xffff, 1) * max(outer >> 16, 1) << (flags >> 16 & 3)
            return inst.name == 'tensor_load_to_lds', first, first + size
        return None


class Operation:
    """In flight: what it writes and reads until a counter says that it is done."""
    def __init__(self, line, text, counter, order, writes, reads, sure=True):
        self.line, self.text, self.counter, self.order, self.writes, self.reads = line, text, counter, order, writes, reads
        self.sure = sure  # that it is counted
        self.others = []  # the same operation's, of another counter
        self.bytes, self.tells = None, False  # of LDS; whether others look at it


class Wave:
    def __init__(self, chip):
        self.chip, self.flight, self.expert, self.found = chip, [], False, set()
        self.values, self.signalled, self.late = Values(), [], []
        self.named = []  # in flight at a named barrier: others may come to whatever follows, whichever barriers do

    def wait(self, counter, value):
        younger, left = {}, []
        done = set()
        for op in reversed(self.flight):
            if op.counter != counter:
                left.append(op)
                continue
            after = younger.get(op.order, 0)
            younger[op.order] = after + op.sure
            if value == 0 or (op.order is not None and after >= value):
                done.add(op)
            else:
                left.append(op)
        # What is done has read its registers, and its addresses are translated, as are those of vector memory before it.
        translated = [at for at, op in enumerate(self.flight) if op.order == 'vector' and (op in done or any(o in done for o in op.others))]
        older = set(self.flight[:translated[-1] + 1]) if translated else set()
        self.flight = [op for op in reversed(left) if not (op.counter in ('vm_vsrc', 'xcnt') and any(o in done for o in op.others))
                       and not (op.counter == 'xcnt' and op.order == 'vector' and op in older)]

    def enterFunction(self):
        """Callers may have anything in flight, of whichever register (LLVM's calling convention)."""
        scalars, vectors = set(range(106)), set(range(1000, 1256))
        own = {'gfx11': {'vmcnt': vectors, 'lgkmcnt': scalars | vectors},
               'gfx12': {'loadcnt': vectors, 'dscnt': vectors, 'kmcnt': scalars, 'samplecnt': vectors, 'bvhcnt': vectors}}[self.chip[:5]]
        self.flight = [Operation(0, 'the caller', counter, None, set(written), set()) for counter, written in own.items()
                       if self.chip != 'gfx1250' or counter not in ('samplecnt', 'bvhcnt')]

    def returnFrom(self, inst):
        """Callers wait for no result."""
        for op in self.flight:
            if op.writes and op.counter not in ('va_vdst', 'vm_vsrc', 'xcnt'):
                self.found.add((inst.line, op.counter, op.line))

    def step(self, inst):
        waits = inst.waits()
        if waits:
            for counter, value in waits.items():
                self.wait(counter, value)
            return
        m = re.match(r'hwreg\(HW_REG_WAVE_SCHED_MODE, 0, 2\), (\d)', inst.rest)
        if inst.name == 's_setreg_imm32_b32' and m:
            self.expert = m.group(1) == '2'
            return
        own = inst.counted(self.chip)
        if self.chip == 'gfx1250':
            self.touch(inst, own)
            self.values.step(inst)
        path = inst.readPath()
        checked = []
        for op in self.flight:
            if op.counter == 'xcnt':
                # Whoever writes what may be read again; vector memory comes after vector memory.
                if op.reads & inst.writes and not (op.order == 'vector' and inst.isVectorMemory()):
                    self.found.add((inst.line, op.counter, op.line))
                continue
            alu = op.counter in ('va_vdst', 'vm_vsrc')
            reads = op.writes & inst.reads
            writes = op.writes & inst.writes
            if not alu and writes and any((op.counter, op.order) == c for c in own) and op.order is not None:
                writes = set()
            sources = op.reads & inst.writes if alu else set()
            if op.counter == 'vm_vsrc' and op.order == path:
                sources = set()
            if op.counter == 'va_vdst' and inst.isVector():
                continue
            if not (reads or writes or sources):
                continue
            if alu and not self.expert:
                checked.append(op)  # the hardware waits
                continue
            self.found.add((inst.line, op.counter, op.line))
        for op in checked:
            if op in self.flight:
                later = [o for o in self.flight[self.flight.index(op) + 1:] if o.counter == op.counter and o.order == op.order]
                self.wait(op.counter, sum(o.sure for o in later))
                if op in self.flight:
                    self.flight.remove(op)
        self.issue(inst, own, path)

    def touch(self, inst, own):
        """What it does to LDS and what it tells other waves, against what is in flight."""
        if inst.name.startswith('s_barrier') and not inst.rest.startswith('-'):
            if inst.name == 's_barrier_signal':
                self.named += [(op, inst.line) for op in self.flight if op.bytes]
        elif inst.name == 's_barrier_signal':
            self.signalled = [(op, inst.line) for op in self.flight if op.bytes]
        elif inst.name == 's_barrier_wait':
            self.late, self.signalled = self.signalled, []
        mine = self.values.bytes(inst)
        meets = lambda op: op.bytes and (mine[0] or op.bytes[0]) and mine[1] < op.bytes[2] and op.bytes[1] < mine[2]
        if mine:
            for op in self.flight:
                if meets(op) and (op.counter, op.order) not in own:
                    self.found.add((inst.line, op.counter, op.line))
            for op, signal in self.late + self.named:
                if meets(op):
                    self.found.add((signal, op.counter, op.line))
        if inst.tells:
            for op in self.flight:
                if op.counter == 'storecnt' and not op.tells:
                    self.found.add((inst.line, op.counter, op.line))

    def issue(self, inst, own, path):
        vectors = lambda regs: {r for r in regs if r >= 1000}
        mine = [Operation(inst.line, inst.text, counter, order, set(inst.writes), set()) for counter, order in own if counter != 'xcnt']
        if mine and self.chip == 'gfx1250':
            mine[0].bytes, mine[0].tells = self.values.bytes(inst), inst.tells
        for counter, order in own:
            if counter == 'xcnt':
                # The hardware lets no scalar operation be translated beside vector ones.
                self.flight = [op for op in self.flight if op.counter != 'xcnt' or op.order == order]
                again = Operation(inst.line, inst.text, counter, order, set(), set(inst.reads))
                again.others = list(mine)
                mine.append(again)
        if inst.isVector():
            # Vector instructions wait for each other: what this one writes no earlier one touches after it.
            for op in self.flight:
                if op.counter == 'va_vdst':
                    op.writes, op.reads = op.writes - inst.writes, op.reads - inst.writes
            mine.append(Operation(inst.line, inst.text, 'va_vdst', inst.pipe(), vectors(inst.writes), vectors(inst.reads),
                                  inst.name != 'v_nop'))
        elif path and vectors(inst.reads):
            reader = Operation(inst.line, inst.text, 'vm_vsrc', path, set(), vectors(inst.reads))
            reader.others = [op for op in mine if op.counter != 'xcnt']
            mine.append(reader)
        self.flight += mine
        del self.flight[:-400]


class Masks:
    """What compilers keep of a condition over a join, and ask for there: all lanes or none, in an SGPR, then VCC."""
    def __init__(self):
        self.known, self.vcc = {}, None

    def step(self, inst):
        moved = re.match(r's_mov_b32 s(\d+), (0|-1)$', inst.text)
        asked = re.match(r's_and_not1_b32 vcc_lo, exec_lo, s(\d+)$', inst.text)
        if asked:
            self.vcc = self.known.get(int(asked.group(1)))
            return
        if 'vcc' in inst.text and not inst.name.startswith('s_cbranch'):
            self.vcc = None
        if 'exec' in inst.text or inst.name.startswith('v_cmpx'):
            self.known, self.vcc = {}, None
        for register in inst.writes:
            self.known.pop(register, None)
        if moved:
            self.known[int(moved.group(1))] = int(moved.group(2))

    def taken(self, inst):
        """Whether the branch is; None where that isn't known. EXEC has a lane where nobody has written it."""
        if self.vcc is None or inst.name not in ('s_cbranch_vccnz', 's_cbranch_vccz'):
            return None
        return (self.vcc == 0) == (inst.name == 's_cbranch_vccnz')


class Code:
    """Of one function: instructions, and where control goes."""
    def __init__(self, lines, isKernel=True):
        self.isKernel = isKernel
        self.instructions, self.labels = [], {}
        for number, line in lines:
            line = re.sub(r'\s*(;|//).*', '', line).strip()
            m = re.match(r'([\w.$]+):$', line)
            if m:
                self.labels[m.group(1)] = len(self.instructions)
            elif line and not line.startswith('.'):
                self.instructions.append(Instruction(line, number))
        self.findFlags()

    def calls(self):
        """What callees do is not walked."""
        return any(inst.name.startswith(('s_swappc', 's_swap_pc')) for inst in self.instructions)

    def findFlags(self):
        """Stores to what a short loop loads that has nothing else to do."""
        polled = set()
        for at, inst in enumerate(self.instructions):
            first = self.labels.get(inst.rest.strip(), at) if inst.name.startswith('s_cbranch') else at
            if 0 < at - first <= 8:
                polled |= {one.place() for one in self.instructions[first:at] if one.name.startswith('global_load_b') and 'scope:' in one.rest}
        for inst in self.instructions:
            inst.tells = inst.name.startswith('global_store_b') and inst.place() in polled

    def walk(self, random, chip, most=400):
        """One random path: what was used too early on it, (line, counter, line of the operation)."""
        wave, masks, at = Wave(chip), Masks(), 0
        if not self.isKernel:
            wave.enterFunction()
        for _ in range(most):
            if at >= len(self.instructions):
                break
            inst = self.instructions[at]
            if not self.isKernel and inst.name in ('s_setpc_b64', 's_set_pc_i64') and registers(inst.rest) == {30, 31}:
                wave.returnFrom(inst)
            wave.step(inst)
            masks.step(inst)
            at += 1
            if inst.name in ('s_endpgm', 's_setpc_b64', 's_set_pc_i64', 's_swappc_b64', 's_swap_pc_i64'):
                break
            known = masks.taken(inst)
            if inst.name == 's_branch' or (inst.name.startswith('s_cbranch') and (random.random() < .5 if known is None else known)):
                if inst.rest.strip() not in self.labels:
                    break
                at = self.labels[inst.rest.strip()]
        return wave.found


def functions(text):
    """Name -> Code, by the labels that .type says are functions."""
    names = set(re.findall(r'\.type\s+(\S+?),\s*@function', text))
    kernels = set(re.findall(r'\.amdhsa_kernel (\S+)', text))
    # Functions that other files may call; who calls others is seen by the analysis, and not here.
    known = set(re.findall(r'\.globl\s+(\S+)', text))
    out, lines, name = {}, [], None
    for number, line in enumerate(text.split('\n'), 1):
        m = re.match(r'(\S+?):', line)
        if m and m.group(1) in names:
            name, lines = m.group(1), []
            continue
        if name and re.match(r'\s*\.(section|size|amdhsa_kernel|Lfunc_end|set)|^\.Lfunc_end', line):
            if lines:
                out[name] = Code(lines, name in kernels or name not in known)
            name, lines = None, []
        elif name:
            lines.append((number, line))
    return out
