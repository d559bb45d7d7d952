// The C API as its users call it.
#include "inflight/inflight.h"
#include "gtest/gtest.h"
#include <cstring>
#include <string>
#include <thread>
#include <vector>

namespace {

/// Adds the number `by` to each of 64 singles at `to`, which it reads from `from`; 4 * `skip` bytes further on.
const char addKernel[] = R"(
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl add
.p2align 8
.type add,@function
add:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  s_load_dwordx2 s[8:9], s[0:1], 0x10
  v_lshlrev_b32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
  s_lshl_b32 s9, s9, 2
  v_add_u32 v2, s9, v1
  global_load_dword v3, v2, s[4:5]
  s_waitcnt vmcnt(0)
  v_add_f32 v3, s8, v3
  global_store_dword v1, v3, s[6:7]
  s_endpgm
.Lend:
.size add, .Lend-add
.data
.globl counter
.type counter,@object
.size counter, 4
counter:
  .long 7
.rodata
.p2align 6
.amdhsa_kernel add
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 4
  .amdhsa_next_free_sgpr 16
  .amdhsa_accum_offset 4
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: add
    .symbol: add.kd
    .kernarg_segment_size: 24
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 4
    .max_flat_workgroup_size: 64
    .args:
      - {.name: from, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: to, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: by, .offset: 16, .size: 4, .value_kind: by_value}
      - {.name: skip, .offset: 20, .size: 4, .value_kind: by_value}
.end_amdgpu_metadata
)";

/// A text or buffer of the library's, given back.
struct Taken {
  ~Taken() { ifl_free(bytes); }
  std::string text() const { return bytes ? static_cast<const char *>(bytes) : ""; }
  char **asText() { return reinterpret_cast<char **>(&bytes); }
  void *bytes = nullptr;
  size_t size = 0;
};

struct Capi : testing::Test {
  void SetUp() override {
    ASSERT_EQ(ifl_assemble(addKernel, std::strlen(addKernel), "add.s", nullptr, &image.bytes, &image.size), IFL_OK)
        << ifl_last_error();
    ASSERT_EQ(ifl_context_create(&context), IFL_OK);
    ASSERT_EQ(ifl_module_load(context, image.bytes, image.size, nullptr, &module), IFL_OK) << ifl_last_error();
  }
  void TearDown() override { ifl_context_destroy(context); }

  /// One workgroup, with pointers to the values, as HIP has it.
  static ifl_launch launchOf(const void *const (&values)[4]) {
    ifl_launch launch = {};
    launch.size = sizeof(launch);
    launch.grid[0] = launch.grid[1] = launch.grid[2] = 1;
    launch.block[0] = 64, launch.block[1] = launch.block[2] = 1;
    launch.arguments = values;
    launch.argument_count = 4;
    return launch;
  }
  ifl_status launch(const float *from, float *to, float by, uint32_t skip = 0, const char *checks = nullptr,
                    int timed = 0) {
    const void *const values[] = {&from, &to, &by, &skip};
    ifl_launch launch = launchOf(values);
    launch.checks = checks;
    launch.timed = timed;
    ifl_free(std::exchange(result.bytes, nullptr));
    return ifl_launch_kernel(module, "add", &launch, result.asText());
  }

  Taken image, result;
  ifl_context *context = nullptr;
  ifl_module *module = nullptr;
};

TEST_F(Capi, KernelsWorkOnTheHostsMemory) {
  std::vector<float> from(64, 1.5f), to(64);
  ASSERT_EQ(ifl_memory_register(context, from.data(), 256, "from"), IFL_OK);
  ASSERT_EQ(ifl_memory_register(context, to.data(), 256, "to"), IFL_OK);
  for (int i = 0; i < 3; ++i) {
    ASSERT_EQ(launch(from.data(), to.data(), float(i)), IFL_OK) << ifl_last_error();
    EXPECT_EQ(to, std::vector<float>(64, 1.5f + float(i)));
  }
  EXPECT_NE(result.text().find("\"waves\":1"), std::string::npos);
  ASSERT_EQ(launch(from.data(), to.data(), 1, 0, nullptr, 1), IFL_OK) << ifl_last_error();
  EXPECT_NE(result.text().find("\"microseconds\":"), std::string::npos);
}

