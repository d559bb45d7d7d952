"""barriers.py N: N times waves part by what they have loaded, and come to barriers of their own, with LDS accesses between;
the last of them again and again, so that it isn't followed which ones meet."""
import sys

from parts import HEAD, kernel

body = "\tv_lshlrev_b32_e32 v1, 2, v0\n\tds_write_b32 v1, v0\n"
for i in range(int(sys.argv[1])):
    body += f"""\tglobal_load_dword v3, v1, s[2:3]
\ts_waitcnt vmcnt(0)
\tv_readfirstlane_b32 s4, v3
\ts_cmp_eq_u32 s4, {i}
\ts_cbranch_scc1 .Lother{i}
\ts_barrier
\tds_read_b32 v4, v1 offset:{i % 1000 * 4}
\ts_branch .Lnext{i}
.Lother{i}:
\ts_barrier
\tds_write_b32 v1, v0 offset:{i % 1000 * 4}
.Lnext{i}:
"""
print(HEAD + kernel("parts", body + "\ts_waitcnt lgkmcnt(0)\n.Lforever:\n\ts_barrier\n\ts_branch .Lforever\n"))
