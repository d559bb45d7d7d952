// Vector memory: queues, latencies by level, throughput.
#include "Kernels.h"

#include "llvm/Support/FormatVariadic.h"
#include <algorithm>

using namespace inflight::machine::test;
using namespace inflight;
using llvm::formatv;

namespace inflight::fidelity {

namespace {

const char fifo[] = "tingqli/pyhip, attn_4wave/tools/vmem-fifo.md, MI308X",
           bandwidth[] = "tingqli/pyhip, attn_4wave/tools/vmem-bandwidth.md, MI308X";
const char traces[] = "least of thread traces of MI350X 96 to 112 for L1: such tests, of 24 copies, are too long";
const char sc25[] = "hibagus/SC25_AMD_CDNA3_Artifact, data/5_Memory/MI300X, gpu-latency";
const char latencies[] = "tingqli/pyhip, docs/mem_latency.md, MI308X",
           bench[] = "stored measurements of gfx950 instructions";
const char counters[] = "tingqli/pyhip, docs/vm_cnt.md, thread trace, gfx942", cheese[] = "Chips and Cheese, MI300X";

/// One wave on each of the 80 compute units of an MI308X.
TimedSnippet onMi308x(unsigned waves = 1) {
  TimedSnippet snippet{.chip = "gfx942", .waves = waves, .bytes = 64 << 20, .maxInstructions = 1 << 24};
  snippet.options.device = "MI308X";
  snippet.options.activeCus = 80;
  return snippet;
}

const char buffer[] = "s_mov_b32 s4, s2\ns_mov_b32 s5, s3\ns_mov_b32 s6, -1\ns_mov_b32 s7, 0x20000\n";

/// Two rounds of buffer accesses back to back, the second in other memory; those of the second.
std::vector<events::Instruction> burst(const TimedSnippet &base, const std::string &before, const std::string &body,
                                       unsigned bytesOfRound) {
  TimedSnippet snippet = base;
  snippet.body = buffer + before + "s_mov_b32 s90, 0\n.Lround:\nbuffer_inv sc0 sc1\ns_waitcnt vmcnt(0)\n" + body +
                 "s_waitcnt vmcnt(0)\n" + formatv("v_add_u32 v5, {0}, v5\n", bytesOfRound).str() +
                 "s_add_u32 s90, s90, 1\ns_cmp_lt_u32 s90, 2\ns_cbranch_scc1 .Lround\n";
  std::vector<events::Instruction> all = runTimed(snippet).of("buffer_");
  std::erase_if(all, [](const events::Instruction &i) { return i.category != events::Category::Vmem; });
  // Each round has a buffer_inv.
  return {all.begin() + all.size() / 2 + 1, all.end()};
}

/// The number, from 1, of the first access after which the next one comes so much later.
double firstGap(const std::vector<events::Instruction> &accesses, uint64_t cycles) {
  for (size_t i = 1; i < accesses.size(); ++i)
    if (accesses[i].issued - accesses[i - 1].issued >= cycles)
      return double(i);
  return 0;
}

/// Of the gaps between the 17th access and the 44th, when the queue is full and L1 still takes lines.
double medianGap(const std::vector<events::Instruction> &accesses) {
  std::vector<uint64_t> gaps;
  for (size_t i = 17; i < 44; ++i)
    gaps.push_back(accesses[i].issued - accesses[i - 1].issued);
  std::nth_element(gaps.begin(), gaps.begin() + gaps.size() / 2, gaps.end());
  return double(gaps[gaps.size() / 2]);
}

/// Dword loads of rows at random, as the specification's probe has them, and sequential ones.
std::vector<events::Instruction> dwordLoads(bool isRandom, unsigned count) {
  std::string before = "v_mov_b32 v5, v1\n", body;
  uint32_t random = 1;
  for (unsigned i = 0; i < count; ++i) {
    random = 1664525 * random + 1013904223;
    const unsigned row = isRandom ? random >> 16 : i;
    if (i < 70)
      before += formatv("s_mov_b32 s{0}, {1}\n", 10 + i, row * 256);
    body += formatv("buffer_load_dword v10, v5, s[4:7], s{0} offen offset:{1}\n", 10 + i % 70, i / 70 * 256);
  }
  return burst(onMi308x(), before, body, 32 << 20);
}

/// 96 accesses of 16 bytes a lane one after another.
std::vector<events::Instruction> wideAccesses(const char *instruction) {
  std::string before = "v_lshlrev_b32 v5, 2, v1\n", body;
  for (unsigned i = 0; i < 24; ++i)
    before += formatv("s_mov_b32 s{0}, {1}\n", 10 + i, i * 4096);
  for (unsigned i = 0; i < 96; ++i)
    body += formatv("{0} v[12:15], v5, s[4:7], s{1} offen{2}\n", instruction, 10 + i / 4,
                    i % 4 ? formatv(" offset:{0}", i % 4 * 1024).str() : "");
  return burst(onMi308x(), before, body, 1 << 20);
}

std::vector<Row> queues() {
  auto firstStall = [](const std::vector<events::Instruction> &loads) {
    for (size_t i = 0; i < loads.size(); ++i)
      if (loads[i].stalls[size_t(events::Stall::QueueFull)])
        return double(i + 1);
    return 0.0;
  };
  const auto wide = wideAccesses("buffer_load_dwordx4"), stores = wideAccesses("buffer_store_dwordx4");
  return {
      {"first of 128 random dword loads that the queue stalls", firstStall(dwordLoads(true, 128)), 24, "",
       Origin::Input, counters, 8.4, "within 2"},
      {"of 96 dwordx4 loads, the first with a gap of 16 cycles behind it", firstGap(wide, 16), 16, "", Origin::Input,
       fifo, 6.5, "within 1"},
      {"of 96 dwordx4 loads, the first with a gap of 100 cycles behind it", firstGap(wide, 100), 50, "", Origin::Input,
       fifo},
      {"dwordx4 loads, median gap", medianGap(wide), 16, "clk", Origin::Input, fifo},
      {"of 96 dwordx4 stores, the first with a gap of 16 cycles behind it", firstGap(stores, 16), 1, "", Origin::Input,
       fifo},
      {"dwordx4 stores, median gap", medianGap(stores), 16, "clk", Origin::Input, fifo},
  };
}

/// A chain of loads that walks through memory, in `rounds`; each lane reads the same zero. Cycles of a load of the last
/// round.
double walk(const char *chip, unsigned bytes, unsigned step, unsigned rounds) {
  TimedSnippet snippet{.chip = chip, .bytes = std::max(1u << 20, bytes + 4096), .maxInstructions = 1 << 24};
  snippet.options.activeCus = 1;
  snippet.body =
      formatv("s_mov_b32 s90, 0\n.Lround:\nv_mov_b32 v5, 0\ns_mov_b32 s91, 0\n.Lstep:\n"
              "global_load_dword v6, v5, s[2:3]\ns_waitcnt vmcnt(0)\nv_add_u32 v5, {0}, v6\nv_add_u32 v5, v5, s91\n"
              "s_add_u32 s91, s91, {0}\ns_cmp_lt_u32 s91, {1}\ns_cbranch_scc1 .Lstep\ns_add_u32 s90, s90, "
              "1\ns_cmp_lt_u32 s90, {2}\ns_cbranch_scc1 .Lround\n",
              step, bytes, rounds);
  const auto loads = runTimed(snippet).operations;
  uint64_t sum = 0, count = 0;
  for (size_t i = 1 + (loads.size() - 1) * (rounds - 1) / rounds; i < loads.size(); ++i, ++count)
    sum += loads[i].returned - loads[i].issued;
  return count ? double(sum) / double(count) : 0;
}

std::vector<Row> byLevel() {
  const TimedSnippet one{.chip = "gfx950"};
  auto chain = [&](const char *instruction) {
    return chained(one, "v_mov_b32 v4, 0\n", std::string(instruction) + "\ns_waitcnt vmcnt(0)");
  };
  constexpr unsigned line = 128, moreThanL2 = 5 << 20;
  return {
      {"gfx950 global_load_dword, L1 hit, chained", chain("global_load_dword v4, v4, s[2:3]"), 146, "clk",
       Origin::Contradicted, bench, 5, traces},
      {"gfx950 global_load_dwordx4, L1 hit, chained", chain("global_load_dwordx4 v[4:7], v4, s[2:3]"), 166, "clk",
       Origin::Contradicted, bench, 5, traces},
      {"gfx950 global_load_dword, L2 hit, chained", chain("global_load_dword v4, v4, s[2:3] sc1"), 305, "clk",
       Origin::Contradicted, bench, 5, traces},
      {"gfx942 global_load_dword, MALL hit, at 2100 MHz", walk("gfx942", moreThanL2, line, 2) / 2.1, 218, "ns",
       Origin::Input, cheese},
      {"gfx942 global_load_dword, memory", walk("gfx942", 1 << 20, line, 1), 650, "clk", Origin::Contradicted,
       latencies, 5, "published as 500 to 800; chases of pointers on MI300X say 866, as the next rows"},
      {"gfx942 chase of pointers, L1", walk("gfx942", 8 << 10, line, 3), 114, "clk", Origin::Input, sc25},
      {"gfx942 chase of pointers, L2", walk("gfx942", 512 << 10, line, 2), 207, "clk", Origin::Input, sc25},
      {"gfx942 chase of pointers, MALL", walk("gfx942", moreThanL2, line, 2), 447, "clk", Origin::Input, sc25},
      {"gfx942 chase of pointers, memory", walk("gfx942", 1 << 20, line, 1), 866, "clk", Origin::Input, sc25},
  };
}

/// The shape of pyhip's test: eleven loads of cold memory less one, over ten.
std::vector<Row> bursts() {
  auto rate = [](const std::string &before, const std::string &load) {
    // Each round goes on where the last one ended.
    return throughput(onMi308x(), buffer + before, 11, load, "s_waitcnt vmcnt(0)\nv_add_u32 v5, 0x4000, v5");
  };
  return {
      {"buffer_load_dwordx4, cold, a CU",
       rate("v_lshlrev_b32 v5, 2, v1\n",
            "v_add_u32 v6, % * 1024, v5\nbuffer_load_dwordx4 v[12:15], v6, s[4:7], 0 offen"),
       32, "clk", Origin::Prediction, latencies},
      {"buffer_load_dword to LDS, cold, a CU",
       rate("s_mov_b32 m0, 0\nv_mov_b32 v5, v1\n", "buffer_load_dword v5, s[4:7], 0 offen offset:%*256 lds"), 11, "clk",
       Origin::Input, latencies},
  };
}

/// GB/s of 80 compute units at 1800 MHz: four waves each, 32 accesses and a wait for all, in stripes of so many
/// neighbouring lanes.
double streamed(const char *instruction, unsigned laneBytes, unsigned neighbours, const char *policy = "") {
  TimedSnippet snippet = onMi308x(4);
  snippet.options.clockMHz = 1800;
  constexpr unsigned rounds = 16, accesses = 32;
  const unsigned stripe = rounds * accesses * neighbours * laneBytes;
  const std::string data = laneBytes == 4 ? "v12" : laneBytes == 8 ? "v[12:13]" : "v[12:15]";
  const bool isStore = std::string(instruction).find("store") != std::string::npos;
  std::string body;
  for (unsigned i = 0; i < accesses; ++i)
    body += formatv("{0} {1}{2}\nv_add_u32 v5, {3}, v5\n", instruction,
                    isStore ? "v5, " + data + ", s[2:3]" : data + ", v5, s[2:3]", policy, neighbours * laneBytes)
                .str();
  snippet.body =
      formatv("v_lshrrev_b32 v6, {0}, v0\nv_and_b32 v7, {1}, v0\nv_mul_u32_u24 v5, {2}, v7\ns_mov_b32 s8, "
              "{3}\nv_mul_lo_u32 v6, v6, s8\nv_add_u32 v5, v5, v6\n",
              llvm::Log2_32(neighbours), neighbours - 1, laneBytes, stripe)
          .str() +
      "s_mov_b32 s90, 0\n.Lround:\n" + body +
      formatv("s_waitcnt vmcnt(0)\ns_add_u32 s90, s90, 1\ns_cmp_lt_u32 s90, {0}\ns_cbranch_scc1 .Lround\n", rounds)
          .str();
  const Recording recording = runTimed(snippet);
  return 80 * 1.8 * double(rounds * accesses) * 4 * 64 * laneBytes / double(recording.summary.cycles);
}

std::vector<Row> streams() {
  const char lines[] = "three cycles a line that passes L1 by; the four waves of the model wait at the same time";
  const char narrow[] = "memory serves dwords and pairs of them somewhat slower than the model";
  return {
      {"MI308X loads, 64 lanes x 16 B", streamed("global_load_dwordx4", 16, 64), 4183.8, "GB/s", Origin::Input,
       bandwidth},
      {"MI308X loads, 64 lanes x 8 B", streamed("global_load_dwordx2", 8, 64), 3613.4, "GB/s", Origin::Prediction,
       bandwidth, 20, narrow},
      {"MI308X loads, 64 lanes x 4 B", streamed("global_load_dword", 4, 64), 3686.5, "GB/s", Origin::Prediction,
       bandwidth, 20, "the four waves of the model wait at the same time"},
      {"MI308X loads, 16 x 4 lanes x 4 B", streamed("global_load_dword", 4, 4), 2278.3, "GB/s", Origin::Prediction,
       bandwidth, 32, "a line a cycle, as measured, but the four waves of the model wait at the same time"},
      {"MI308X loads, 16 x 4 lanes x 16 B", streamed("global_load_dwordx4", 16, 4), 3873.7, "GB/s", Origin::Prediction,
       bandwidth, 10, narrow},
      {"MI308X non-temporal loads, 16 x 4 lanes x 16 B", streamed("global_load_dwordx4", 16, 4, " nt"), 3033.3, "GB/s",
       Origin::Input, bandwidth, 10, lines},
      {"MI308X non-temporal loads, 4 x 16 lanes x 4 B", streamed("global_load_dword", 4, 16, " nt"), 3036.0, "GB/s",
       Origin::Prediction, bandwidth, 30, lines},
      {"MI308X non-temporal loads, 8 x 8 lanes x 4 B", streamed("global_load_dword", 4, 8, " nt"), 1638.4, "GB/s",
       Origin::Prediction, bandwidth, 25, lines},
      {"MI308X non-temporal loads, 16 x 4 lanes x 4 B", streamed("global_load_dword", 4, 4, " nt"), 413.0, "GB/s",
       Origin::Prediction, bandwidth, 100,
       "pieces of 16 bytes cost as much as two of 32 there, which the model doesn't know"},
      {"MI308X stores, 64 lanes x 16 B", streamed("global_store_dwordx4", 16, 64), 3400.3, "GB/s", Origin::Prediction,
       bandwidth, 30, "memory takes stores slower than loads; the model makes no difference"},
  };
}

const Topic a("Memory, issue queue", queues), b("Memory, latency by level", byLevel), c("Memory, bursts", bursts),
    d("Memory, streams", streams);

} // namespace

} // namespace inflight::fidelity
