#include "probes/Experiments.h"

#include "probes/Works.h"

using namespace llvm;

namespace inflight::probes {

static constexpr const char *readNarrow = "ds_read_b32 v[D], v[A]";
static constexpr const char *writeNarrow = "ds_write_b32 v[A], v[D]", *writeWide = "ds_write_b128 v[A], v[D:D+3]";
static constexpr const char *loadWide = "global_load_dwordx4 v[D:D+3], v[A], s[6:7]";

/// Between powers of two, so that a cache either holds all of a footprint or far from it.
static double chases(Bench &bench, uint64_t from, uint64_t to, unsigned stride) {
  double sum = 0;
  for (uint64_t footprint = from; footprint <= to; footprint *= 2)
    sum += bench.each(chaseWork(footprint, stride, true));
  return sum;
}

/// All waves of a compute unit read the same megabyte again and again: `waves` of them, on as many compute units.
static Work l2Work(unsigned waves, unsigned loads) {
  Work work = vmemWork(loadWide, waves, 4, uint64_t(waves) * loads * 1024, 1024, true);
  return work.with("WAVE_BYTES", uint64_t(loads) * 1024);
}

// NOLINTNEXTLINE(readability-function-size): a table
ArrayRef<Experiment> experiments() {
  using enum Experiment::Among;
  static const Experiment all[] = {
      {"issue_slot", All, 1, 16, "slots: s_nop 0", [](Bench &b) { return b.each(slotsWork("s_nop 0")); }},
      {"valu_latency", All, 1, 64, "valu: v_add_f32 chained",
       [](Bench &b) { return b.each(valuWork("v_add_f32 v[D], v[A], v[A]", true)); }},
      {"valu_scalar_result_latency", All, 1, 128, "valu-to-scalar",
       [](Bench &b) { return b.each(valuToScalarWork()); }},
      {"transcendental_issue", All, 1, 64, "valu: v_exp_f32 independent",
       [](Bench &b) { return b.each(valuWork("v_exp_f32 v[D], v[A]", false)); }},
      {"transcendental_latency", All, 1, 128, "valu: v_exp_f32 chained",
       [](Bench &b) { return b.each(valuWork("v_exp_f32 v[D], v[A]", true)); }},
      {"quarter_rate_issue", All, 1, 64, "valu: v_mul_lo_u32 independent",
       [](Bench &b) { return b.each(valuWork("v_mul_lo_u32 v[D], v[A], v[A]", false)); }},
      {"salu_latency", All, 1, 64, "salu: s_add_u32 chained",
       [](Bench &b) { return b.each(saluWork("s_add_u32 s[D], s[A], s[A]", true)); }},
      {"sleep_unit", All, 1, 512, "slots: s_sleep 10", [](Bench &b) { return b.each(slotsWork("s_sleep 10"), 8, 24); }},
      {"branch_not_taken", All, 1, 128, "branch: not taken", [](Bench &b) { return b.each(branchWork(false, 0)); }},
      {"branch_taken", All, 1, 256, "branch: taken over 7 instructions",
       [](Bench &b) { return b.each(branchWork(true, 7)); }},
      {"clock_latency", All, 1, 1000, "slots: s_memtime and a wait for it",
       [](Bench &b) { return b.each(slotsWork("s_memtime s[20:21]\n  s_waitcnt lgkmcnt(0)"), 8, 24); }},
      {"barrier_latency", All, 0, 512, "barrier: 8 waves", [](Bench &b) { return b.each(barrierWork(8), 8, 24); }},
      {"launch_latency", All, 0, 512, "waves: start of the 16th after the first",
       [](Bench &b) { return waveStarts(b, b.run(wavesWork(b, 16))).back(); }},
      {"lds_port_bytes", PowersOfTwo, 8, 1024, "lds: ds_write_b128 less ds_write_b32, one wave",
       [](Bench &b) {
         return b.each(ldsWork(writeWide, false, 16), 32, 96) - b.each(ldsWork(writeNarrow, false, 4), 32, 96);
       }},
      {"lds_latency", All, 1, 512, "lds: ds_read_b32 chained",
       [](Bench &b) { return b.each(ldsWork(readNarrow, true, 4)); }},
      {"lds_conflict_latency", All, 0, 256, "lds: ds_read_b32 chained, all lanes in one bank",
       [](Bench &b) { return b.each(ldsWork(readNarrow, true, 256)); }},
      {"lds_atomic_extra", All, 0, 512, "lds: ds_add_rtn_u32 chained",
       [](Bench &b) { return b.each(ldsWork("ds_add_rtn_u32 v[D], v[A], v10", true, 4)); }},
      {"lds_queue", All, 1, 13, "lds-queue: 14 reads",
       [](Bench &b) { return b.cycles(ldsQueueWork(256).with("COUNT", 14)); }},
      {"l1_latency", All, 1, 2000, "chase: 4 KiB", [](Bench &b) { return b.each(chaseWork(4096, 128, true)); }},
      {"l2_latency", All, 1, 4000, "chase: 512 KiB", [](Bench &b) { return b.each(chaseWork(1 << 19, 128, true)); }},
      {"mall_latency_ns", All, 1, 8000, "chase: 32 MiB", [](Bench &b) { return b.each(chaseWork(1 << 25, 128, true)); },
       "mall_bytes"},
      {"memory_latency_ns", All, 1, 16000, "chase: never touched before",
       [](Bench &b) { return b.each(chaseWork(uint64_t(1) << 30, 4096, false)); }},
      {"l1_line", PowersOfTwo, 16, 1024, "chase: 256 KiB in steps of 16 bytes",
       [](Bench &b) { return b.each(chaseWork(1 << 18, 16, true)); }},
      {"l1_bytes", PowersOfTwo, 1 << 12, 1 << 18, "chase: 3 to 192 KiB",
       [](Bench &b) { return chases(b, 3 << 10, 3 << 16, 64); }},
      {"l2_line", PowersOfTwo, 64, 1024, "chase: never touched before, in steps of 128 bytes",
       [](Bench &b) { return b.each(chaseWork(uint64_t(1) << 24, 128, false)); }},
      {"l2_bytes", PowersOfTwo, 1 << 19, 1 << 24, "chase: 1.5 to 12 MiB",
       [](Bench &b) { return chases(b, 3 << 19, 3 << 22, 128); }},
      {"smem_latency", All, 1, 2000, "smem: 1 KiB", [](Bench &b) { return b.each(smemWork(1024, 64, true)); }},
      {"smem_miss_latency", All, 0, 4000, "smem: 128 KiB",
       [](Bench &b) { return b.each(smemWork(1 << 17, 64, true)); }},
      {"scalar_cache_line", PowersOfTwo, 16, 256, "smem: 128 KiB in steps of 16 bytes",
       [](Bench &b) { return b.each(smemWork(1 << 17, 16, true)); }},
      {"scalar_cache_bytes", PowersOfTwo, 1 << 11, 1 << 17, "smem: 3 to 96 KiB",
       [](Bench &b) {
         double sum = 0;
         for (unsigned footprint = 3 << 10; footprint <= 3 << 15; footprint *= 2)
           sum += b.each(smemWork(footprint, 64, true));
         return sum;
       }},
      {"fetch_miss", All, 0, 4000, "fetch: 96 KiB of code",
       [](Bench &b) { return b.cycles(fetchWork(96 << 10)) / (96 << 4); }},
      {"texture_address_cycles", All, 1, 64, "vmem: global_store_byte, 16 waves",
       [](Bench &b) { return b.each(vmemWork("global_store_byte v[A], v[D], s[6:7]", 16, 0, 1 << 16, 0, true)); }},
      {"texture_store_bytes", PowersOfTwo, 8, 512, "vmem: global_store_dwordx4, 16 waves",
       [](Bench &b) {
         return b.each(vmemWork("global_store_dwordx4 v[A], v[D:D+3], s[6:7]", 16, 4, 1 << 16, 0, true));
       }},
      {"l2_atomic_extra", All, 0, 4000, "vmem: global_atomic_add with a wait for its result, one wave",
       [](Bench &b) {
         const std::string atomic =
             std::string("global_atomic_add v[D], v[A], v9, s[6:7] ") + (b.target().hasScopeBits ? "sc0" : "glc");
         return b.each(vmemWork(atomic + "\n  s_waitcnt vmcnt(0)", 1, 2, 1 << 16, 0, true));
       }},
      {"lds_dma_cycles", All, 1, 200, "lds-dma: buffer_load_dword lds",
       [](Bench &b) { return b.each(ldsDmaWork("buffer_load_dword v8, s[20:23], 0 offen lds", false, 4)); }},
      {"texture_return_bytes", PowersOfTwo, 8, 512, "vmem: global_load_dwordx4 of 268 bytes in L1, 16 waves",
       [](Bench &b) { return b.each(vmemWork(loadWide, 16, 2, 1 << 16, 0, true)); }},
      {"l2_cu_bytes_per_cycle", PowersOfTwo, 4, 512, "vmem: global_load_dwordx4 in L2, 16 waves",
       [](Bench &b) { return b.each(l2Work(16, 48), 24, 48); }},
      {"l1_in_flight_bytes", All, 1 << 10, 1 << 18, "vmem: global_load_dwordx4 from memory, 16 waves",
       [](Bench &b) { return b.each(vmemWork(loadWide, 16, 4, 1 << 26, 1024, false), 24, 48); }},
      {"vmem_outstanding", All, 1, 64, "vmem-issue: 69 to 72 sequential loads",
       [](Bench &b) {
         double sum = 0;
         for (unsigned loads = 69; loads <= 72; ++loads)
           sum += b.cycles(vmemIssueWork(Pattern::Sequential, 1).with("COUNT", loads));
         return sum;
       }},
      {"vmem_queue", All, 1, 40, "vmem-issue: 40 scattered loads",
       [](Bench &b) { return b.cycles(vmemIssueWork(Pattern::Scattered, 1).with("COUNT", 40)); }},
      {"lgkm_outstanding", All, 2, 22, "smem-issue: 21 to 24 s_load_dword",
       [](Bench &b) {
         double sum = 0;
         for (unsigned loads = 21; loads <= 24; ++loads)
           sum += b.cycles(smemIssueWork("s_load_dword s[24+4*(I%16)], s[6:7], 64*I").with("COUNT", loads));
         return sum;
       }},
      {"l2_bytes_per_cycle", PowersOfTwo, 128, 16384, "vmem: global_load_dwordx4 in L2, on all compute units",
       [](Bench &b) {
         Work work = l2Work(4, 48);
         work.workgroups = b.on().computeUnits();
         return b.each(work, 24, 48);
       }},
  };
  return all;
}

} // namespace inflight::probes
