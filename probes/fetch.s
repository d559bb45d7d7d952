// fetch: straight code of growing size, run again and again
// Shows: cycles for each line (64 bytes) of instructions of 8 bytes, by the size of the loop.
// Expect: 32, the issue of eight instructions, as long as the loop fits the instruction cache (64 KiB on gfx942 and gfx950, 32 KiB on
//   gfx90a, for two compute units). Beyond, what a line takes to come from L2.
  probe_begin
  samples
  clock_start
  .rept @LINES@ * 8
  s_mov_b32 s20, 0x12345678
  .endr
  clock_stop
  probe_end
