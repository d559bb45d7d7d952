"""Random programs of gfx1250 that copy between memory and LDS by each of its ways, and tell other waves of their stores.

  generate.py INFLIGHT OUT [--seed=N] [--count=N]

Writes OUT/N.s with the waits that `inflight waits --insert` places. Every access is to one of some places in LDS, whose
addresses are constants, and all waves touch the same ones. Only the waits for stores before a flag stand there before, as
insert keeps an order and makes none. mutate.py takes them from there.
"""
import os, random, re, subprocess, sys

PLACES = (0x1000, 0x1100, 0x2000, 0x4000)  # the first two have bytes in common
HEAD = """.amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
.text
.globl k
.p2align 8
.type k,@function
k:
"""
TAIL = """  s_endpgm
.Lend:
.size k, .Lend-k
.rodata
.p2align 6
.amdhsa_kernel k
.amdhsa_next_free_vgpr 128
.amdhsa_next_free_sgpr 100
.amdhsa_group_segment_fixed_size 65536
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: k
    .symbol: k.kd
    .kernarg_segment_size: 0
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 65536
    .private_segment_fixed_size: 0
    .wavefront_size: 32
    .sgpr_count: 100
    .vgpr_count: 128
    .max_flat_workgroup_size: 64
    .reqd_workgroup_size: [64, 1, 1]
...
.end_amdgpu_metadata
"""


class Program:
    def __init__(self, rng):
        self.rng, self.lines, self.labels, self.loaded = rng, [], 0, []
        emit = self.emit
        emit('v_and_b32 v1, 31, v0')
        for i, place in enumerate(PLACES):
            emit('v_lshl_add_u32 v%d, v1, 4, 0x%x' % (2 + i, place))
            # Tiles of 16 rows of 32 bytes there.
            emit('s_mov_b32 s%d, 1' % (20 + 4 * i))
            emit('s_mov_b32 s%d, 0x%x' % (21 + 4 * i, place))
        emit('s_mov_b32 s40, 0')
        emit('s_mov_b32 s43, 0x200000')
        emit('s_mov_b32 s44, 16')
        for _ in range(rng.randint(2, 5)):
            rng.choice((self.straight, self.straight, self.loop, self.skipped))()

    def emit(self, line):
        self.lines.append('  ' + line)

    def label(self):
        self.labels += 1
        return '.L%d' % self.labels

    def straight(self):
        for _ in range(self.rng.randint(2, 7)):
            self.rng.choice((self.copy, self.copy, self.tile, self.tile, self.read, self.read, self.write, self.barrier, self.use,
                             self.flag))()

    def loop(self):
        label = self.label()
        self.emit('s_mov_b32 s60, 0')
        self.lines.append(label + ':')
        self.straight()
        self.emit('s_add_co_u32 s60, s60, 1')
        self.emit('s_cmp_lt_u32 s60, s61')
        self.emit('s_cbranch_scc1 ' + label)

    def skipped(self):
        label = self.label()
        # Of an argument of its own: the interpreter takes any path, the analysis those that control can take.
        self.emit('s_cmp_eq_u32 s%d, 0' % (70 + self.labels))
        self.emit('s_cbranch_scc1 ' + label)
        self.straight()
        self.lines.append(label + ':')

    def place(self):
        return self.rng.randrange(len(PLACES))

    def copy(self):
        at = 2 + self.place()
        if self.rng.random() < .7:
            self.emit('global_load_async_to_lds_b128 v%d, v[10:11], off' % at)
        else:
            self.emit('global_store_async_from_lds_b128 v[10:11], v%d, off' % at)

    def tile(self):
        at = 20 + 4 * self.place()
        self.emit('tensor_%s s[%d:%d], s[40:47]' % (self.rng.choice(('load_to_lds', 'load_to_lds', 'store_from_lds')), at, at + 3))

    def read(self):
        to = 20 + 4 * self.rng.randrange(8)
        self.loaded.append(to)
        self.emit('ds_load_b128 v[%d:%d], v%d' % (to, to + 3, 2 + self.place()))

    def write(self):
        self.emit('ds_store_b128 v%d, v[60:63]' % (2 + self.place()))

    def use(self):
        if self.loaded:
            self.emit('v_add_nc_u32 v64, v64, v%d' % (self.rng.choice(self.loaded[-4:]) + self.rng.randrange(4)))

    def barrier(self):
        which = self.rng.choice(('-1', '-1', '1', 'm0'))
        if which == 'm0':
            self.emit('s_mov_b32 m0, 2')
        self.emit('s_barrier_signal ' + which)
        self.emit('s_barrier_wait ' + which.replace('m0', '2'))

    def flag(self):
        """Tells the other wave, or waits for it to tell."""
        if self.rng.random() < .5:
            for _ in range(self.rng.randint(1, 3)):
                self.emit('global_store_b32 v12, v65, s[6:7]')
            self.emit('s_wait_storecnt 0x0')
            self.emit('global_store_b32 v13, v66, s[8:9] scope:SCOPE_DEV')
        label = self.label()
        self.lines.append(label + ':')
        self.emit('global_load_b32 v67, v13, s[8:9] scope:SCOPE_DEV')
        self.emit('v_cmp_eq_u32 vcc_lo, 0, v67')
        self.emit('s_cbranch_vccnz ' + label)


def main():
    options = dict(re.match(r'--(\w+)=(.*)', a).groups() for a in sys.argv[3:])
    inflight, out = sys.argv[1:3]
    os.makedirs(out, exist_ok=True)
    for seed in range(int(options.get('seed', 1)), int(options.get('seed', 1)) + int(options.get('count', 20))):
        program = Program(random.Random(seed))
        path = os.path.join(out, '%d.s' % seed)
        open(path, 'w').write(HEAD + '\n'.join(program.lines) + '\n' + TAIL)
        run = subprocess.run([inflight, 'waits', '--insert', '-i', path], capture_output=True, text=True)
        if run.returncode:
            sys.exit(path + ': ' + run.stderr)


if __name__ == '__main__':
    main()
