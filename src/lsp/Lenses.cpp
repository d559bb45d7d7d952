// What a compute unit holds of each kernel.
#include "lsp/Answers.h"

#include "isa/chip/Occupancy.h"
#include "isa/chip/WaveSize.h"
#include "object/CodeObject.h"
#include "program/assemble/Assembler.h"
#include "support/Plural.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include <set>

using namespace llvm;

namespace inflight::lsp {

/// The text with an s_endpgm for the code of each function: what describes kernels is assembled without it in no time.
static std::string withoutCode(const Analysis &analysis) {
  const Program &program = *analysis.program();
  std::set<uint32_t> entries;
  for (const Function &function : program.functions())
    entries.insert(program.blocks()[function.entry].begin);
  const StringRef text = analysis.text().str();
  std::string result;
  size_t at = 0;
  for (const auto &[number, instruction] : enumerate(program.instructions())) {
    if (!instruction.desc || instruction.isFromMacro || instruction.offset < at)
      continue;
    result += text.slice(at, instruction.offset);
    if (entries.count(uint32_t(number)))
      result += "s_endpgm";
    at = instruction.offset + instruction.length;
  }
  return result + text.drop_front(at).str();
}

static std::string lensText(const Kernel &kernel, const TargetInfo &target) {
  const KernelDescriptor &descriptor = kernel.descriptor;
  const auto &required = kernel.requiredWorkgroupSize;
  const unsigned exactly = required[0] * required[1] * required[2];
  const unsigned waves = unsigned(divideCeil(exactly ? exactly : kernel.maxFlatWorkgroupSize, target.lanesPerWave));
  const Occupancy held = Occupancy::of(target, {.waves = std::max(waves, 1u),
                                                .vgprs = descriptor.vgprCount(target.vgprEncodingGranule),
                                                .sgprs = std::max(kernel.sgprCount, 1u),
                                                .ldsBytes = descriptor.groupSegmentFixedSize});
  std::string text = formatv("{0}, {1} of LDS: registers leave {2} a SIMD",
                             counted(descriptor.vgprCount(target.vgprEncodingGranule), "VGPR"),
                             counted(descriptor.groupSegmentFixedSize, "byte"), counted(held.wavesPerSimd, "wave"))
                         .str();
  if (waves)
    text += formatv("; a compute unit holds {0} of {1}{2}", counted(held.workgroups, "workgroup"),
                    exactly ? "" : "up to ", counted(waves, "wave"))
                .str();
  return text;
}

std::vector<std::pair<int, std::string>> lenses(const Analysis &analysis) {
  std::vector<std::pair<int, std::string>> result;
  if (!analysis.program())
    return result;
  const Isa &isa = analysis.program()->isa();
  // The code that refers to itself by more than labels has no lens.
  Expected<std::string> bytes = assembleCodeObject(isa, withoutCode(analysis), "kernels");
  Expected<CodeObject> object = bytes ? CodeObject::load(*bytes, "kernels") : bytes.takeError();
  if (!object) {
    consumeError(object.takeError());
    return result;
  }
  for (const Kernel &kernel : object->kernels())
    if (std::optional<llvm::lsp::Range> label = labelNamed(analysis, kernel.name))
      result.push_back({label->start.line, lensText(kernel, isa.target())});
  return result;
}

} // namespace inflight::lsp
