"""limits.py N: a kernel of N writes to LDS and one of LDS DMA, so that addresses are followed, and before and behind it a kernel that lacks a wait."""
import sys

from parts import HEAD, REGISTER, kernel

print(HEAD + kernel("first", REGISTER.format(call="")) + kernel("large", f"\tbuffer_load_dwordx4 v1, s[4:7], 0 offen lds\n\ts_waitcnt vmcnt(0)\n\t.rept {int(sys.argv[1])}\n\tglobal_load_dword v3, v1, s[2:3]\n\ts_waitcnt vmcnt(0)\n\tv_add_u32_e32 v1, v3, v1\n\tds_write_b32 v1, v3\n\t.endr\n\ts_endpgm\n")
      + kernel("small", REGISTER.format(call="")))
