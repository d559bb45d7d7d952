// Missing waits, said as a compiler says errors.
// RUN: not inflight waits %s 2>&1 | FileCheck %s --implicit-check-not=error:
// RUN: not inflight waits - < %s 2>&1 | FileCheck %s --check-prefix=STDIN
// RUN: llvm-mc -triple amdgcn-amd-amdhsa -mcpu=gfx942 -filetype=obj %s -o %t.o
// RUN: not inflight waits %t.o 2>&1 | FileCheck %s --check-prefix=OBJECT
// RUN: not inflight waits -mcpu=gfx90a %t.o 2>&1 | FileCheck %s --check-prefix=CHIP
// RUN: not inflight waits %s --max-findings=1 2>&1 | FileCheck %s --check-prefix=LIMIT
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
	.text
	.globl sum
	.type sum,@function
sum:
	s_load_dwordx2 s[0:1], s[4:5], 0x0
	v_lshlrev_b32_e32 v0, 2, v0
	s_waitcnt lgkmcnt(0)
	global_load_dword v2, v0, s[0:1]
	global_load_dword v3, v0, s[0:1] offset:256
	v_add_f32_e32 v4, v2, v3   ; both are on their way
.Lloop:
	global_load_dword v5, v0, s[0:1] offset:512
	v_add_f32_e32 v4, v4, v6
	global_load_dword v6, v0, s[0:1] offset:1024
	s_sub_u32 s2, s2, 1
	s_cmp_lg_u32 s2, 0
	s_cbranch_scc1 .Lloop
	s_waitcnt vmcnt(1)
	v_add_f32_e32 v4, v4, v5
	global_store_dword v0, v4, s[0:1]
	s_endpgm
	.size sum, .-sum
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel sum
	.amdhsa_next_free_vgpr 8
	.amdhsa_next_free_sgpr 8
	.amdhsa_accum_offset 8
	.end_amdhsa_kernel

// CHECK:      verify.s: in sum:
// CHECK-NEXT: verify.s:[[#USE:]]:2: error: reads v3 while global_load_dword may still write it [-Wmissing-wait]
// CHECK-NEXT:   [[#USE]] | v_add_f32_e32 v4, v2, v3   ; both are on their way
// CHECK-NEXT:      | ^~~~~~~~~~~~~~~~~~~~~~~~{{$}}
// CHECK-NEXT: verify.s:[[#USE-1]]:2: note: issued here
// CHECK-NEXT:   [[#USE-1]] | global_load_dword v3, v0, s[0:1] offset:256
// CHECK-NEXT:      | ^~~~
// CHECK-NEXT: verify.s:[[#USE]]:2: note: fix: s_waitcnt vmcnt(0) before it
// CHECK-NEXT: verify.s:[[#USE+3]]:2: error: reads v6 while global_load_dword may still write it [-Wmissing-wait]
// CHECK:      verify.s:[[#USE+4]]:2: note: issued here; 1 later operation of its kind
// CHECK:      verify.s:[[#USE+7]]:2: note: over the loop's back edge
// CHECK:      verify.s:[[#USE+3]]:2: note: fix: s_waitcnt vmcnt(1) before it

// STDIN: <stdin>:{{[0-9]+}}:2: error: reads v3
// OBJECT:      .o: in sum:
// OBJECT-NEXT: .o:0x20: error: reads v3 while global_load_dword may still write it [-Wmissing-wait]
// OBJECT-NEXT:      | v_add_f32_e32 v4, v2, v3
// OBJECT-NEXT: .o:0x18: note: issued here
// OBJECT-NEXT:      | global_load_dword v3, v0, s[0:1] offset:256
// OBJECT-NEXT: .o:0x20: note: fix: s_waitcnt vmcnt(0) before it
// CHIP: error: {{.*}}gfx942
// LIMIT: error: reads v3
// LIMIT-NOT: error:
// LIMIT: verify.s: 1 more finding not shown
