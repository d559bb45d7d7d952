1
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.amdhsa_code_object_version 5
.set width, 4
.macro twice r
  v_add_u32 v\r, v\r, v\r
.endm
.text
.p2align 8
k:
.if width == 4
  twice 1
.endif
.rept 2
  s_nop width
.endr
.irp n, 1, 2
  v_mov_b32 v\n, s\n
.endr
.Lhere:
  .long .Lhere - k, 0x11223344
  .quad k
  .byte 1, 2
  .p2align 2, 0
  s_branch .Lhere
  .section .data, "aw", @progbits
  .asciz "text"
  .zero 4