TEST_F(Capi, AdviceLeavesMemoryAsItWas) {
  // In place: a second try on what the first one left would find other numbers.
  std::vector<float> values(64, 1.5f);
  float *place = values.data();
  const float by = 2;
  const uint32_t skip = 0;
  ASSERT_EQ(ifl_memory_register(context, place, 256, "values"), IFL_OK);
  const void *const arguments[] = {&place, &place, &by, &skip};
  ifl_launch launch = launchOf(arguments);
  Taken relaxed;
  ASSERT_EQ(ifl_advise(module, "add", &launch, 5, result.asText(), &relaxed.bytes, &relaxed.size), IFL_OK)
      << ifl_last_error();
  EXPECT_EQ(values, std::vector<float>(64, 1.5f));
  EXPECT_NE(result.text().find("\"kind\":\"wait\""), std::string::npos) << result.text();
  EXPECT_NE(result.text().find("\"kernel\":\"add\""), std::string::npos);
  EXPECT_EQ(relaxed.bytes, nullptr); // each wait is as weak as it can be

  launch.checks = "all";
  EXPECT_EQ(ifl_advise(module, "add", &launch, 5, nullptr, nullptr, nullptr), IFL_INVALID);
  launch.checks = nullptr;
  launch.html = "page.html";
  EXPECT_EQ(ifl_advise(module, "add", &launch, 5, nullptr, nullptr, nullptr), IFL_INVALID);
  launch.html = nullptr;
  EXPECT_EQ(ifl_advise(module, "sub", &launch, 5, nullptr, nullptr, nullptr), IFL_NOT_FOUND);
  ASSERT_EQ(ifl_memory_unregister(context, place), IFL_OK);
  EXPECT_EQ(ifl_advise(module, "add", &launch, 5, nullptr, nullptr, nullptr), IFL_FAULT);
}

TEST_F(Capi, MemoryOfTheLibrarysOwn) {
  void *place = nullptr;
  ASSERT_EQ(ifl_memory_allocate(context, 512, "both", &place), IFL_OK);
  float *numbers = static_cast<float *>(place);
  ASSERT_EQ(launch(numbers, numbers + 64, 2), IFL_OK) << ifl_last_error();
  EXPECT_EQ(numbers[127], 2);
  EXPECT_EQ(ifl_memory_release(context, place), IFL_OK);
  EXPECT_EQ(ifl_memory_release(context, place), IFL_NOT_FOUND);
  EXPECT_EQ(launch(numbers, numbers + 64, 2), IFL_FAULT);
}

TEST_F(Capi, AccessesOutsideOfAllMemoryAreFaultsOrFindings) {
  std::vector<float> from(64), to(64);
  ASSERT_EQ(ifl_memory_register(context, from.data(), 256, "from"), IFL_OK);
  ASSERT_EQ(ifl_memory_register(context, to.data(), 256, "to"), IFL_OK);
  EXPECT_EQ(launch(from.data(), to.data(), 1, 1 << 20), IFL_FAULT);
  EXPECT_NE(std::string(ifl_last_error()).find("global_load_dword"), std::string::npos);
  ASSERT_EQ(launch(from.data(), to.data(), 1, 1, "all"), IFL_OK) << ifl_last_error();
  EXPECT_NE(result.text().find("from + 0x100, beyond its 256 bytes"), std::string::npos) << result.text();
}

TEST_F(Capi, HiddenMemoryIsOutOfReach) {
  std::vector<float> from(64, 1.5f), to(64);
  ASSERT_EQ(ifl_memory_register(context, from.data(), 256, "from"), IFL_OK);
  ASSERT_EQ(ifl_memory_register(context, to.data(), 256, "to"), IFL_OK);
  ASSERT_EQ(ifl_memory_hide(context, from.data() + 3, "another device's"), IFL_OK);
  EXPECT_EQ(ifl_memory_hide(context, from.data(), "another device's"), IFL_NOT_FOUND);
  EXPECT_EQ(launch(from.data(), to.data(), 1), IFL_FAULT);
  EXPECT_NE(std::string(ifl_last_error()).find("from + 0x0, another device's"), std::string::npos) << ifl_last_error();
  ASSERT_EQ(ifl_memory_show(context, from.data()), IFL_OK);
  EXPECT_EQ(ifl_memory_show(context, from.data()), IFL_NOT_FOUND);
  ASSERT_EQ(launch(from.data(), to.data(), 1), IFL_OK) << ifl_last_error();
  EXPECT_EQ(to, std::vector<float>(64, 2.5f));
  EXPECT_EQ(ifl_memory_hide(nullptr, from.data(), ""), IFL_INVALID);
}

TEST_F(Capi, HeapsComeAndGo) {
  ifl_heap *heap = nullptr, *other = nullptr;
  void *begin = nullptr;
  ASSERT_EQ(ifl_heap_create(context, 1 << 20, 1, &heap, &begin), IFL_OK) << ifl_last_error();
  ASSERT_EQ(ifl_heap_create(context, IFL_HEAP_BYTES, 0, &other, nullptr), IFL_OK) << ifl_last_error();
  EXPECT_NE(begin, nullptr);
  ifl_heap_destroy(heap);
  EXPECT_EQ(ifl_memory_hide(context, begin, ""), IFL_NOT_FOUND);
  EXPECT_EQ(ifl_heap_create(context, UINT64_MAX, 0, &heap, nullptr), IFL_INVALID);
  EXPECT_EQ(ifl_heap_create(nullptr, 1 << 20, 0, &heap, nullptr), IFL_INVALID);
  ifl_heap_destroy(nullptr); // `other` goes with the context
}

