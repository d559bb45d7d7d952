#include "hip/runtime/Record.h"

#include "support/PageSize.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

using namespace llvm;
using namespace inflight::hip;
using namespace inflight::replay;

/// Linux gives programs, their heaps, libraries and stacks other addresses: the first is free in any process.
static constexpr uint64_t firstAddress = 0x200000000000;

static Recorder *recorder;

Recorder *Recorder::get() {
  static const bool isAsked = [] {
    const char *folder = std::getenv("HIP_HRR_CAPTURE_OUTPUT");
    if (folder && *folder) {
      recorder = new Recorder(folder); // never destroyed: fat binaries are unregistered late
      std::atexit([] {
        if (recorder)
          recorder->finish();
      });
      pthread_atfork(nullptr, nullptr, [] { recorder = nullptr; });
    }
    return true;
  }();
  (void)isAsked;
  return recorder;
}

Recorder::Recorder(std::string root) : process(getpid()), nextAddress(firstAddress) {
  if (Runtime::get().devices.size() > 1) {
    errs() << "inflight: HIP_HRR_CAPTURE_OUTPUT: a program with several devices can't be recorded; nothing is "
              "recorded\n";
    return;
  }
  folder = root + "/pid-" + std::to_string(process);
  const std::string path = folder + "/events.bin";
  std::error_code error = sys::fs::create_directories(folder + "/blobs");
  if (!error)
    error = sys::fs::create_directories(folder + "/code_objects");
  if (!error && (file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) < 0)
    error = std::error_code(errno, std::generic_category());
  if (error) {
    errs() << "inflight: HIP_HRR_CAPTURE_OUTPUT: " << path << ": " << error.message() << "; nothing is recorded\n";
    return;
  }
  Body head(HrrApi::None);
  head.put(hrrMagic).put(hrrNewest).put(uint16_t(0));
  (void)!::write(file, head.bytes.data(), head.bytes.size());
  writeManifest(false);
}

static std::vector<char> withHeader(uint16_t number, uint64_t sequence, ArrayRef<char> body) {
  using namespace std::chrono;
  Recorder::Body whole(HrrApi::None);
  whole.put(number).put(sequence);
  whole.put(uint64_t(duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count()));
  whole.put(uint64_t(syscall(SYS_gettid))).put(uint32_t(hrrHeaderBytes + body.size())).put(uint16_t(0));
  whole.putBytes(body.data(), body.size());
  return std::move(whole.bytes);
}

void Recorder::add(const Body &body) {
  if (file < 0)
    return;
  const std::vector<char> bytes = withHeader(hrrNumber(body.api), records++, body.bytes);
  // One write each: what the program did before it crashed is in the file.
  if (::write(file, bytes.data(), bytes.size()) != ssize_t(bytes.size())) {
    errs() << "inflight: " << folder << "/events.bin: " << std::strerror(errno) << "; the recording ends here\n";
    ::close(file);
    file = -1;
  }
}

void Recorder::writeManifest(bool isComplete) {
  json::Object manifest{{"version", 1},       {"capture_mode", "full"},       {"complete", isComplete},
                        {"pid", process},     {"parent_pid", int(getppid())}, {"event_count", records},
                        {"blob_count", blobs}};
  if (const Product *product = isComplete ? Runtime::get().product() : nullptr) {
    json::Object properties{{"name", product->name}, {"gcn_arch_name", product->chip}};
    manifest["metadata"] = json::Object{{"schema_version", 1},
                                        {"device_count", 1},
                                        {"devices", json::Array{json::Object{{"properties", std::move(properties)}}}}};
  }
  std::error_code error;
  raw_fd_ostream os(folder + "/manifest.json", error);
  if (!error)
    os << formatv("{0:2}\n", json::Value(std::move(manifest)));
  os.clear_error();
}

