#include "object/TargetId.h"

#include "isa/chip/TargetInfo.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/BinaryFormat/ELF.h"
#include "llvm/Object/ELF.h"

using namespace llvm;

namespace inflight {

/// "gfx942" of "amdgpu9.42", "gfx9-4-generic" of "amdgpu9.4" (AMDGPUUsage, "Target Triples").
static std::string chipOfSubArchitecture(StringRef triple) {
  constexpr StringLiteral architecture = "amdgpu";
  SmallVector<StringRef> parts;
  triple.split(parts, '-');
  for (StringRef part : parts) {
    if (!part.consume_front(architecture) || part.empty())
      continue;
    auto [major, minor] = part.split('.');
    constexpr size_t minorAndStepping = 2;
    if (minor.size() == minorAndStepping)
      return ("gfx" + major + minor).str();
    return ("gfx" + major + (minor.empty() ? "" : "-") + minor + "-generic").str();
  }
  return "";
}

TargetId parseTargetId(StringRef id) {
  auto [triple, features] = id.split(':');
  TargetId target;
  // Generic processors have dashes in their names.
  if (size_t at = triple.rfind("-gfx"); at != StringRef::npos)
    target.chip = triple.drop_front(at + 1).str();
  else if (target.chip = chipOfSubArchitecture(triple); target.chip.empty())
    target.chip = triple.rsplit('-').second.str();
  SmallVector<StringRef> parts;
  features.split(parts, ':', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts)
    if (StringRef name = part.drop_back();
        (name == "xnack" || name == "sramecc") && (part.back() == '+' || part.back() == '-'))
      target.features += (target.features.empty() ? "" : ",") + part.take_back().str() + name.str();
  return target;
}

std::string featuresOfElf(StringRef bytes) {
  using namespace object;
  Expected<ELFFile<ELF64LE>> elf = ELFFile<ELF64LE>::create(bytes);
  if (!elf) {
    consumeError(elf.takeError());
    return "";
  }
  const ELF64LE::Ehdr &header = elf->getHeader();
  if (header.e_ident[ELF::EI_ABIVERSION] < ELF::ELFABIVERSION_AMDGPU_HSA_V4)
    return (header.e_flags & ELF::EF_AMDGPU_FEATURE_SRAMECC_V3 ? ":sramecc+" : "") +
           std::string(header.e_flags & ELF::EF_AMDGPU_FEATURE_XNACK_V3 ? ":xnack+" : "");
  std::string features;
  switch (header.e_flags & ELF::EF_AMDGPU_FEATURE_SRAMECC_V4) {
  case ELF::EF_AMDGPU_FEATURE_SRAMECC_OFF_V4: features += ":sramecc-"; break;
  case ELF::EF_AMDGPU_FEATURE_SRAMECC_ON_V4: features += ":sramecc+"; break;
  default: break;
  }
  switch (header.e_flags & ELF::EF_AMDGPU_FEATURE_XNACK_V4) {
  case ELF::EF_AMDGPU_FEATURE_XNACK_OFF_V4: features += ":xnack-"; break;
  case ELF::EF_AMDGPU_FEATURE_XNACK_ON_V4: features += ":xnack+"; break;
  default: break;
  }
  return features;
}

std::string unsupportedChip(StringRef chip) {
  std::string text = ("for " + chip + ", which is not supported; supported: " + join(supportedChips(), ", ")).str();
  if (chip == "gfx9-4-generic")
    text += "; it stands for gfx942 and gfx950: compile for one of these";
  return text;
}

std::string chipOfElf(StringRef bytes) {
  using namespace object;
  Expected<ELFFile<ELF64LE>> elf = ELFFile<ELF64LE>::create(bytes);
  if (!elf) {
    consumeError(elf.takeError());
    return "an unknown chip";
  }
  const unsigned number = elf->getHeader().e_flags & ELF::EF_AMDGPU_MACH;
  // LLVM's own names (ELFObjectFileBase::tryGetCPUName) take it that the number is known.
  switch (number) {
    // clang-format off: a table of macros, which the formatter takes for calls and lays out otherwise each time
#define CHIP(NAME)                                                                                                      \
  case ELF::EF_AMDGPU_MACH_AMDGCN_##NAME:                                                                               \
    return StringRef(#NAME).lower();
    CHIP(GFX600) CHIP(GFX601) CHIP(GFX700) CHIP(GFX701) CHIP(GFX702) CHIP(GFX703) CHIP(GFX704) CHIP(GFX801)
    CHIP(GFX802) CHIP(GFX803) CHIP(GFX810) CHIP(GFX900) CHIP(GFX902) CHIP(GFX904) CHIP(GFX906) CHIP(GFX908)
    CHIP(GFX909) CHIP(GFX90C) CHIP(GFX1010) CHIP(GFX1011) CHIP(GFX1012) CHIP(GFX1030) CHIP(GFX1031) CHIP(GFX1032)
    CHIP(GFX1033) CHIP(GFX602) CHIP(GFX705) CHIP(GFX805) CHIP(GFX1035) CHIP(GFX1034) CHIP(GFX90A) CHIP(GFX1100)
    CHIP(GFX1013) CHIP(GFX1150) CHIP(GFX1103) CHIP(GFX1036) CHIP(GFX1101) CHIP(GFX1102) CHIP(GFX1200) CHIP(GFX1250)
    CHIP(GFX1151) CHIP(GFX942) CHIP(GFX1201) CHIP(GFX950) CHIP(GFX1152) CHIP(GFX1153) CHIP(GFX1251)
#undef CHIP
#define GENERIC(NAME, TEXT)                                                                                             \
  case ELF::EF_AMDGPU_MACH_AMDGCN_##NAME##_GENERIC:                                                                     \
    return TEXT;
    GENERIC(GFX9, "gfx9-generic") GENERIC(GFX9_4, "gfx9-4-generic") GENERIC(GFX10_1, "gfx10-1-generic") GENERIC(GFX10_3, "gfx10-3-generic")
    GENERIC(GFX11, "gfx11-generic") GENERIC(GFX12, "gfx12-generic")
#undef GENERIC
        // clang-format on
        default : return ("the chip with the number 0x" + Twine::utohexstr(number))
                      .str();
  }
}

} // namespace inflight