TEST_F(Capi, MistakesAreErrors) {
  float number = 0;
  EXPECT_EQ(ifl_memory_register(context, &number, 0, nullptr), IFL_INVALID);
  ASSERT_EQ(ifl_memory_register(context, &number, 4, nullptr), IFL_OK);
  EXPECT_EQ(ifl_memory_register(context, &number, 4, nullptr), IFL_INVALID);
  EXPECT_EQ(ifl_memory_unregister(context, &number), IFL_OK);
  EXPECT_EQ(ifl_memory_unregister(context, &number), IFL_NOT_FOUND);
  ifl_launch launch = {};
  launch.size = sizeof(launch);
  EXPECT_EQ(ifl_launch_kernel(module, "mul", &launch, nullptr), IFL_NOT_FOUND);
  EXPECT_EQ(ifl_launch_kernel(module, "add", &launch, nullptr), IFL_INVALID);
  EXPECT_NE(std::string(ifl_last_error()).find("grid and block must not be zero"), std::string::npos);
  launch.grid[0] = launch.grid[1] = launch.grid[2] = launch.block[0] = launch.block[1] = launch.block[2] = 1;
  EXPECT_EQ(ifl_launch_kernel(module, "add", &launch, nullptr), IFL_INVALID);
  EXPECT_NE(std::string(ifl_last_error()).find("takes 4 arguments, 0 were given"), std::string::npos);
  ifl_module *none = nullptr;
  EXPECT_EQ(ifl_module_load(context, "no ELF", 6, nullptr, &none), IFL_INVALID);
  EXPECT_EQ(ifl_module_load(context, image.bytes, image.size, "gfx950", &none), IFL_INVALID);
  EXPECT_EQ(this->launch(&number, &number, 0, 0, "everything"), IFL_INVALID);
  EXPECT_EQ(ifl_launch_kernel(nullptr, "add", &launch, nullptr), IFL_INVALID);
}

TEST_F(Capi, VariablesOfTheModule) {
  void *address = nullptr;
  uint64_t bytes = 0;
  ASSERT_EQ(ifl_module_symbol(module, "counter", &address, &bytes), IFL_OK) << ifl_last_error();
  EXPECT_EQ(bytes, 4u);
  EXPECT_EQ(*static_cast<int *>(address), 7);
  EXPECT_EQ(ifl_module_symbol(module, "add", &address, &bytes), IFL_NOT_FOUND);
}

TEST_F(Capi, LaunchesFromSeveralThreads) {
  std::vector<std::thread> threads;
  std::vector<float> from(64, 1), to(8 * 64);
  ASSERT_EQ(ifl_memory_register(context, from.data(), 256, "from"), IFL_OK);
  ASSERT_EQ(ifl_memory_register(context, to.data(), 8 * 256, "to"), IFL_OK);
  for (unsigned t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      const float *source = from.data();
      float *place = to.data() + 64 * t, by = float(t);
      uint32_t skip = 0;
      const void *const values[] = {&source, &place, &by, &skip};
      ifl_launch launch = {};
      launch.size = sizeof(launch);
      launch.grid[0] = launch.grid[1] = launch.grid[2] = launch.block[1] = launch.block[2] = 1;
      launch.block[0] = 64;
      launch.arguments = values;
      launch.argument_count = 4;
      for (int i = 0; i < 20; ++i)
        ASSERT_EQ(ifl_launch_kernel(module, "add", &launch, nullptr), IFL_OK) << ifl_last_error();
    });
  for (std::thread &thread : threads)
    thread.join();
  for (unsigned i = 0; i < to.size(); ++i)
    ASSERT_EQ(to[i], 1 + float(i / 64));
}

