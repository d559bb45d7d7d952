// What each wait waits for and how weak it could be, for people and for programs; what --relax would make of all.
// RUN: inflight waits --report %s | FileCheck %s
// RUN: inflight waits --report --format=json %s > %t.json
// RUN: %python -c "import json; f = json.load(open('%t.json'))['files'][0]; w = [x for x in f['waits'] if x['verdict'] == 'strict'][0]; c = w['counts'][0]; print(w['kernel'], w['enough'], c['counter'], c['value'], c['enough'], [o['age'] for o in c['operations']], c['because']['use']['instruction'])" | FileCheck %s --check-prefix=JSON
// RUN: %python -c "import json; l = json.load(open('%t.json'))['files'][0]['loops'][0]; print(l['atBackEdge'], l['deepest'], [d['line'] for d in l['drains']])" | FileCheck %s --check-prefix=LOOP
// RUN: inflight waits --report --format=github %s | FileCheck %s --check-prefix=GITHUB
// RUN: inflight waits -Wstrict-wait %s 2>&1 | FileCheck %s --check-prefix=WARN
// RUN: not inflight waits -Werror=superfluous-wait %s 2>&1 | FileCheck %s --check-prefix=ERROR
	.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
copy:
	s_load_dwordx4 s[0:3], s[4:5], 0x0
	s_waitcnt lgkmcnt(0)
	s_mov_b32 s8, s2
.Lloop:	global_load_dwordx4 v[4:7], v0, s[0:1]
	global_load_dwordx4 v[8:11], v0, s[0:1] offset:16
	s_waitcnt vmcnt(0)
	global_store_dwordx4 v0, v[4:7], s[2:3]
	s_waitcnt vmcnt(1)
	v_mov_b32_e32 v12, v8
	s_sub_u32 s8, s8, 1
	s_cmp_lg_u32 s8, 0
	s_cbranch_scc1 .Lloop
	s_waitcnt vmcnt(0)
	s_endpgm
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel copy
	.amdhsa_next_free_vgpr 16
	.amdhsa_next_free_sgpr 16
	.amdhsa_accum_offset 16
	.end_amdhsa_kernel

// CHECK:      report.s: copy (gfx942): 4 waits: 1 needed as they are, 1 stricter than needed, 2 superfluous
// CHECK:      report.s:[[#HEAD:]]-[[#]]: loop
// CHECK-NEXT:   in flight at the back edge   vmcnt 1, lgkmcnt 0
// CHECK-NEXT:   deepest queue                vmcnt 3, lgkmcnt 0
// CHECK-NEXT:   drained by                   l.[[#HEAD+2]] s_waitcnt vmcnt(0): vmcnt(1) is enough
// CHECK:      report.s:[[#HEAD-2]]: s_waitcnt lgkmcnt(0): needed as it is
// CHECK-NEXT:     waits for            s_load_dwordx4 s[0:3]  l.[[#HEAD-3]]  returns out of order: only lgkmcnt(0) covers it
// CHECK-NEXT:     because              l.[[#HEAD-1]] s_mov_b32 s8, s2 reads the result of l.[[#HEAD-3]]
// CHECK:      report.s:[[#HEAD+2]]: s_waitcnt vmcnt(0): vmcnt(1) is enough
// CHECK-NEXT:     waits for            global_store_dwordx4        l.[[#HEAD+3]]  done at vmcnt(2), of the iteration before
// CHECK-NEXT:                          global_load_dwordx4 v[4:7]  l.[[#HEAD]]  done at vmcnt(1)
// CHECK-NEXT:     needlessly also for  global_load_dwordx4 v[8:11]  l.[[#HEAD+1]]  done at vmcnt(0)
// CHECK-NEXT:     because              l.[[#HEAD+3]] global_store_dwordx4 v0, v[4:7], s[2:3] reads the result of l.[[#HEAD]]
// CHECK-NEXT:     waited for again at  l.[[#HEAD+4]] s_waitcnt vmcnt(1)
// CHECK:      report.s:[[#HEAD+4]]: s_waitcnt vmcnt(1): superfluous
// CHECK-NEXT:     --relax              makes it vmcnt(1)
// CHECK-NEXT:     waits for            nothing: no operation that it could wait for is in flight
// CHECK:      report.s:[[#HEAD+9]]: s_waitcnt vmcnt(0): superfluous
// CHECK-NEXT:     waits for            global_store_dwordx4  l.[[#HEAD+3]]  done at vmcnt(0)
// CHECK-NEXT:     but                  nothing after it uses a result of theirs
// CHECK:      report.s: --relax would weaken 1, remove 1

// JSON: copy vmcnt(1) vmcnt 0 1 [2, 1, 0] global_store_dwordx4 v0, v[4:7], s[2:3]
// LOOP: {'lgkmcnt': 0, 'vmcnt': 1} {'lgkmcnt': 0, 'vmcnt': 3} [16]
// GITHUB: ::warning file={{.*}}report.s,line=16,col=2,title=strict-wait::vmcnt(0) is stricter than needed: vmcnt(1) is enough
// WARN: warning: vmcnt(0) is stricter than needed: vmcnt(1) is enough [-Wstrict-wait]
// WARN: note: is the youngest operation that it has to wait for
// WARN: note: uses its result first
// ERROR: error: vmcnt(1) waits for nothing [-Wsuperfluous-wait]
