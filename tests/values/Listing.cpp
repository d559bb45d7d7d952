#include "Listing.h"

#include "llvm/ADT/STLExtras.h"
#include <gtest/gtest.h>
#include <set>

using namespace llvm;

namespace inflight::values {

Listing::Listing(StringRef assembly, StringRef chip) {
  Expected<std::unique_ptr<Program>> read = readAssembly(assembly, "k.s", chip);
  if (!read) {
    ADD_FAILURE() << toString(read.takeError());
    abort();
  }
  program = std::move(*read);
  map = std::make_unique<LdsMap>(LdsMap::compute(*program));
}

Listing Listing::ofKernel(StringRef body, unsigned lanes, StringRef chip, bool isRequired, unsigned vgprs) {
  std::string text =
      ".amdgcn_target \"amdgcn-amd-amdhsa--" + chip.str() + "\"\n.text\n.globl k\n.p2align 8\n.type k,@function\nk:\n" +
      body.str() +
      "\ns_endpgm\n.section .rodata,\"a\",@progbits\n.p2align 6\n.amdhsa_kernel k\n.amdhsa_group_segment_fixed_size "
      "65536\n"
      ".amdhsa_next_free_vgpr " +
      std::to_string(vgprs) +
      "\n.amdhsa_next_free_sgpr 96\n.amdhsa_accum_offset 64\n.end_amdhsa_kernel\n"
      ".amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.kernels:\n  - .name: k\n    .symbol: k.kd\n"
      "    .kernarg_segment_size: 32\n    .kernarg_segment_align: 8\n    .group_segment_fixed_size: 65536\n"
      "    .private_segment_fixed_size: 0\n    .wavefront_size: 64\n    .sgpr_count: 96\n    .vgpr_count: " +
      std::to_string(vgprs) +
      "\n"
      "    .max_flat_workgroup_size: " +
      std::to_string(lanes) + (isRequired ? "\n    .reqd_workgroup_size: [" + std::to_string(lanes) + ", 1, 1]" : "") +
      "\n...\n.end_amdgpu_metadata\n";
  return Listing(text, chip);
}

std::vector<Listing::Place> Listing::find(StringRef text) const {
  std::vector<Place> places;
  for (uint32_t b = 0; b < map->blocks().size(); ++b) {
    const Block &block = program->blocks()[map->blocks()[b].block];
    for (uint32_t i = block.begin; i < block.end; ++i)
      if (StringRef(program->text(i)).starts_with(text))
        places.push_back({b, i});
  }
  if (places.empty())
    ADD_FAILURE() << "no instruction " << text.str();
  return places;
}

Overlap Listing::overlap(StringRef a, StringRef b, Between between) const {
  return map->overlap(at(find(a)[0]), at(find(b)[0]), between);
}

Overlap Listing::later(Place from, Place to, unsigned iterations) const {
  std::set<uint32_t> headers;
  for (const PhaseBlock &block : map->blocks())
    for (const PhaseEdge &edge : block.successors)
      if (edge.entersLoopAgain)
        headers.insert(map->blocks()[edge.block].block);
  std::set<std::tuple<uint32_t, Region, unsigned>> seen;
  std::vector<std::tuple<uint32_t, Region, unsigned>> work{{from.block, at(from), iterations}};
  Overlap worst = Overlap::No;
  while (!work.empty()) {
    auto [block, region, left] = work.back();
    work.pop_back();
    if (!seen.insert({block, region, left}).second)
      continue;
    const bool isLater = seen.size() > 1 || to.index > from.index;
    if (block == to.block && left == 0 && isLater)
      worst = std::max(worst, map->overlap(region, at(to)));
    for (const PhaseEdge &edge : map->blocks()[block].successors) {
      const bool isBack = headers.count(map->blocks()[edge.block].block);
      if (!isBack || left > 0)
        work.push_back({edge.block, map->across(region, block, edge.block), left - isBack});
    }
  }
  return worst;
}

std::string loop(std::string prologue, std::string body) {
  return prologue +
         "s_load_dword s10, s[0:1], 0x10\nv_lshlrev_b32 v1, 2, v0\ns_mov_b32 s5, 0\ns_waitcnt lgkmcnt(0)\nloop:\n" +
         body + "s_add_i32 s5, s5, 1\ns_sub_i32 s10, s10, 1\ns_cmp_lg_u32 s10, 0\ns_cbranch_scc1 loop\n";
}

} // namespace inflight::values
