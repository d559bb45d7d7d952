// A program in a test: assembly with its LDS map, instructions found by their text.
#pragma once

#include "values/LdsMap.h"

namespace inflight::values {

class Listing {
public:
  /// The body of a kernel `k` of one dimension with up to `lanes` lanes in a workgroup, or always that many; v0 is x,
  /// s[0:1] the arguments.
  static Listing ofKernel(llvm::StringRef body, unsigned lanes = 256, llvm::StringRef chip = "gfx942",
                          bool isRequired = false, unsigned vgprs = 64);
  explicit Listing(llvm::StringRef assembly, llvm::StringRef chip = "gfx942");

  struct Place {
    uint32_t block, index; ///< phase block and instruction
  };
  /// Where instructions stand whose text begins so, in the order of phase blocks.
  std::vector<Place> find(llvm::StringRef text) const;
  Region at(Place place) const { return map->region(place.block, place.index); }
  std::string bytes(llvm::StringRef text, unsigned nth = 0) const { return map->describe(at(find(text)[nth])); }
  Overlap overlap(llvm::StringRef a, llvm::StringRef b, Between between = Between::SameWave) const;
  /// How the region at `from` compares with that at `to` in `iterations` iterations of the loop: on every path from the
  /// one to the other that passes `iterations` back edges; the worst answer.
  Overlap later(Place from, Place to, unsigned iterations) const;
  unsigned phases(llvm::StringRef text) const { return find(text).size(); }

  std::unique_ptr<Program> program;
  std::unique_ptr<LdsMap> map;
};

/// A loop over k in s5 around `body`; s10 counts iterations down from an argument.
std::string loop(std::string prologue, std::string body);

} // namespace inflight::values
