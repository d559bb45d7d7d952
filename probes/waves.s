// waves: when the waves of a workgroup start
// Shows: the clock at each wave's first instruction, from the first wave's on, of a workgroup that isn't the first to run this code.
// Expect: one after another; the slope is what a launch of a wave takes.
  s_memtime s[12:13]
  s_waitcnt lgkmcnt(0)
  s_mov_b64 s[24:25], s[12:13]
  probe_begin
  samples
  s_mov_b64 s[12:13], s[24:25]
  clock_stop
  probe_end
