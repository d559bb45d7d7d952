#include <cstdint>
#include <cstdio>
#include <dlfcn.h>

extern "C" int hipDeviceGetUuid(char *, int);
extern "C" int hipDeviceGetAttribute(int *, int, int);

struct Handle {
  uint64_t handle;
};
using Visit = int(Handle, void *);
using Info = int(Handle, int, void *);

template <class Function> static Function *find(const char *name) {
  static void *const library = dlopen("libhsa-runtime64.so.1", RTLD_NOW);
  return reinterpret_cast<Function *>(dlsym(library, name));
}

static int showTarget(Handle isa, void *) {
  Info *const info = find<Info>("hsa_isa_get_info_alt");
  uint32_t length;
  char name[64];
  info(isa, 0, &length);
  info(isa, 1, name);
  printf("target %s, %u bytes\n", name, length);
  return 0;
}

static int showAgent(Handle agent, void *) {
  Info *const info = find<Info>("hsa_agent_get_info");
  char name[64];
  uint32_t kind, bus, domain;
  info(agent, 0, name);
  info(agent, 17, &kind);
  info(agent, 0xa006, &bus);
  info(agent, 0xa00f, &domain);
  printf("%s, %s, bus %u, ", name, kind == 1 ? "GPU" : "?", domain << 16 | bus >> 8);
  return find<int(Handle, Visit *, void *)>("hsa_agent_iterate_isas")(agent, showTarget, nullptr);
}

int main() {
  if (find<int()>("hsa_init")())
    return 1;
  find<int(Visit *, void *)>("hsa_iterate_agents")(showAgent, nullptr);
  uint32_t value;
  printf("something else: %x, no agent: %x, no isa: %x\n", find<Info>("hsa_agent_get_info")({1}, 20, &value),
         find<Info>("hsa_agent_get_info")({3}, 17, &value), find<Info>("hsa_isa_get_info_alt")({0}, 0, &value));
  char uuid[16];
  int alignment, pitch;
  printf("uuid: %d %.16s, of no device: %d\n", hipDeviceGetUuid(uuid, 1), uuid, hipDeviceGetUuid(uuid, 2));
  hipDeviceGetAttribute(&alignment, 81, 0);
  hipDeviceGetAttribute(&pitch, 82, 0);
  printf("alignment of textures and their rows: %d %d\n", alignment, pitch);
  return find<int()>("hsa_shut_down")();
}
