// The state of HIP's runtime in this process: its devices, their memory, modules, streams and events.
//
// Every operation is done when its function returns: that is an order of what streams hold that HIP allows. With
// INFLIGHT_TIMED, streams carry modelled time, which events read. Device addresses are host addresses.
#pragma once

#include "hip/runtime/Abi.h"
#include "hip/runtime/HostRaces.h"
#include "inflight/inflight.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace inflight::hip {

/// What INFLIGHT_... variables say (docs/hip.md).
struct Settings {
  std::string device; ///< INFLIGHT_DEVICE or INFLIGHT_CHIP: "MI300X" or "gfx942"; empty: what the program has code for
  unsigned devices = 1;        ///< INFLIGHT_DEVICES: how many of it there are; 0: what it says is no such number
  std::string sources;         ///< INFLIGHT_SOURCES: whose lines findings may show
  std::string checks;          ///< INFLIGHT_CHECK: "all", or names of checks
  bool findsUnwritten = false; ///< `uninitialised` is one of them
  bool findsRaces = false;     ///< `race` is
  std::string delivery;        ///< INFLIGHT_DELIVERY: when checked loads arrive
  std::string stores;          ///< INFLIGHT_STORES: when other workgroups see a store
  uint64_t maxSteps = 0; ///< INFLIGHT_MAX_STEPS: instructions after which a wave counts as never ending; 0: the usual
  bool isTimed = false;  ///< INFLIGHT_TIMED, INFLIGHT_TRACE
  std::string page;      ///< INFLIGHT_TRACE: FILE[@LAUNCH[,LAUNCH]] or FILE@KERNEL, an HTML page of that launch
  std::vector<uint64_t> pagesOf = {1}; ///< counted from 1; several: each has its number in the file's name
  std::string pageKernel;              ///< the first launch of a kernel whose name contains this
  std::string log;                     ///< INFLIGHT_LOG: a line of JSON for each launch and failure is added there
  bool logsLaunches = false;           ///< unless INFLIGHT_LOG_LAUNCHES is 0: then only failures are
  bool logsCopies = false;             ///< INFLIGHT_LOG_COPIES: and for each copy of a timed program
  uint32_t sample = 0;                 ///< INFLIGHT_SAMPLE: workgroups of a unit that a timed launch runs
  bool isWarm = false;                 ///< INFLIGHT_WARM: launches before a timed one have left its data in the caches
  static Settings fromEnvironment();
};

/// Numbers of a device, of ifl_devices(); all devices of the process are the same product.
struct Product {
  std::string name, chip;
  uint64_t computeUnits = 0, clockMHz = 0, busBits = 0, gbytesPerSecond = 0, lanes = 0, simds = 0, wavesPerSimd = 0;
  uint64_t archVgprs = 0, ldsBytes = 0, workgroupLanes = 0;
};

struct Module;

/// A kernel; hipFunction_t points to one.
struct Function {
  Module *module = nullptr;
  std::string name;
  struct Argument {
    uint32_t offset = 0, bytes = 0;
    bool isPointer = false;
  };
  std::vector<Argument> explicitArguments;
  uint32_t arguments = 0;    ///< explicit ones
  bool isAllocating = false; ///< malloc or new may be called
  uint32_t vgprs = 0, ldsBytes = 0, scratchBytes = 0, maxLanes = 0, wavesPerSimd = 0;
};

/// hipModule_t points to one.
struct Module {
  struct Device *device = nullptr; ///< that it is loaded on
  ifl_module *loaded = nullptr;
  std::map<std::string, Function> functions;
  uint64_t hashLow = 0, hashHigh = 0; ///< of its file in a recording
  std::vector<uintptr_t> variables;   ///< those whose addresses the program has, among the allocations
};

struct Capture;
struct Graph;
struct GraphExec;
struct GraphNode;

struct Stream {
  struct Device *device = nullptr;
  uint64_t number = 0; ///< in clocks
  Clock clock;         ///< its operations, and those of others that came before
  uint32_t flags = 0;
  int priority = 0;
  double now = 0;                   ///< modelled microseconds
  std::shared_ptr<Capture> capture; ///< what is enqueued goes there; null: it is done
  std::vector<GraphNode *> last;    ///< of a capture: what the next operation comes after
};

