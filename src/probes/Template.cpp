#include "probes/Template.h"

#include "isa/chip/WaveSize.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace inflight::probes {

static const struct {
  StringRef name, contents;
} files[] = {
#include "EmbeddedProbes.inc"
};

static Template parse(StringRef file) {
  Template parsed;
  std::string *text = nullptr;
  while (file.ltrim('\n').starts_with("//")) {
    StringRef line;
    std::tie(line, file) = file.ltrim('\n').split('\n');
    line = line.drop_front(2).trim();
    if (parsed.name.empty()) {
      std::tie(parsed.name, parsed.title) = line.split(": ");
      continue;
    }
    if (line.consume_front("Shows: "))
      text = &parsed.shows;
    else if (line.consume_front("Expect: "))
      text = &parsed.expects;
    else if (text)
      *text += ' ';
    if (text)
      *text += line;
  }
  parsed.body = file;
  return parsed;
}

ArrayRef<Template> templates() {
  static const std::vector<Template> all = [] {
    std::vector<Template> made;
    for (const auto &file : files)
      if (file.name != "frame.s")
        made.push_back(parse(file.contents));
    return made;
  }();
  return all;
}

const Template &findTemplate(StringRef name) {
  const auto *found = find_if(templates(), [&](const Template &t) { return t.name == name; });
  if (found == templates().end())
    report_fatal_error("no kernel for probe " + name);
  return *found;
}

static std::string fill(StringRef text, const Variant &variant) {
  std::string filled;
  while (!text.empty()) {
    auto [before, rest] = text.split('@');
    filled += before;
    if (rest.empty() && !text.contains('@'))
      break;
    // "@NAME@"; type directives have an "@" of their own.
    const size_t end = rest.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_");
    if (end == StringRef::npos || end == 0 || rest[end] != '@') {
      filled += '@';
      text = rest;
      continue;
    }
    StringRef name = rest.take_front(end);
    auto value = variant.values.find(name.str());
    if (name == "WAVES")
      filled += std::to_string(variant.waves);
    else if (name == "VGPRS")
      filled += std::to_string(variant.vgprs);
    else if (value != variant.values.end())
      filled += value->second;
    else
      report_fatal_error("probe " + Twine(variant.probe) + ": no value for @" + name + "@");
    text = rest.drop_front(end + 1);
  }
  return filled;
}

std::string expand(const Variant &variant, StringRef chip) {
  StringRef frame;
  for (const auto &file : files)
    if (file.name == "frame.s")
      frame = file.contents;
  const unsigned lanes = waveLanes * variant.waves, arguments = 16,
                 accumOffset = std::min<unsigned>(256, alignTo(variant.vgprs, 4));
  std::string text = fill(frame, variant);
  text += "\n  .text\n  .globl probe\n  .p2align 8\n  .type probe,@function\nprobe:\n";
  text += fill(findTemplate(variant.probe).body, variant);
  text += formatv("  .size probe, .-probe\n\n"
                  "  .rodata\n  .p2align 6\n  .amdhsa_kernel probe\n"
                  "    .amdhsa_user_sgpr_kernarg_segment_ptr 1\n"
                  "    .amdhsa_kernarg_size {0}\n    .amdhsa_group_segment_fixed_size {1}\n"
                  "    .amdhsa_next_free_vgpr {2}\n    .amdhsa_accum_offset {3}\n    .amdhsa_next_free_sgpr 96\n"
                  "  .end_amdhsa_kernel\n\n",
                  arguments, variant.ldsBytes, variant.vgprs, accumOffset);
  text += formatv(
      "  .amdgpu_metadata\namdhsa.version: [1, 2]\namdhsa.target: amdgcn-amd-amdhsa--{0}\namdhsa.kernels:\n"
      "  - .name: probe\n    .symbol: probe.kd\n    .kernarg_segment_size: {1}\n    .kernarg_segment_align: 8\n"
      "    .group_segment_fixed_size: {2}\n    .private_segment_fixed_size: 0\n    .wavefront_size: 64\n"
      "    .sgpr_count: 96\n    .vgpr_count: {3}\n    .agpr_count: 0\n    .max_flat_workgroup_size: {4}\n    .args:\n",
      chip, arguments, variant.ldsBytes, variant.vgprs, lanes);
  for (unsigned i = 0; i < 2; ++i)
    text +=
        formatv("      - {{.name: {0}, .offset: {1}, .size: 8, .value_kind: global_buffer, .address_space: global}\n",
                i ? "data" : "results", 8 * i);
  text += "  .end_amdgpu_metadata\n";
  return text;
}

} // namespace inflight::probes
