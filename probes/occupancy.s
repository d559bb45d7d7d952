// occupancy: waves that a compute unit holds at a time
// Shows: by registers and LDS that a workgroup of one wave uses, how many were on one compute unit at the same time: each notes when
//   it began and ended, and sleeps between.
// Expect: four SIMDs times 8 waves at most, fewer with more than 64 VGPRs: 512 by the registers of a wave, in steps of 8; and the
//   size of the LDS by what a workgroup has of it.
  probe_begin
  s_getreg_b32 s16, hwreg(HW_REG_HW_ID)
  .if @HAS_XCC@
  s_getreg_b32 s17, hwreg(HW_REG_XCC_ID)
  .endif
  s_mov_b32 s11, 1
  samples
  clock_start
  .rept 8
  s_sleep 127
  .endr
  clock_stop
  probe_end
