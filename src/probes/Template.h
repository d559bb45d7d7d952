// A probe's kernel: assembly with places to fill in, and the text that says what it shows. The files stand in probes/
// and are compiled in.
#pragma once

#include "isa/Isa.h"
#include <map>
#include <string>

namespace inflight::probes {

struct Template {
  llvm::StringRef name, title, body;
  std::string shows, expects; ///< in one line
};

/// All templates, by name. The first lines of a file are `// NAME: TITLE`, `// Shows: …` and `// Expect: …`.
llvm::ArrayRef<Template> templates();
const Template &findTemplate(llvm::StringRef name);

/// One kernel made of a template. It takes two addresses: results and data.
struct Variant {
  std::string probe;
  std::map<std::string, std::string> values; ///< of the places @NAME@
  unsigned waves = 1;                        ///< of a workgroup
  unsigned vgprs = 64, ldsBytes = 0;

  Variant with(const std::string &name, uint64_t value) const { return with(name, std::to_string(value)); }
  Variant with(const std::string &name, const std::string &value) const {
    Variant other = *this;
    other.values[name] = value;
    return other;
  }
  bool operator==(const Variant &) const = default;
};

/// Samples that each wave takes of what it measures (probes/frame.s), and bytes of a sample's result.
constexpr unsigned samplesPerWave = 3, bytesPerSample = 32;

/// The whole assembly file, which any assembler for the chip takes. Its kernel is called "probe".
std::string expand(const Variant &variant, llvm::StringRef chip);

} // namespace inflight::probes
