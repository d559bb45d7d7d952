"""parts.py FOLDER: a file of kernels, and each of them in a file of its own; what is found in the one has to be what is found in the others.
parts.py --many N: N kernels that follow LDS DMA through loops."""
import collections
import json
import os
import re
import subprocess
import sys

HEAD = '\t.amdgcn_target "amdgcn-amd-amdhsa--gfx950"\n\t.text\n'
# A loop over tiles: {skip} leaves out its wait.
TILES = """\ts_mov_b32 m0, 0
\ts_mov_b32 s8, {trips}
\tv_lshlrev_b32_e32 v1, 4, v0
\tbuffer_load_dwordx4 v1, s[4:7], 0 offen lds
.L{name}:
\ts_add_u32 m0, m0, 0x400
\tbuffer_load_dwordx4 v1, s[4:7], 0 offen lds
\t{wait}
\ts_barrier
\tds_read_b128 v[4:7], v1
\ts_waitcnt lgkmcnt(0)
\tv_add_f32_e32 v2, v4, v2
\ts_barrier
\ts_sub_u32 s8, s8, 1
\ts_cmp_lg_u32 s8, 0
\ts_cbranch_scc1 .L{name}
\ts_waitcnt vmcnt(0)
\ts_endpgm
"""
REGISTER = """\tglobal_load_dword v3, v1, s[2:3]
{call}\tv_add_f32_e32 v2, v3, v3
\ts_waitcnt vmcnt(0)
\ts_endpgm
"""
CALL = """\ts_getpc_b64 s[10:11]
\ts_add_u32 s10, s10, {to}@rel32@lo+4
\ts_addc_u32 s11, s11, {to}@rel32@hi+12
\ts_swappc_b64 s[30:31], s[10:11]
"""
SHARED = """shared:
\tv_mov_b32_e32 v9, 0
\tglobal_load_dword v8, v1, s[2:3]
\tv_add_f32_e32 v9, v8, v8
\ts_waitcnt vmcnt(0)
\ts_setpc_b64 s[30:31]
\t.size shared, .-shared
"""


def kernel(name, body):
    return (f"\t.p2align 8\n\t.globl {name}\n\t.type {name},@function\n{name}:\n{body}\t.size {name}, .-{name}\n"
            f"\t.rodata\n\t.p2align 6\n\t.amdhsa_kernel {name}\n\t\t.amdhsa_next_free_vgpr 16\n\t\t.amdhsa_accum_offset 16\n\t\t.amdhsa_next_free_sgpr 40\n"
            f"\t\t.amdhsa_group_segment_fixed_size 65536\n\t.end_amdhsa_kernel\n\t.text\n")


def tiles(name, trips=8, wait="s_waitcnt vmcnt(1)"):
    return kernel(name, TILES.format(name=name, trips=trips, wait=wait))


def findings(file):
    found = json.loads(subprocess.run(["inflight", "waits", "--format=json", file], stdout=subprocess.PIPE, check=False).stdout)["files"][0]["findings"]
    text = open(file).read().split("\n")

    def label(line):
        """The nearest label before a line, and how far it is."""
        at = line - 1
        while not text[at].endswith(":"):
            at -= 1
        return f"{text[at]}{line - 1 - at}"

    return collections.Counter((one["rule"], one["kernel"], re.sub(r"\S+:\d+", "", one["message"]), label(one["line"]), tuple(label(other["line"]) for other in one.get("related", [])))
                               for one in found)


def main(folder):
    function = "\t.p2align 6\n\t.type shared,@function\n" + SHARED
    parts = {"right": tiles("right"), "wrong": tiles("wrong", wait="s_nop 0"), "few": tiles("few", trips=3, wait="s_waitcnt vmcnt(2)"),
             "uses": kernel("uses", REGISTER.format(call=CALL.format(to="shared"))) + function + kernel("too", REGISTER.format(call=CALL.format(to="shared"))),
             "plain": kernel("plain", REGISTER.format(call=""))}
    alone = collections.Counter()
    for name, text in parts.items():
        file = os.path.join(folder, f"{name}.s")
        with open(file, "w") as out:
            out.write(HEAD + text)
        alone += findings(file)
    for order in (list(parts), list(reversed(parts))):
        file = os.path.join(folder, "all.s")
        with open(file, "w") as out:
            out.write(HEAD + "".join(parts[name] for name in order))
        assert findings(file) == alone, (findings(file) - alone, alone - findings(file))
    print(sum(alone.values()), "findings in", len({one[1] for one in alone}), "kernels and functions")


if __name__ == "__main__":
    if sys.argv[1] == "--many":
        sys.stdout.write(HEAD + "".join(tiles(f"k{i}", trips=8 + i) for i in range(int(sys.argv[2]))))
    else:
        main(sys.argv[1])
