#include "object/KernelMetadata.h"

#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/BinaryFormat/MsgPackDocument.h"
#include "llvm/BinaryFormat/MsgPackReader.h"
#include "llvm/Support/Endian.h"

using namespace llvm;

namespace inflight {

KernelDescriptor readDescriptor(const uint8_t *bytes) {
  using namespace support::endian;
  KernelDescriptor d;
  d.groupSegmentFixedSize = read32le(bytes);
  d.privateSegmentFixedSize = read32le(bytes + 4);
  d.kernargSize = read32le(bytes + 8);
  d.entryOffset = static_cast<int64_t>(read64le(bytes + 16));
  d.computePgmRsrc3 = read32le(bytes + 44);
  d.computePgmRsrc1 = read32le(bytes + 48);
  d.computePgmRsrc2 = read32le(bytes + 52);
  d.kernelCodeProperties = read16le(bytes + 56);
  d.kernargPreload = read16le(bytes + 58);
  return d;
}

Expected<unsigned> waveLanesOf(const TargetInfo &target, ArrayRef<KernelDescriptor> kernels) {
  if (!target.hasBothWaveSizes || kernels.empty())
    return 0;
  const bool areSmall = kernels.front().hasSmallWaves();
  if (any_of(kernels, [&](const KernelDescriptor &kernel) { return kernel.hasSmallWaves() != areSmall; }))
    return makeError("kernels with waves of 32 lanes and others with 64 in one file");
  return target.lanesPerWave * (areSmall ? 1 : 2);
}

namespace {
/// Reads fields of a metadata map without trusting any of them.
class MapReader {
public:
  explicit MapReader(msgpack::DocNode node) : node(node) {}
  msgpack::DocNode find(StringRef key) {
    if (!node.isMap())
      return {};
    auto &map = node.getMap();
    auto it = map.find(key);
    return it == map.end() ? msgpack::DocNode() : it->second;
  }
  uint64_t number(StringRef key, uint64_t fallback = 0) {
    msgpack::DocNode value = find(key);
    if (value.isEmpty())
      return fallback;
    if (value.getKind() == msgpack::Type::UInt)
      return value.getUInt();
    if (value.getKind() == msgpack::Type::Int)
      return static_cast<uint64_t>(value.getInt());
    return fallback;
  }
  bool flag(StringRef key) {
    msgpack::DocNode value = find(key);
    return !value.isEmpty() && value.getKind() == msgpack::Type::Boolean && value.getBool();
  }
  void triple(StringRef key, unsigned (&numbers)[3]) {
    msgpack::DocNode list = find(key);
    if (!list.isEmpty() && list.isArray())
      for (unsigned i = 0; i < 3 && i < list.getArray().size(); ++i)
        if (list.getArray()[i].getKind() == msgpack::Type::UInt)
          numbers[i] = list.getArray()[i].getUInt();
  }
  std::string text(StringRef key) {
    msgpack::DocNode value = find(key);
    return !value.isEmpty() && value.isString() ? value.getString().str() : std::string();
  }

private:
  msgpack::DocNode node;
};
} // namespace

/// Whether a MessagePack blob is one value whose maps have string keys and that is complete:
/// LLVM's document reader takes that for granted.
static bool isWellFormed(StringRef blob) {
  msgpack::Reader reader(blob);
  struct Level {
    size_t left; ///< values, keys included
    bool isMap;
  };
  SmallVector<Level, 8> levels{{1, false}};
  constexpr size_t deepest = 32;
  while (!levels.empty()) {
    Level &level = levels.back();
    if (level.left == 0) {
      levels.pop_back();
      continue;
    }
    bool isKey = level.isMap && level.left % 2 == 0;
    --level.left;
    msgpack::Object object;
    Expected<bool> more = reader.read(object);
    if (!more) {
      consumeError(more.takeError());
      return false;
    }
    if (!*more || (isKey && object.Kind != msgpack::Type::String))
      return false;
    switch (object.Kind) {
    case msgpack::Type::Map:
    case msgpack::Type::Array: {
      bool isMap = object.Kind == msgpack::Type::Map;
      if (object.Length > blob.size() || levels.size() == deepest)
        return false;
      levels.push_back({isMap ? 2 * object.Length : object.Length, isMap});
      break;
    }
    case msgpack::Type::String:
    case msgpack::Type::Int:
    case msgpack::Type::UInt:
    case msgpack::Type::Boolean:
    case msgpack::Type::Float:
    case msgpack::Type::Nil: break;
    default: return false;
    }
  }
  return true;
}

static Kernel readKernel(msgpack::DocNode node) {
  MapReader map(node);
  Kernel kernel;
  kernel.name = map.text(".name");
  kernel.symbol = map.text(".symbol");
  kernel.kernargSegmentSize = map.number(".kernarg_segment_size");
  kernel.kernargSegmentAlign = map.number(".kernarg_segment_align", 8);
  kernel.maxFlatWorkgroupSize = map.number(".max_flat_workgroup_size");
  kernel.vgprCount = map.number(".vgpr_count");
  kernel.agprCount = map.number(".agpr_count");
  kernel.sgprCount = map.number(".sgpr_count");
  kernel.vgprSpillCount = map.number(".vgpr_spill_count");
  kernel.sgprSpillCount = map.number(".sgpr_spill_count");
  kernel.usesDynamicStack = map.flag(".uses_dynamic_stack");
  kernel.usesDynamicVgprs = map.flag(".dynamic_vgpr_en");
  map.triple(".reqd_workgroup_size", kernel.requiredWorkgroupSize);
  map.triple(".cluster_dims", kernel.clusterSize);
  msgpack::DocNode arguments = map.find(".args");
  if (!arguments.isEmpty() && arguments.isArray()) {
    for (msgpack::DocNode entry : arguments.getArray()) {
      MapReader reader(entry);
      KernelArgument argument;
      argument.name = reader.text(".name");
      argument.offset = reader.number(".offset");
      argument.size = reader.number(".size");
      argument.pointeeAlign = reader.number(".pointee_align");
      argument.valueKind = reader.text(".value_kind");
      argument.typeName = reader.text(".type_name");
      kernel.arguments.push_back(std::move(argument));
    }
  }
  return kernel;
}

static std::vector<Kernel> readKernels(msgpack::Document &document) {
  std::vector<Kernel> kernels;
  msgpack::DocNode list = MapReader(document.getRoot()).find("amdhsa.kernels");
  if (!list.isEmpty() && list.isArray())
    for (msgpack::DocNode node : list.getArray())
      kernels.push_back(readKernel(node));
  return kernels;
}

std::optional<std::vector<Kernel>> readKernelMetadata(StringRef blob) {
  msgpack::Document document;
  if (!isWellFormed(blob) || !document.readFromBlob(blob, /*Multi=*/false))
    return std::nullopt;
  return readKernels(document);
}

std::vector<Kernel> readKernelMetadataYaml(StringRef yaml) {
  msgpack::Document document;
  return document.fromYAML(yaml) ? readKernels(document) : std::vector<Kernel>();
}

} // namespace inflight
