1
.byte 1, 2
.p2align 2
