// AMD GPU code objects (ELF): kernels, descriptors, metadata and the loaded image.
#pragma once

#include "isa/Isa.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>
#include <vector>

namespace inflight {

/// The kernel descriptor as the AMDGPU ABI lays it out (AMDGPUUsage, "Kernel Descriptor").
struct KernelDescriptor {
  uint32_t groupSegmentFixedSize = 0;   ///< bytes of LDS
  uint32_t privateSegmentFixedSize = 0; ///< bytes of scratch a lane
  uint32_t kernargSize = 0;             ///< bytes
  int64_t entryOffset = 0;              ///< bytes from the descriptor to the code
  uint32_t computePgmRsrc1 = 0, computePgmRsrc2 = 0, computePgmRsrc3 = 0;
  uint16_t kernelCodeProperties = 0;
  uint16_t kernargPreload = 0; ///< bits 6:0 length in SGPRs, 15:7 offset in dwords

  bool enablesPrivateSegmentBuffer() const { return kernelCodeProperties & 1; }
  bool enablesDispatchPtr() const { return kernelCodeProperties >> 1 & 1; }
  bool enablesQueuePtr() const { return kernelCodeProperties >> 2 & 1; }
  bool enablesKernargSegmentPtr() const { return kernelCodeProperties >> 3 & 1; }
  bool enablesDispatchId() const { return kernelCodeProperties >> 4 & 1; }
  bool enablesFlatScratchInit() const { return kernelCodeProperties >> 5 & 1; }
  bool enablesPrivateSegmentSize() const { return kernelCodeProperties >> 6 & 1; }
  bool hasSmallWaves() const { return kernelCodeProperties >> 10 & 1; } ///< of 32 lanes
  bool usesDynamicStack() const { return kernelCodeProperties >> 11 & 1; }
  unsigned preloadLength() const { return kernargPreload & 0x7f; } ///< SGPRs
  unsigned preloadOffset() const { return kernargPreload >> 7; }   ///< dwords

  bool enablesPrivateSegment() const { return computePgmRsrc2 & 1; }
  unsigned userSgprCount() const { return computePgmRsrc2 >> 1 & 0x1f; }
  bool enablesWorkgroupId(unsigned dim) const { return computePgmRsrc2 >> (7 + dim) & 1; }
  bool enablesWorkgroupInfo() const { return computePgmRsrc2 >> 10 & 1; }
  unsigned workitemIdDims() const { return (computePgmRsrc2 >> 11 & 3) + 1; } ///< 1 to 3
  unsigned floatMode() const { return computePgmRsrc1 >> 12 & 0xff; }         ///< MODE[7:0]
  bool dx10Clamp() const { return computePgmRsrc1 >> 21 & 1; }
  bool ieeeMode() const { return computePgmRsrc1 >> 23 & 1; }
  bool fp16Overflow() const { return computePgmRsrc1 >> 26 & 1; }
  /// The initial MODE register.
  uint32_t mode() const { return floatMode() | dx10Clamp() << 8 | ieeeMode() << 9 | fp16Overflow() << 23; }
  /// Allocated, arch + acc. `granule` is the chip's TargetInfo::vgprEncodingGranule.
  unsigned vgprCount(unsigned granule = 8) const { return ((computePgmRsrc1 & 0x3f) + 1) * granule; }
  unsigned namedBarriers() const { return (computePgmRsrc3 >> 14 & 7) * 4; }  ///< of gfx1250
  unsigned accumOffset() const { return ((computePgmRsrc3 & 0x3f) + 1) * 4; } ///< first AGPR
  bool tgSplit() const { return computePgmRsrc3 >> 16 & 1; }
};

/// One explicit or hidden argument from the metadata.
struct KernelArgument {
  std::string name;
  unsigned offset = 0, size = 0; ///< bytes in the kernarg segment
  std::string valueKind;         ///< "global_buffer", "by_value", "hidden_block_count_x", ...
  std::string typeName;          ///< element or scalar type where the producer says it
  unsigned pointeeAlign = 0;     ///< bytes, of what a pointer to local memory points to
  bool isHidden() const { return llvm::StringRef(valueKind).starts_with("hidden_"); }
};

struct Kernel {
  std::string name;                                               ///< as the host launches it
  std::string symbol;                                             ///< of the descriptor, "NAME.kd"
  uint64_t descriptorAddress = 0, entryAddress = 0, codeSize = 0; ///< in the loaded image
  KernelDescriptor descriptor;
  std::vector<KernelArgument> arguments; ///< in kernarg order, hidden ones included
  unsigned kernargSegmentSize = 0, kernargSegmentAlign = 8;
  unsigned maxFlatWorkgroupSize = 0;                    ///< 0 when not stated
  unsigned clusterSize[3] = {0, 0, 0};                  ///< workgroups; 0 when not stated
  bool usesDynamicVgprs = false;                        ///< waves ask for more registers while they run
  bool usesDynamicStack = false;                        ///< as the metadata says: the scratch of its calls is not known
  unsigned requiredWorkgroupSize[3] = {0, 0, 0};        ///< 0 when not stated
  unsigned vgprCount = 0, agprCount = 0, sgprCount = 0; ///< as the metadata says
  unsigned vgprSpillCount = 0, sgprSpillCount = 0;
};

struct Symbol {
  std::string name;
  uint64_t address = 0, size = 0;
  bool isFunction = false;
};

/// A linked code object, relocated to its own addresses as a loader would with base 0.
/// Owns its image; never changes after load().
class CodeObject {
public:
  /// What a loader fills.
  struct Parts {
    std::string chip, features;
    unsigned waveLanes = 0;
    std::vector<Kernel> kernels;
    std::vector<Symbol> symbols;
    std::vector<uint8_t> image;
    std::vector<uint64_t> relativeRelocations;
    uint64_t textAddress = 0, textSize = 0;
  };

  /// `bytes` may be anything; `name` stands in messages. Errors: not an ELF file, another machine
  /// or chip, truncated tables, no kernels, relocatable object (names `inflight asm`/ld.lld).
  static llvm::Expected<CodeObject> load(llvm::StringRef bytes, llvm::StringRef name);

  const std::string &chip() const LLVM_LIFETIME_BOUND { return parts.chip; }
  /// Of its kernels' waves; 0: those that the chip has.
  unsigned waveLanes() const { return parts.waveLanes; }
  /// "gfx942:sramecc+:xnack-": the chip and the features that the code was compiled for.
  std::string targetId() const { return parts.chip + parts.features; }
  llvm::ArrayRef<Kernel> kernels() const LLVM_LIFETIME_BOUND { return parts.kernels; }
  /// The kernel with that name, mangled or demangled (with or without its parameters), or an error that lists the
  /// names there are.
  llvm::Expected<const Kernel *> findKernel(llvm::StringRef name) const;
  llvm::ArrayRef<Symbol> symbols() const LLVM_LIFETIME_BOUND { return parts.symbols; }
  /// Bytes from address 0; relocations with base 0 applied.
  llvm::ArrayRef<uint8_t> image() const LLVM_LIFETIME_BOUND { return parts.image; }
  uint64_t textAddress() const { return parts.textAddress; }
  uint64_t textSize() const { return parts.textSize; }
  llvm::ArrayRef<uint8_t> text() const LLVM_LIFETIME_BOUND { return image().slice(parts.textAddress, parts.textSize); }
  /// Positions (in image()) of 64-bit words that need the load base added.
  llvm::ArrayRef<uint64_t> relativeRelocations() const LLVM_LIFETIME_BOUND { return parts.relativeRelocations; }

private:
  Parts parts;
};

} // namespace inflight
