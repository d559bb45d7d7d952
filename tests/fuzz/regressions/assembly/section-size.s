1
.data
.zero 1
.zero 0x7fffffffffffffff
