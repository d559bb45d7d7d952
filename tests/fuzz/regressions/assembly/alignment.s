1
.p2align 31
