// barrier: s_barrier by the number of waves
// Shows: cycles from one barrier to the next when waves do nothing else.
// Expect: more than one issue slot as soon as there are two waves; grows little with their number, as they arrive within a few cycles.
  probe_begin
  samples
  clock_start
  .rept @COUNT@
  s_barrier
  .endr
  clock_stop
  probe_end
