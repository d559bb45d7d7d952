// Remarks on what a kernel takes of a compute unit.
#include "compiler/emit/Emit.h"
#include "isa/chip/Occupancy.h"
#include "support/Plural.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::lir {

namespace {

constexpr StringRef pass = "occupancy";

class OccupancyRemarks {
public:
  explicit OccupancyRemarks(Function &function)
      : function(function),
        target(function.isa->target()),
        counts(countsOf(function)),
        taken{.waves = unsigned(divideCeil(std::max(function.maxWorkgroupSize, 1u), target.lanesPerWave)),
              .vgprs = counts.vgprs,
              .sgprs = counts.sgprsWithReserved,
              .ldsBytes = function.ldsBytes},
        held(Occupancy::of(target, taken)) {}

  void run() {
    usage();
    const unsigned slots = target.maxWavesPerSimd * target.simdsPerCu;
    Remark remark = make(Remark::Kind::Analysis, "Occupancy");
    remark.text("occupancy: ").number("Workgroups", held.workgroups).text(" workgroups of ");
    remark.number("WavesPerWorkgroup", taken.waves).text(taken.waves == 1 ? " wave" : " waves");
    remark.text(" on a CU, ")
        .number("Waves", uint64_t(held.workgroups) * taken.waves)
        .text(" of ")
        .number("WaveSlots", slots);
    remark.text(" waves");
    if (function.usesDynamicLds)
      remark.text(", fewer with dynamic LDS");
    function.remarks.add(std::move(remark));
    limits();
  }

private:
  static Remark make(Remark::Kind kind, StringRef name) { return Remark(kind, pass, name); }

  /// A remark on the kernel's resources, with the keys of LLVM's kernel-resource-usage.
  void usage() {
    Remark remark(Remark::Kind::Analysis, "kernel-resource-usage", "ResourceUsage");
    remark.text("kernel '").value("FunctionName", function.name).text("': ");
    remark.number("NumVGPR", function.vgprsUsed).text(" VGPRs, ").number("NumAGPR", counts.agprs).text(" AGPRs, ");
    remark.number("NumSGPR", counts.sgprs).text(" SGPRs, ").number("BytesLDS", function.ldsBytes);
    remark.text(" bytes of LDS, ").number("ScratchSize", function.scratchBytes).text(" bytes of scratch per lane, ");
    remark.number("VGPRSpill", function.vgprSpills).text(" VGPRs and ").number("SGPRSpill", function.sgprSpills);
    remark.text(" SGPRs spilled");
    function.remarks.add(std::move(remark));
  }

  /// A remark for each resource that has no room for one more workgroup: with how much of it there would be room.
  void limits() {
    using Resource = OccupancyLimit::Resource;
    for (const OccupancyLimit &limit : limitsOf(target, taken, held))
      switch (limit.resource) {
      case Resource::WaveSlots: fullSlots(); break;
      case Resource::Vgprs: need("VGPRs", "VGPRs per wave, AGPRs included", limit); break;
      case Resource::Sgprs: need("SGPRs", "SGPRs per wave, reserved ones included", limit); break;
      case Resource::Lds: need("LDS", "bytes of LDS per workgroup", limit); break;
      case Resource::Barriers:
        function.remarks.add(make(Remark::Kind::Missed, "LimitedByBarriers")
                                 .text("occupancy is limited by barriers: a CU has ")
                                 .number("Barriers", limit.has));
      }
  }

  void need(StringRef resource, StringRef what, const OccupancyLimit &limit) {
    function.remarks.add(make(Remark::Kind::Missed, ("LimitedBy" + resource).str())
                             .text("occupancy is limited by " + resource + ": one more workgroup would need at most ")
                             .number("Most", limit.most)
                             .text(" " + what + " (now ")
                             .number("Has", limit.has)
                             .text(")"));
  }

  void fullSlots() {
    const unsigned slots = target.maxWavesPerSimd * target.simdsPerCu;
    const unsigned idle = slots - held.workgroups * taken.waves;
    if (idle)
      function.remarks.add(make(Remark::Kind::Missed, "LimitedByWorkgroupSize")
                               .text("occupancy is limited by the workgroup's size: ")
                               .number("IdleSlots", idle)
                               .text(" of a CU's " + Twine(slots) + " wave slots stay empty, since another " +
                                     counted(taken.waves, "wave") + " would not fit"));
  }

  Function &function;
  const TargetInfo &target;
  const KernelCounts counts;
  const WorkgroupResources taken;
  const Occupancy held;
};

} // namespace

void remarkOnOccupancy(Function &function) {
  if (function.remarks.isWanted)
    OccupancyRemarks(function).run();
}

} // namespace inflight::lir
