1
s_nop [1"