struct Event {
  const struct Device *device = nullptr;
  bool isRecorded = false;
  Clock clock;                      ///< what came before
  double time = 0;                  ///< modelled microseconds
  std::shared_ptr<Capture> capture; ///< recorded in one: it comes after these nodes
  std::vector<GraphNode *> after;
};

/// hipMemPool_t points to one.
struct MemoryPool {
  struct Device *device = nullptr;
  std::set<const struct Device *> users; ///< others that may access what it gives
  int reuses[3] = {1, 1, 1};             ///< what may be reused when, as the program has set it
  uint64_t releaseThreshold = 0, used = 0, mostUsed = 0;
};

/// What there is of each device.
struct Device {
  int number = 0;
  Stream nullStream;
  MemoryPool defaultPool, *currentPool = &defaultPool;
  HipError fault = hipSuccess;         ///< of the first of its kernels that has faulted, until it is reset
  std::set<const Device *> peers;      ///< whose memory its kernels may access
  uint64_t used = 0;                   ///< bytes of memory that are allocated
  uint64_t heapBytes = IFL_HEAP_BYTES; ///< at least, for malloc in kernels, as the program has set it
  struct Heap {
    ifl_heap *heap = nullptr; ///< null until a kernel needs it
    void *begin = nullptr;
    bool isHidden = false; ///< as Allocation's
  } heap;
};

enum class MemoryKind : int { Host = 1, Device = 2, Managed = 3 }; ///< numbers of hipMemoryType

struct Allocation {
  Device *device = nullptr;
  uint64_t bytes = 0;
  MemoryKind kind = MemoryKind::Device;
  uint32_t flags = 0;
  void *block = nullptr;      ///< what free() takes; null: the program's own memory, registered
  uint64_t mapped = 0;        ///< `block` is so many bytes of pages of their own
  uint64_t number = 0;        ///< of those allocated so far, for messages
  MemoryPool *pool = nullptr; ///< that counts it
  bool isHidden = false;      ///< from the device whose kernel was launched last
};

/// Memory that was freed in a checked program and isn't given out again for a while: the least recently freed first.
struct Quarantine {
  std::map<uintptr_t, Allocation> freed;
  std::deque<uintptr_t> order;
  uint64_t bytes = 0;
  /// What was freed there; null: nothing.
  const std::pair<const uintptr_t, Allocation> *find(const void *address) const;
};

/// A fat binary that the program registered when it started; loaded when a device uses something of it.
struct FatBinary {
  const void *image = nullptr;
  std::map<const Device *, std::unique_ptr<Module>> modules;
  struct Managed {
    void **pointer;
    std::string name;
  };
  std::vector<Managed> managed;
};

/// Something of a registered fat binary, by its address in the host program.
struct Registered {
  FatBinary *binary = nullptr;
  std::string name;
};

class Runtime {
public:
  static Runtime &get();

  std::recursive_mutex mutex; ///< of all below
  const Settings settings = Settings::fromEnvironment();
  ifl_context *context = nullptr;
  std::map<uintptr_t, Allocation> allocations; ///< by where they begin
  Quarantine quarantine;
  HostRaces races;
  std::map<const void *, Registered> functions, variables;
  std::vector<std::unique_ptr<FatBinary>> binaries;
  std::map<void *, std::unique_ptr<Module>> modules;
  std::map<void *, std::unique_ptr<Stream>> streams;
  std::map<void *, std::unique_ptr<Event>> events;
  std::map<void *, std::shared_ptr<Graph>> graphs; ///< by their handles, without those that are part of others
  std::map<void *, std::shared_ptr<GraphExec>> execs;
  std::map<void *, std::unique_ptr<MemoryPool>> pools;
  uint64_t captures = 0;                                 ///< that have begun and not ended
  uint64_t launches = 0, allocated = 0, madeStreams = 0; ///< so far
  bool hasPage = false;                                  ///< of Settings::pageKernel
  std::deque<Device> devices;

