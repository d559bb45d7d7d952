// A report names what it says nothing of: waits for registers that the hardware looks at, and what ends hazards alone.
// RUN: inflight waits --report %s | FileCheck %s
// RUN: inflight waits --report --format=json %s > %t.json
// RUN: %python -c "import json; f = json.load(open('%t.json'))['files'][0]; print(len(f['waits']), [u['instruction'] for u in f['unjudged']], f['unjudged'][0]['kernel'])" | FileCheck %s --check-prefix=JSON
// RUN: inflight waits --relax -o %t.s %s && diff %s %t.s
// RUN: sed 's/^.*SCHED_MODE, 0, 2), 2$//' %s > %t.looks.s
// RUN: inflight waits --report %t.looks.s | FileCheck %s --check-prefix=LOOKS
// RUN: sed -e '/v_nop/d' -e '/sa_sdst/d' %s > %t.judged.s
// RUN: inflight waits --report %t.judged.s | FileCheck %s --check-prefix=JUDGED
	.amdgcn_target "amdgcn-amd-amdhsa--gfx1250"
store:
	s_setreg_imm32_b32 hwreg(HW_REG_WAVE_SCHED_MODE, 0, 2), 2
	v_mov_b32_e32 v1, 0
	s_wait_alu depctr_va_vdst(0)
	ds_store_b32 v0, v1
	s_wait_alu depctr_vm_vsrc(0) depctr_sa_sdst(0)
	v_nop
	v_nop
	v_mov_b32_e32 v1, 1
	s_wait_alu depctr_sa_sdst(0)
	s_endpgm
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel store
	.amdhsa_next_free_vgpr 16
	.amdhsa_next_free_sgpr 16
	.end_amdhsa_kernel

// CHECK:      store (gfx1250): 2 waits: 2 needed as they are
// CHECK:      s_wait_alu depctr_va_vdst(0): needed as it is
// CHECK:      not judged, and kept by --relax: 2 s_wait_alu (the first l.16), 2 v_nop (the first l.17): what the hardware looks at by itself, or a hazard may want
// JSON:       2 ['s_wait_alu depctr_sa_sdst(0) depctr_vm_vsrc(0)', 'v_nop', 'v_nop', 's_wait_alu depctr_sa_sdst(0)'] store
// LOOKS:      store (gfx1250): 0 waits
// LOOKS:      not judged, and kept by --relax: 3 s_wait_alu (the first l.14), 2 v_nop
// JUDGED-NOT: not judged