void Recorder::finish() {
  if (file < 0)
    return;
  Body trailer(HrrApi::None);
  trailer.put(records).put(hrrTrailerMagic);
  const std::vector<char> bytes = withHeader(hrrTrailer, records, trailer.bytes);
  (void)!::write(file, bytes.data(), bytes.size());
  ::close(file);
  file = -1;
  writeManifest(true);
}

static HrrHash hashOf(const void *begin, size_t bytes) {
  return HrrHash::of({static_cast<const uint8_t *>(begin), bytes});
}

HrrHash Recorder::keep(const void *begin, size_t bytes, bool isCode) {
  const HrrHash hash = hashOf(begin, bytes);
  keep(hash, begin, bytes, isCode);
  return hash;
}

void Recorder::keep(const HrrHash &hash, const void *begin, size_t bytes, bool isCode) {
  const std::string name = hash.text();
  if (file < 0 || !kept.insert(name).second)
    return;
  std::string path = folder + (isCode ? "/code_objects/" : "/blobs/" + name.substr(0, 2) + "/");
  std::error_code error = sys::fs::create_directories(path);
  path += name + (isCode ? ".hsaco" : ".blob");
  if (!error) {
    raw_fd_ostream os(path + ".tmp", error);
    if (!error) {
      os << StringRef(static_cast<const char *>(begin), bytes);
      os.close();
      error = os.error();
      os.clear_error();
    }
  }
  if (!error)
    error = sys::fs::rename(path + ".tmp", path);
  if (error)
    errs() << "inflight: " << path << ": " << error.message() << "; the recording lacks it\n";
  blobs += !isCode;
}

void *Recorder::map(size_t bytes) {
  const uint64_t page = pageBytes();
  const size_t whole = alignTo(bytes, page);
  for (int tries = 0; tries < 64; ++tries) {
    void *const wanted = reinterpret_cast<void *>(nextAddress); // NOLINT(performance-no-int-to-ptr): a place is chosen
    nextAddress += whole + page;                                // a page between them, which nothing has
    void *const got =
        mmap(wanted, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0);
    if (got == wanted)
      return got;
    if (got != MAP_FAILED)
      munmap(got, whole);
    else if (errno != EEXIST)
      return nullptr;
  }
  return nullptr;
}

void Recorder::variable(const void *handle, const std::string &name, const void *address) {
  char text[hrrNameBytes] = {};
  std::memcpy(text, name.data(), std::min<size_t>(name.size(), sizeof(text) - 1));
  Body body(HrrApi::__hipRegisterVar);
  body.put(handle).put(uint64_t(0)).put(uint64_t(0)).put(uint64_t(0));
  body.put(int32_t(0)).put(uint64_t(0)).put(int32_t(0)).put(int32_t(0));
  body.putBytes(text, sizeof(text)).put(uint8_t(1)).put(address);
  add(body);
}

void Recorder::loaded(const void *handle, Module &module, const void *image, bool isFatBinary) {
  const size_t bytes = imageBytes(image);
  const HrrHash hash = keep(image, bytes, !isFatBinary);
  module.hashLow = hash.low;
  module.hashHigh = hash.high;
  if (isFatBinary)
    add(Body(HrrApi::__hipRegisterFatBinary).put(handle).putHash(hash).put(uint64_t(bytes)));
  else
    add(Body(HrrApi::hipModuleLoadData).put(int32_t(0)).put(handle).put(image).putHash(hash).put(uint32_t(0)));
}

