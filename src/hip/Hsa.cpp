// What programs ask the runtime below HIP for before they choose code: which devices there are, and of which target.
// The file of this library has the name libhsa-runtime64.so.1, too; programs that launch kernels by HSA itself don't
// find its other functions. Numbers and signatures: ROCr 1.18, hsa.h.
#include "hip/runtime/Runtime.h"

#include <cstring>

using namespace inflight::hip;

namespace {
/// hsa_status_t.
enum HsaStatus : int { Success = 0, InvalidArgument = 0x1001, InvalidAgent = 0x1004, InvalidIsa = 0x100f };
/// hsa_agent_info_t and hsa_amd_agent_info_t, as far as they are answered.
enum class AgentInfo : int {
  Name = 0,
  VendorName = 1,
  WavefrontSize = 6,
  Node = 16,
  Device = 17,
  ComputeUnitCount = 0xa002,
  Bdfid = 0xa006,
  ProductName = 0xa009,
  Domain = 0xa00f,
};
/// hsa_isa_info_t, as far as it is answered.
enum class IsaInfo : int { NameLength = 0, Name = 1 };
/// hsa_agent_t and hsa_isa_t: the number of a device, and one more. Null is none.
struct Handle {
  uint64_t handle;
};
} // namespace

using Callback = HsaStatus (*)(Handle, void *);

static const Product *productOf(Handle device) {
  return device.handle && device.handle <= Runtime::get().devices.size() ? Runtime::get().product() : nullptr;
}

HIP_EXPORT HsaStatus hsa_init() { return Success; }
HIP_EXPORT HsaStatus hsa_shut_down() { return Success; }

HIP_EXPORT HsaStatus hsa_iterate_agents(Callback visit, void *data) {
  if (!visit)
    return InvalidArgument;
  for (uint64_t handle = 1; productOf({handle}); ++handle)
    if (HsaStatus status = visit({handle}, data); status != Success)
      return status;
  return Success;
}

HIP_EXPORT HsaStatus hsa_agent_get_info(Handle agent, AgentInfo attribute, void *value) {
  const Product *const product = productOf(agent);
  if (!product)
    return InvalidAgent;
  if (!value)
    return InvalidArgument;
  constexpr size_t nameBytes = 64;
  constexpr uint32_t gpu = 1; // hsa_device_type_t
  constexpr unsigned busShift = 8;
  auto number = [&](uint32_t number) {
    std::memcpy(value, &number, sizeof(number));
    return Success;
  };
  auto name = [&](const std::string &name) {
    std::strncpy(static_cast<char *>(value), name.c_str(), nameBytes);
    return Success;
  };
  switch (attribute) {
  case AgentInfo::Name: return name(product->chip);
  case AgentInfo::VendorName: return name("AMD");
  case AgentInfo::ProductName: return name("AMD Instinct " + product->name);
  case AgentInfo::WavefrontSize: return number(product->lanes);
  case AgentInfo::Node: return number(uint32_t(agent.handle)); // node 0 is the host
  case AgentInfo::Device: return number(gpu);
  case AgentInfo::ComputeUnitCount: return number(product->computeUnits);
  case AgentInfo::Bdfid: return number(uint32_t(agent.handle - 1) << busShift); // hipDeviceAttributePciBusId
  case AgentInfo::Domain: return number(0);
  }
  return InvalidArgument;
}

HIP_EXPORT HsaStatus hsa_agent_iterate_isas(Handle agent, Callback visit, void *data) {
  if (!productOf(agent))
    return InvalidAgent;
  return visit ? visit(agent, data) : InvalidArgument;
}

HIP_EXPORT HsaStatus hsa_isa_get_info_alt(Handle isa, IsaInfo attribute, void *value) {
  const Product *const product = productOf(isa);
  if (!product)
    return InvalidIsa;
  const std::string name = "amdgcn-amd-amdhsa--" + targetName(*product);
  const uint32_t length = name.size() + 1;
  if (value && attribute == IsaInfo::NameLength)
    std::memcpy(value, &length, sizeof(length));
  else if (value && attribute == IsaInfo::Name)
    std::memcpy(value, name.c_str(), length);
  else
    return InvalidArgument;
  return Success;
}
