// Streams through memory by occupancy, and chains of loads by where their data are, against an MI300X.
#include "Kernels.h"

#include "llvm/Support/FormatVariadic.h"

using namespace inflight::machine::test;
using llvm::formatv;

namespace inflight::fidelity {

namespace {

const char sc25[] = "hibagus/SC25_AMD_CDNA3_Artifact, data/5_Memory/MI300X, gpu-stream";
const char l2Sc25[] = "hibagus/SC25_AMD_CDNA3_Artifact, data/5_Memory/MI300X, gpu-l2-stream";
constexpr unsigned units = 304, wavesOfUnit = 960;

/// TB/s of kernels that load and store one double a lane, two workgroups of so many waves on each unit.
/// `stays`: all workgroups of a unit in the same memory, which L2 keeps.
double stream(unsigned waves, unsigned loads, bool stores, bool stays = false) {
  const unsigned groupsOfUnit = wavesOfUnit / waves;
  TimedSnippet snippet{.chip = "gfx942", .waves = waves, .workgroups = units * groupsOfUnit, .bytes = 256 << 20};
  snippet.options.device = "MI300X";
  snippet.options.sample = groupsOfUnit;
  snippet.options.sharing = false;
  snippet.directives = ".amdhsa_group_segment_fixed_size 32768\n.amdhsa_next_free_vgpr 16\n.amdhsa_accum_offset 16\n";
  // Each workgroup of the unit has its own piece of the buffer: its number over the units' number, times its bytes.
  const unsigned bytes = waves * 64 * 8;
  std::string body = formatv("s_mul_hi_u32 s8, ttmp9, {0}\ns_mul_i32 s8, s8, {1}\nv_lshlrev_b32 v5, 3, v0\n"
                             "v_add_u32 v5, s8, v5\n",
                             (uint64_t(1) << 32) / units + 1, stays ? 0 : bytes);
  for (unsigned i = 0; i < loads; ++i)
    body += formatv("v_add_u32 v6, {0}, v5\nglobal_load_dwordx2 v[{1}:{2}], v6, s[2:3]\n", (i + 1) * (32 << 20),
                    10 + 2 * i, 11 + 2 * i);
  if (loads)
    body += "s_waitcnt vmcnt(0)\n";
  if (stores)
    body += "v_mul_f64 v[10:11], v[10:11], v[10:11]\nglobal_store_dwordx2 v5, v[10:11], s[2:3]\n";
  snippet.body = body;
  const Recording r = runTimed(snippet);
  // What L2 has in the end leaves it once, however often it was written.
  const double seconds = r.stats.deviceSeconds - (stays ? r.stats.writeBackSeconds : 0);
  return double(bytes) * (loads + stores) * units * groupsOfUnit / seconds * 1e-12;
}

std::vector<Row> streams() {
  constexpr auto fit = Origin::Input, heldOut = Origin::Prediction;
  const char shape[] = "the benchmark's own loop isn't known";
  std::vector<Row> rows;
  struct Point {
    unsigned waves;
    const char *occupancy;
    double init, read, scale;
  };
  for (const Point &p :
       {Point{2, "12.5", 2.004, 1.054, 1.538}, Point{4, "25", 3.454, 1.971, 2.635}, Point{8, "50", 4.313, 3.090, 3.430},
        Point{12, "75", 4.6, 3.71, 3.97}, Point{16, "100", 4.8, 4.14, 3.97}}) {
    const std::string at = std::string(" stream, ") + p.occupancy + " % of the waves";
    rows.push_back({"MI300X read" + at, stream(p.waves, 1, false), p.read, "TB/s", heldOut, sc25, 10, shape});
    rows.push_back({"MI300X write" + at, stream(p.waves, 0, true), p.init, "TB/s", p.waves == 16 ? fit : heldOut, sc25,
                    10, shape});
    rows.push_back({"MI300X scale" + at, stream(p.waves, 1, true), p.scale, "TB/s", p.waves == 16 ? fit : heldOut, sc25,
                    10, shape});
  }
  rows.push_back({"MI300X writes that stay in L2, 100 % of the waves", stream(16, 0, true, true), 7.9, "TB/s", fit,
                  l2Sc25, 10, shape});
  return rows;
}

const Topic topic("Streams by occupancy", streams);

} // namespace

} // namespace inflight::fidelity