/// In a launch of a kernel that takes minutes: the second question after how the launch goes is answered with yes.
void interruptLongLaunch(int timed, const char *checks, uint32_t groups, bool isAdvice = false) {
  std::string endless = addKernel;
  endless.replace(endless.find("  s_endpgm"), 2, R"(
  s_mov_b32 s10, 0
.Lloop:
  s_add_u32 s10, s10, 1
  s_cmp_lg_u32 s10, 0x7fffffff
  s_cbranch_scc1 .Lloop
  )");
  Taken image;
  ASSERT_EQ(ifl_assemble(endless.data(), endless.size(), "long.s", nullptr, &image.bytes, &image.size), IFL_OK);
  ifl_context *context = nullptr;
  ifl_module *module = nullptr;
  ASSERT_EQ(ifl_context_create(&context), IFL_OK);
  ASSERT_EQ(ifl_module_load(context, image.bytes, image.size, nullptr, &module), IFL_OK);
  std::vector<float> from(64, 1), to(64);
  ASSERT_EQ(ifl_memory_register(context, from.data(), 256, "from"), IFL_OK);
  ASSERT_EQ(ifl_memory_register(context, to.data(), 256, "to"), IFL_OK);
  struct {
    const float *from;
    float *to;
    float by;
    uint32_t skip;
  } kernarg = {from.data(), to.data(), 2, 0};
  struct Asked {
    std::thread::id thread = std::this_thread::get_id();
    int times = 0;
  } asked;
  ifl_launch launch = {};
  launch.size = sizeof(launch);
  launch.grid[0] = groups;
  launch.grid[1] = launch.grid[2] = launch.block[1] = launch.block[2] = 1;
  launch.block[0] = 64;
  launch.kernarg = &kernarg;
  launch.kernarg_bytes = sizeof(kernarg);
  launch.timed = timed;
  launch.checks = checks;
  launch.threads = 2;
  launch.max_steps = ~uint64_t(0);
  launch.interrupted_data = &asked;
  launch.interrupted = [](void *data) {
    Asked &asked = *static_cast<Asked *>(data);
    EXPECT_EQ(asked.thread, std::this_thread::get_id());
    return int(++asked.times >= 2);
  };
  const auto run = [&] {
    return isAdvice ? ifl_advise(module, "add", &launch, 5, nullptr, nullptr, nullptr)
                    : ifl_launch_kernel(module, "add", &launch, nullptr);
  };
  EXPECT_EQ(run(), IFL_INTERRUPTED);
  EXPECT_EQ(asked.times, 2);
  EXPECT_STREQ(ifl_last_error(), "kernel 'add': the run was interrupted");
  // Nothing of it is left.
  launch.interrupted = nullptr;
  launch.max_steps = 1000;
  EXPECT_EQ(run(), IFL_FAULT);
  ifl_context_destroy(context);
}

TEST(CapiInterrupts, EndLaunchesOfEveryKind) {
  interruptLongLaunch(0, nullptr, 1);
  interruptLongLaunch(0, nullptr, 5);
  interruptLongLaunch(0, "all", 2);
  interruptLongLaunch(1, nullptr, 1);
  interruptLongLaunch(1, nullptr, 1, /*isAdvice=*/true);
}

TEST(CapiServices, DevicesHaveTheNumbersOfTheData) {
  Taken json;
  ASSERT_EQ(ifl_devices(json.asText()), IFL_OK) << ifl_last_error();
  EXPECT_NE(json.text().find(R"("name":"MI300X")"), std::string::npos) << json.text();
  EXPECT_NE(json.text().find(R"("lds_bytes":163840)"), std::string::npos) << json.text();
  EXPECT_EQ(ifl_devices(nullptr), IFL_INVALID);
}

TEST(CapiServices, DevicesAreFoundByNameChipAndCode) {
  auto find = [](const char *name, const std::string &image) {
    Taken json;
    const bool isFound = ifl_device_find(name, image.data(), image.size(), json.asText()) == IFL_OK;
    return isFound ? json.text() : std::string(ifl_last_error());
  };
  EXPECT_NE(find("mi355x", "").find(R"("name":"MI355X")"), std::string::npos);
  EXPECT_NE(find("gfx942", "").find(R"("name":"MI300X")"), std::string::npos);
  EXPECT_NE(find("MI9000", "").find("no device or chip 'MI9000'; devices: MI210, "), std::string::npos);
  EXPECT_NE(find(nullptr, "no code").find("none of the devices"), std::string::npos);
  EXPECT_EQ(ifl_device_find("MI300X", nullptr, 0, nullptr), IFL_INVALID);
}

TEST(CapiServices, WaitsAreCheckedAndPutIn) {
  std::string broken = addKernel;
  broken.erase(broken.find("  s_waitcnt vmcnt(0)\n"), std::strlen("  s_waitcnt vmcnt(0)\n"));
  Taken json, output, insertedJson;
  ASSERT_EQ(ifl_waits(broken.data(), broken.size(), "add.s", "verify", nullptr, json.asText(), nullptr, nullptr),
            IFL_OK);
  EXPECT_NE(json.text().find("missing-wait"), std::string::npos);
  ASSERT_EQ(ifl_waits(broken.data(), broken.size(), "add.s", "insert", nullptr, insertedJson.asText(), &output.bytes,
                      &output.size),
            IFL_OK);
  EXPECT_NE(output.text().find("s_waitcnt vmcnt(0)"), std::string::npos);
  EXPECT_EQ(ifl_waits(broken.data(), broken.size(), "add.s", "guess", nullptr, nullptr, nullptr, nullptr), IFL_INVALID);
}

} // namespace
