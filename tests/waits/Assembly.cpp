#include "Assembly.h"
#include "rewrite/Rewrite.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace inflight::waits::test {

static const StringRef head = ".text\n.globl k\n.p2align 8\n.type k,@function\nk:\n";

std::string kernel(StringRef body, unsigned ldsBytes, unsigned lanes, StringRef chip) {
  const bool isGfx9 = chip.starts_with("gfx9");
  return (head + body +
          ".Lend:\n.size k, .Lend-k\n.rodata\n.p2align 6\n.amdhsa_kernel k\n.amdhsa_next_free_vgpr "
          "64\n.amdhsa_next_free_sgpr 64\n" +
          (isGfx9 ? ".amdhsa_accum_offset 64\n" : "") + ".amdhsa_group_segment_fixed_size " + Twine(ldsBytes) +
          "\n.end_amdhsa_kernel\n.amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.kernels:\n"
          "  - .name: k\n    .symbol: k.kd\n    .kernarg_segment_size: 0\n    .kernarg_segment_align: 8\n    "
          ".group_segment_fixed_size: " +
          Twine(ldsBytes) + "\n    .private_segment_fixed_size: 0\n    .wavefront_size: " + (isGfx9 ? "64" : "32") +
          "\n    .sgpr_count: 64\n    .vgpr_count: 64\n   "
          " .max_flat_workgroup_size: " +
          Twine(lanes) + "\n...\n.end_amdgpu_metadata\n")
      .str();
}

std::unique_ptr<Program> read(StringRef text, StringRef chip) {
  Expected<std::unique_ptr<Program>> program = readAssembly(text, "test.s", chip);
  if (!program) {
    ADD_FAILURE() << toString(program.takeError());
    return nullptr;
  }
  return std::move(*program);
}

std::string replanned(StringRef body, Goal goal, unsigned ldsBytes, StringRef chip, unsigned lanes) {
  const std::string text = kernel(body, ldsBytes, lanes, chip);
  std::unique_ptr<Program> program = read(text, chip);
  if (!program)
    return "";
  Expected<std::string> edited = editAssembly(*program, text, plan(*program, goal).edits);
  if (!edited) {
    ADD_FAILURE() << toString(edited.takeError());
    return "";
  }
  StringRef rest = *edited;
  rest = rest.drop_front(head.size());
  return rest.take_front(rest.find(".Lend:")).str();
}

std::vector<std::string> findings(StringRef body, unsigned ldsBytes, StringRef chip, unsigned lanes) {
  std::unique_ptr<Program> program = read(kernel(body, ldsBytes, lanes, chip), chip);
  std::vector<std::string> result;
  if (!program)
    return result;
  const Verified verified = verify(*program);
  for (uint32_t i : verified.mistakes()) {
    const Finding &finding = verified.findings[i];
    const ReportItem item = describeFinding(*program, verified, finding);
    result.push_back((Twine(item.place.source.line - head.count('\n')) + ": " + item.rule + ": " + item.hint).str());
  }
  return result;
}

} // namespace inflight::waits::test
