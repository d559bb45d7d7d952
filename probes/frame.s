// What all probes share: arguments, the clock around what is measured, results.
//
// Kernel arguments: results, data (addresses). A wave writes 32 bytes a sample: clock before and after, and two words that the
// probe leaves in s[16:17] and s[18:19]. The first sample fills caches; the driver takes the best of the others.
// Free for the probe: s[16:95], v[8:]. v0 is the lane, s3 the wave of the workgroup, s[6:7] the data, s2 the workgroup.
//
// s_memtime counts cycles of the shader clock on these chips; s_memrealtime counts at a constant 100 MHz and would show next to nothing.
.set SAMPLES, 3
.set WAVES, @WAVES@

.macro probe_begin
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshrrev_b32 v1, 6, v0
  v_and_b32 v0, 63, v0
  s_nop 1
  v_readfirstlane_b32 s3, v1
  s_mul_i32 s10, s2, WAVES
  s_add_u32 s10, s10, s3
  s_mul_i32 s10, s10, SAMPLES * 32
  s_waitcnt lgkmcnt(0)
  s_add_u32 s4, s4, s10
  s_addc_u32 s5, s5, 0
  s_mov_b32 s11, SAMPLES
  s_mov_b64 s[16:17], 0
  s_mov_b64 s[18:19], 0
.endm

.macro samples
.p2align 6
next_sample:
.endm

// All waves begin together, at the start of a line of instructions.
.macro clock_start
  s_waitcnt vmcnt(0) lgkmcnt(0)
  .if WAVES > 1
  s_barrier
  .endif
  .p2align 6
  s_memtime s[12:13]
  s_waitcnt lgkmcnt(0)
.endm

// As soon as all before has issued; it need not have ended.
.macro clock_stop
  s_memtime s[14:15]
.endm

.macro probe_end
  s_waitcnt vmcnt(0) lgkmcnt(0)
  v_mov_b32 v1, 0
  v_mov_b32 v2, s12
  v_mov_b32 v3, s13
  v_mov_b32 v4, s14
  v_mov_b32 v5, s15
  global_store_dwordx4 v1, v[2:5], s[4:5]
  s_waitcnt vmcnt(0)
  v_mov_b32 v2, s16
  v_mov_b32 v3, s17
  v_mov_b32 v4, s18
  v_mov_b32 v5, s19
  global_store_dwordx4 v1, v[2:5], s[4:5] offset:16
  s_waitcnt vmcnt(0)
  s_add_u32 s4, s4, 32
  s_addc_u32 s5, s5, 0
  s_sub_u32 s11, s11, 1
  s_cmp_lg_u32 s11, 0
  s_cbranch_scc1 next_sample
  s_endpgm
.endm