void Recorder::copied(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t bytes, size_t rows,
                      CopyKind kind, void *stream) {
  Runtime &runtime = Runtime::get();
  const size_t toSpan = toPitch * (rows - 1) + bytes, fromSpan = fromPitch * (rows - 1) + bytes;
  const auto *source = runtime.find(from, fromSpan), *target = runtime.find(to, toSpan);
  // What the program can write without HIP is recorded as it is now.
  const bool isFromProgram = !source || source->second.kind != MemoryKind::Device;
  if (kind == CopyKind::Default || kind == CopyKind::DeviceToDevice || kind == CopyKind::HostToHost)
    kind = isFromProgram ? CopyKind::HostToDevice : target ? CopyKind::DeviceToDevice : CopyKind::DeviceToHost;
  if (kind == CopyKind::HostToDevice && !target)
    return;
  HrrHash data;
  if (kind == CopyKind::HostToDevice)
    data = keep(from, fromSpan);
  else if (kind == CopyKind::DeviceToHost)
    data = keep(to, toSpan);
  if (rows == 1)
    return add(Body(HrrApi::hipMemcpyAsync)
                   .put(int32_t(0))
                   .put(to)
                   .put(from)
                   .put(uint64_t(bytes))
                   .put(int32_t(kind))
                   .put(stream)
                   .putHash(data));
  const HrrHash none, in = kind == CopyKind::HostToDevice ? data : none,
                      out = kind == CopyKind::DeviceToHost ? data : none;
  add(Body(HrrApi::hipMemcpy2DAsync)
          .put(int32_t(0))
          .put(to)
          .put(uint64_t(toPitch))
          .put(from)
          .put(uint64_t(fromPitch))
          .put(uint64_t(bytes))
          .put(uint64_t(rows))
          .put(int32_t(kind))
          .put(stream)
          .putHash(in)
          .putHash(out));
}

void Recorder::hostMemory(bool isAfter) {
  for (const auto &[begin, allocation] : Runtime::get().allocations) {
    if (allocation.kind == MemoryKind::Device)
      continue;
    void *const place = reinterpret_cast<void *>(begin); // NOLINT(performance-no-int-to-ptr): kept as a number
    const HrrHash now = hashOf(place, allocation.bytes);
    auto [known, isNew] = contents.try_emplace(place);
    if (!isNew && known->second.low == now.low && known->second.high == now.high)
      continue;
    known->second = now;
    const CopyKind kind = isAfter ? CopyKind::DeviceToHost : CopyKind::HostToDevice;
    keep(now, place, allocation.bytes);
    call(HrrApi::hipMemcpy, place, place, allocation.bytes, int32_t(kind), now.low, now.high);
  }
}

void Recorder::launched(const Function &kernel, const LaunchShape &shape, void *stream) {
  enum : uint8_t { Scalar = 0, Pointer = 1, Structure = 3 };
  Runtime &runtime = Runtime::get();
  Body body(HrrApi::hipModuleLaunchKernel);
  body.put(stream).put(uint16_t(kernel.name.size())).putBytes(kernel.name.data(), kernel.name.size());
  body.put(kernel.module->hashLow).put(kernel.module->hashHigh);
  body.put(shape.grid).put(shape.block).put(shape.dynamicLds);
  body.put(uint16_t(kernel.arguments)).put(uint16_t(0));
  for (uint32_t i = 0; i < kernel.arguments; ++i) {
    const Function::Argument &argument = kernel.explicitArguments[i];
    std::vector<char> value(argument.bytes);
    if (!shape.segment)
      std::memcpy(value.data(), shape.arguments[i], argument.bytes);
    else if (argument.offset + argument.bytes <= shape.segmentBytes)
      std::memcpy(value.data(), static_cast<const char *>(shape.segment) + argument.offset, argument.bytes);
    std::vector<uint16_t> pointers;
    if (!argument.isPointer)
      for (uint32_t offset = 0; offset + sizeof(void *) <= argument.bytes; offset += sizeof(void *)) {
        const void *word = nullptr;
        std::memcpy(static_cast<void *>(&word), value.data() + offset, sizeof(word));
        if (word && runtime.find(word, 0))
          pointers.push_back(uint16_t(offset));
      }
    body.put(argument.isPointer ? Pointer : pointers.empty() ? Scalar : Structure);
    body.put(uint16_t(argument.bytes)).putBytes(value.data(), value.size());
    if (!pointers.empty()) {
      body.put(uint16_t(pointers.size()));
      for (const uint16_t offset : pointers)
        body.put(offset);
    }
  }
  body.put(uint32_t(0)).put(uint32_t(0)); // no attributes
  add(body);
}