  /// What the devices are, decided at the first question about it. Null, with a message, if there is none of that name.
  const Product *product();
  /// A device by its number; null, with the error, if there is none.
  Device *device(int number);
  /// The device that the calling thread has chosen.
  Device &current() LLVM_LIFETIME_BOUND;
  /// The device of a stream; the current one where there is no such stream.
  Device &deviceOf(void *stream) LLVM_LIFETIME_BOUND;
  /// Kernels that run from now on are this device's: they reach its memory, its peers', and all devices'.
  void showMemoryTo(const Device &device);
  /// Bytes of memory that each device has, and those of one that nobody uses: the host's, shared out.
  uint64_t memoryOfEach() const;
  uint64_t freeMemory(const Device &device) const;
  /// The allocation that holds all of these bytes.
  std::pair<const uintptr_t, Allocation> *find(const void *begin, uint64_t bytes);
  /// On the current device, if none is given.
  HipError allocate(const char *function, uint64_t bytes, MemoryKind kind, uint32_t flags, void **pointer,
                    Device *device = nullptr);
  HipError release(const char *function, void *pointer);
  /// A variable of a module, which is then an allocation like others.
  HipError variable(const char *function, Module &module, const std::string &name, char *&begin, uint64_t &bytes);
  void unload(Module &module);
  /// Reads a code object or fat binary in memory, which says itself how long it is.
  HipError load(const char *function, const void *image, Device &device, std::unique_ptr<Module> &module);
  /// The module of a registered fat binary.
  HipError loaded(const char *function, FatBinary &binary, Device &device, Module *&module);
  /// A device's kernel by its address in the program; null, with the error, if it isn't one.
  HipError functionAt(const char *caller, const void *host, Device &device, Function *&function);
  /// A kernel by its hipFunction_t; null if it is none.
  Function *functionOf(const void *handle);
  /// A line of the log for a copy, if those are asked for.
  void tellCopy(const char *what, uint64_t bytes, void *stream);
  /// Where the page of this launch goes; empty: it gets none.
  std::string pageFor(const std::string &kernel);
  /// Adds a line to the log.
  void writeLog(const std::string &line);
  /// The stream of a handle: null and the handles of default streams are the null stream. Null: a foreign handle.
  Stream *stream(void *handle);

private:
  Runtime();
  std::optional<Product> chosen;
};

/// ROCm's name of a target: gfx9 chips with 4-digit names have ECC and no XNACK.
std::string targetName(const Product &product);

/// Bytes, of rows of memory, and a multiple of any element.
inline constexpr size_t pitchAlignment = 256;

/// Why there are no arrays, textures and surfaces. ROCm's runtime answers so, too, where there are no images.
inline constexpr const char *whyNoImages =
    "the device has no image instructions, or none that Inflight executes, and so no arrays, textures and surfaces";

/// Sets the thread's last error, if it is one.
HipError give(HipError error);
/// The same, with a message on stderr: "inflight: FUNCTION: MESSAGE".
HipError fail(HipError error, const char *function, const llvm::Twine &message);
/// The same of a call that is wrong in itself, whatever device runs the program: with checks it is a finding.
HipError misuse(HipError error, const char *function, const llvm::Twine &message);
/// A finding of a checked program, on stderr and in the log.
void tellFinding(HipError error, const char *function, const char *rule, const std::string &message);
/// A kernel has faulted, as ifl_last_error() and ifl_last_fault() say.
HipError faulted(const char *function, const Function &kernel);
/// What calls return that wait for a device or use it: success until a kernel of it has faulted.
HipError deviceError(const Device &device);
/// The same of a stream's device.
HipError deviceError(void *stream = nullptr);
HipError lastError(bool isCleared);
const char *errorName(int error);
const char *errorText(int error);
/// Bytes of a code object or fat binary; 0 if it is neither.
size_t imageBytes(const void *image);

/// What a launch is made of; `arguments` or `segment`.
struct LaunchShape {
  Dim3 grid, block;
  uint32_t dynamicLds = 0;
  void **arguments = nullptr;
  const void *segment = nullptr;
  size_t segmentBytes = 0;
};
HipError launch(const char *function, Function &kernel, const LaunchShape &shape, void *stream);
/// hipModuleLaunchKernel's `extra`: pairs of a number and a pointer, up to the number 3.
void readExtra(void **extra, LaunchShape &shape);
/// The program is told that a stream has come so far, or waits for it: it may use what the stream's work was for.
void hostReached(void *stream);
HipError recordEvent(void *event, void *stream);
HipError awaitEvent(void *stream, void *event);

} // namespace inflight::hip
