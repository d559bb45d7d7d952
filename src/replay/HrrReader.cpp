// HRR archives to events. A number that doesn't fit its record's length is an error: the archive is corrupt, or was
// written by a HIP whose functions have other numbers.
#include "replay/HrrFormat.h"
#include "replay/Recording.h"
#include "support/Diagnostics.h"
#include "support/files/JsonFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace inflight::replay {

namespace {

/// Takes values off the front; past the end they are 0, and `isShort` says so.
class Cursor {
public:
  explicit Cursor(StringRef bytes) : rest(bytes) {}
  template <class T> T take() {
    if (rest.size() < sizeof(T)) {
      isShort = true;
      rest = {};
      return 0;
    }
    const T value = support::endian::read<T, endianness::little>(rest.data());
    rest = rest.drop_front(sizeof(T));
    return value;
  }
  StringRef takeBytes(size_t count) {
    if (rest.size() < count) {
      isShort = true;
      count = rest.size();
    }
    const StringRef taken = rest.take_front(count);
    rest = rest.drop_front(count);
    return taken;
  }
  std::string takeHash() {
    const HrrHash hash = {take<uint64_t>(), take<uint64_t>()};
    return hash.isNone() ? std::string() : hash.text();
  }
  size_t left() const { return rest.size(); }
  bool isShort = false;

private:
  StringRef rest;
};

/// A record as it stands in the file.
struct Record {
  uint64_t place = 0, sequence = 0;
  uint16_t number = 0;
  StringRef body; ///< after the header
};

/// How long a record may be; hrr_reader.cpp of the same version has the same limit.
constexpr uint32_t mostRecordBytes = 64u << 20;
/// As devices align rows (hipMallocPitch): the recording has the width only.
constexpr uint64_t rowAlignment = 256;

class Reader {
public:
  Reader(StringRef folder, Recording &recording) : folder(folder.str()), recording(recording) {}
  Error read();

private:
  Error fail(uint64_t place, const Twine &message) const {
    return makeError(eventsPath + ": at byte " + Twine(place) + ": " + message);
  }
  Error readRecords(StringRef text);
  Error listFiles();
  void readManifest();
  void findCompilerFunctions();
  Error add(const Record &record);
  Error addLaunch(const Record &record, const HrrFunction &function);
  Error readArguments(const Record &record, Cursor &cursor, Launch &launch, unsigned count);
  void addMemory(HrrApi api, Cursor &cursor, Event &event);
  void addCopy(HrrApi api, Cursor &cursor, Event &event);
  void addFill(HrrApi api, Cursor &cursor, Event &event);
  bool addCode(HrrApi api, Cursor &cursor, Event &event);
  bool addOrder(HrrApi api, Cursor &cursor, Event &event);

  std::string folder, eventsPath, text;
  Recording &recording;
  std::vector<Record> records;
  uint16_t version = 0, compilerBase = hrrRuntimeFunctions;
};

} // namespace

Error Reader::readRecords(StringRef bytes) {
  Cursor head(bytes);
  const auto magic = head.take<uint32_t>();
  version = head.take<uint16_t>();
  if (magic != hrrMagic)
    return fail(0, "this isn't a recording of HIP Record & Replay");
  if (version < hrrOldest || version > hrrNewest)
    return fail(4, formatv("version {0} of HIP Record & Replay: versions {1} to {2} can be read", version, hrrOldest,
                           hrrNewest));
  bool isEnded = false;
  uint64_t place = 8;
  while (place < bytes.size() && !isEnded) {
    Cursor cursor(bytes.drop_front(place));
    Record record;
    record.place = place;
    record.number = cursor.take<uint16_t>();
    record.sequence = cursor.take<uint64_t>();
    (void)cursor.takeBytes(16); // time and thread
    const uint32_t length = version < 4 ? cursor.take<uint16_t>() : cursor.take<uint32_t>();
    (void)cursor.takeBytes(version < 4 ? 4 : 2);
    if (!cursor.isShort && (length < hrrHeaderBytes || length > mostRecordBytes))
      return fail(place, "a record of " + Twine(length) + " bytes: the recording is corrupt");
    if (cursor.isShort || length > bytes.size() - place) {
      recording.notes.push_back("the recording is cut off in a record at byte " + std::to_string(place) +
                                "; what stands before it is used");
      return Error::success();
    }
    record.body = bytes.substr(place + hrrHeaderBytes, length - hrrHeaderBytes);
    place += length;
    Cursor trailer(record.body);
    const auto count = trailer.take<uint64_t>();
    if (record.number == hrrTrailer && length == hrrTrailerBytes && trailer.take<uint32_t>() == hrrTrailerMagic) {
      isEnded = true;
      if (count != records.size())
        return fail(record.place, formatv("the trailer counts {0} records, there are {1}", count, records.size()));
    } else {
      records.push_back(record);
    }
  }
  if (place < bytes.size())
    return fail(place, "there is something after the trailer");
  if (!isEnded)
    recording.notes.push_back("the recording has no trailer: the program crashed, or still ran");
  return Error::success();
}

Error Reader::listFiles() {
  for (StringRef kind : {"blobs", "code_objects"}) {
    SmallString<128> where(folder);
    sys::path::append(where, kind);
    if (!sys::fs::is_directory(where))
      continue;
    std::error_code error;
    for (sys::fs::recursive_directory_iterator file(where, error, /*follow_symlinks=*/false), end;
         file != end && !error; file.increment(error)) {
      const StringRef extension = sys::path::extension(file->path());
      if (extension == ".blob" || extension == ".hsaco")
        recording.files[sys::path::stem(file->path())] = file->path();
    }
    if (error)
      return makeError(where + ": " + error.message());
  }
  return Error::success();
}

/// The chip of the first device, if the manifest says it.
void Reader::readManifest() {
  Expected<std::string> manifest = readRecordedFile(recording, folder + "/manifest.json");
  if (!manifest)
    return consumeError(manifest.takeError()); // a program that was killed leaves none
  Expected<json::Value> value = parseJson(*manifest, folder + "/manifest.json");
  if (!value) {
    recording.notes.push_back(toString(value.takeError()));
    return;
  }
  const json::Object *object = value->getAsObject();
  const json::Object *metadata = object ? object->getObject("metadata") : nullptr;
  const json::Array *devices = metadata ? metadata->getArray("devices") : nullptr;
  const json::Object *device = devices && !devices->empty() ? devices->front().getAsObject() : nullptr;
  if (!device)
    return;
  if (const json::Object *properties = device->getObject("properties"))
    device = properties;
  recording.chip = device->getString("gcn_arch_name").value_or("").split(':').first.str();
}

/// HIP's table of functions grows at its end, where the compiler's functions begin: their numbers are not fixed by the
/// version. A record of a fat binary names a file of the archive, and has a length of its own.
void Reader::findCompilerFunctions() {
  if (version < 5)
    return;
  const uint32_t length = hrrFunction(version, hrrNumber(HrrApi::__hipRegisterFatBinary), compilerBase).lengths.front();
  for (const Record &record : records) {
    Cursor cursor(record.body);
    (void)cursor.take<uint64_t>();
    if (record.number + 2 < hrrRuntimeFunctions || record.number == hrrTrailer || record.body.size() != length ||
        !recording.files.count(cursor.takeHash()))
      continue;
    const uint16_t offset = hrrNumber(HrrApi::__hipRegisterFatBinary) - hrrRuntimeFunctions;
    compilerBase = record.number - offset;
    return;
  }
}

/// Allocations and what gives them back.
void Reader::addMemory(HrrApi api, Cursor &cursor, Event &event) {
  event.to = cursor.take<uint64_t>();
  event.action = Action::Allocate;
  switch (api) {
  case HrrApi::hipFree:
  case HrrApi::hipFreeAsync:
  case HrrApi::hipFreeHost:
  case HrrApi::hipHostFree:
  case HrrApi::hipHostUnregister:
  case HrrApi::hipMemUnmap: event.action = Action::Free; return;
  case HrrApi::hipMallocPitch:
  case HrrApi::hipMemAllocPitch: {
    (void)cursor.take<uint64_t>();
    const auto width = cursor.take<uint64_t>(), height = cursor.take<uint64_t>();
    // A width or height that overflows is refused where memory is asked for.
    event.bytes =
        SaturatingMultiply(alignTo(std::min<uint64_t>(width, UINT64_MAX - rowAlignment), rowAlignment), height);
    return;
  }
  default: event.bytes = cursor.take<uint64_t>(); return;
  }
}

static bool hasRows(HrrApi api) { return api == HrrApi::hipMemcpy2D || api == HrrApi::hipMemcpy2DAsync; }

void Reader::addCopy(HrrApi api, Cursor &cursor, Event &event) {
  enum Kind { HostToHost, HostToDevice, DeviceToHost, DeviceToDevice, Default };
  event.action = Action::Copy;
  int kind = Default;
  event.to = cursor.take<uint64_t>();
  switch (api) {
  case HrrApi::hipMemcpyPeer:
  case HrrApi::hipMemcpyPeerAsync:
    (void)cursor.take<uint32_t>();
    event.from = cursor.take<uint64_t>();
    (void)cursor.take<uint32_t>();
    event.bytes = cursor.take<uint64_t>();
    return;
  case HrrApi::hipMemcpy2D:
  case HrrApi::hipMemcpy2DAsync:
    event.pitch = cursor.take<uint64_t>();
    event.from = cursor.take<uint64_t>();
    event.fromPitch = cursor.take<uint64_t>();
    event.bytes = cursor.take<uint64_t>();
    event.rows = cursor.take<uint64_t>();
    kind = cursor.take<int32_t>();
    break;
  default:
    event.from = cursor.take<uint64_t>();
    event.bytes = cursor.take<uint64_t>();
    break;
  }
  switch (api) {
  case HrrApi::hipMemcpy:
  case HrrApi::hipMemcpyAsync:
  case HrrApi::hipMemcpyWithStream: kind = cursor.take<int32_t>(); break;
  case HrrApi::hipMemcpyHtoD:
  case HrrApi::hipMemcpyHtoDAsync: kind = HostToDevice; break;
  case HrrApi::hipMemcpyDtoH:
  case HrrApi::hipMemcpyDtoHAsync: kind = DeviceToHost; break;
  case HrrApi::hipMemcpyDtoD:
  case HrrApi::hipMemcpyDtoDAsync: kind = DeviceToDevice; break;
  default: break;
  }
  const bool hasStream = api == HrrApi::hipMemcpyAsync || api == HrrApi::hipMemcpyWithStream ||
                         api == HrrApi::hipMemcpyHtoDAsync || api == HrrApi::hipMemcpyDtoHAsync ||
                         api == HrrApi::hipMemcpyDtoDAsync || api == HrrApi::hipMemcpy2DAsync;
  if (hasStream)
    event.stream = cursor.take<uint64_t>();
  // Early recordings have no hashes of copies back and of rows.
  const std::string first = cursor.left() >= 16 ? cursor.takeHash() : std::string();
  const std::string second = cursor.left() >= 16 ? cursor.takeHash() : std::string();
  if (kind == HostToDevice || kind == Default || kind == HostToHost)
    event.data = first;
  if (kind == DeviceToHost || kind == Default)
    event.expected = hasRows(api) ? second : first;
  event.isInput = kind == HostToDevice;
}

void Reader::addFill(HrrApi api, Cursor &cursor, Event &event) {
  event.action = Action::Fill;
  event.to = cursor.take<uint64_t>();
  bool hasStream = false;
  switch (api) {
  case HrrApi::hipMemset2DAsync: hasStream = true; [[fallthrough]];
  case HrrApi::hipMemset2D:
    event.pitch = cursor.take<uint64_t>();
    event.value = cursor.take<uint32_t>();
    event.bytes = cursor.take<uint64_t>();
    event.rows = cursor.take<uint64_t>();
    break;
  case HrrApi::hipMemsetD8Async: hasStream = true; [[fallthrough]];
  case HrrApi::hipMemsetD8: event.value = cursor.take<uint8_t>(); break;
  case HrrApi::hipMemsetD16Async: hasStream = true; [[fallthrough]];
  case HrrApi::hipMemsetD16:
    event.value = cursor.take<uint16_t>();
    event.elementBytes = 2;
    break;
  case HrrApi::hipMemsetD32Async: hasStream = true; [[fallthrough]];
  case HrrApi::hipMemsetD32:
    event.value = cursor.take<uint32_t>();
    event.elementBytes = 4;
    break;
  case HrrApi::hipMemsetAsync:
  case HrrApi::hipMemsetAsync_spt: hasStream = true; [[fallthrough]];
  default: event.value = cursor.take<uint32_t>(); break;
  }
  if (!event.bytes)
    event.bytes = SaturatingMultiply(cursor.take<uint64_t>(), uint64_t(event.elementBytes));
  if (hasStream)
    event.stream = cursor.take<uint64_t>();
}

/// False: nothing that memory or launches depend on.
bool Reader::addCode(HrrApi api, Cursor &cursor, Event &event) {
  switch (api) {
  case HrrApi::hipModuleUnload:
    event.action = Action::Unload;
    event.handle = cursor.take<uint64_t>();
    return true;
  case HrrApi::hipModuleLoad:
  case HrrApi::hipModuleLoadData:
  case HrrApi::hipModuleLoadDataEx:
    event.action = Action::Load;
    event.handle = cursor.take<uint64_t>();
    (void)cursor.takeBytes(api == HrrApi::hipModuleLoadDataEx ? 8 + 4 + 8 + 8 : 8);
    event.data = cursor.takeHash();
    return true;
  case HrrApi::__hipRegisterVar: {
    event.action = Action::Variable;
    (void)cursor.takeBytes(8 + 8 + 8 + 8 + 4 + 8 + 4 + 4);
    if (!cursor.left())
      return false; // before version 6 there is neither name nor address
    event.name = cursor.takeBytes(hrrNameBytes).split('\0').first.str();
    (void)cursor.take<uint8_t>();
    event.to = cursor.take<uint64_t>();
    return !event.name.empty() && event.to;
  }
  default: return false;
  }
}

bool Reader::addOrder(HrrApi api, Cursor &cursor, Event &event) {
  auto is = [&](Action action) {
    event.action = action;
    return true;
  };
  switch (api) {
  case HrrApi::hipDeviceSynchronize: return is(Action::WaitDevice);
  case HrrApi::hipStreamCreate:
  case HrrApi::hipStreamCreateWithFlags:
  case HrrApi::hipStreamCreateWithPriority: event.stream = cursor.take<uint64_t>(); return is(Action::CreateStream);
  case HrrApi::hipStreamDestroy: event.stream = cursor.take<uint64_t>(); return is(Action::DestroyStream);
  case HrrApi::hipStreamSynchronize:
  case HrrApi::hipStreamSynchronize_spt: event.stream = cursor.take<uint64_t>(); return is(Action::WaitStream);
  case HrrApi::hipStreamWaitEvent:
  case HrrApi::hipStreamWaitEvent_spt:
    event.stream = cursor.take<uint64_t>();
    event.handle = cursor.take<uint64_t>();
    return is(Action::WaitEvent);
  case HrrApi::hipEventRecord:
  case HrrApi::hipEventRecord_spt:
  case HrrApi::hipEventRecordWithFlags:
    event.handle = cursor.take<uint64_t>();
    event.stream = cursor.take<uint64_t>();
    return is(Action::RecordEvent);
  default: return false;
  }
}

Error Reader::add(const Record &record) {
  const HrrFunction function = hrrFunction(version, record.number, compilerBase);
  if (function.api == HrrApi::None)
    return Error::success();
  if (function.isLaunch)
    return addLaunch(record, function);
  if (!function.lengths.empty() && !is_contained(function.lengths, record.body.size()))
    return fail(record.place,
                formatv("{0} bytes are recorded of {1}, which takes {2}: the recording is corrupt, or the "
                        "functions of the HIP that wrote it have other numbers",
                        record.body.size(), function.name, function.lengths.front()));
  Event event;
  event.place = record.place;
  event.name = function.name.str();
  if (function.isLost) {
    recording.events.push_back(std::move(event));
    return Error::success();
  }
  const HrrApi api = function.api;
  Cursor cursor(record.body);
  bool isUsed = true;
  if (api == HrrApi::__hipRegisterFatBinary) {
    event.action = Action::Load;
    event.handle = cursor.take<uint64_t>();
    event.data = cursor.takeHash();
  } else if (api == HrrApi::__hipRegisterVar) {
    isUsed = addCode(api, cursor, event);
  } else {
    (void)cursor.take<uint32_t>(); // the result: calls that failed aren't recorded
    if (function.name.starts_with("hipMemcpy"))
      addCopy(api, cursor, event);
    else if (function.name.starts_with("hipMemset"))
      addFill(api, cursor, event);
    else if (function.name.starts_with("hipModule"))
      isUsed = addCode(api, cursor, event);
    else if (function.name.starts_with("hipStream") || function.name.starts_with("hipEvent") ||
             api == HrrApi::hipDeviceSynchronize)
      isUsed = addOrder(api, cursor, event);
    else
      addMemory(api, cursor, event);
  }
  if (isUsed)
    recording.events.push_back(event);
  if (api == HrrApi::hipHostRegister) { // what the program had there
    Event copy = event;
    copy.action = Action::Copy;
    (void)cursor.take<uint32_t>();
    copy.data = cursor.takeHash();
    copy.isInput = true;
    if (!copy.data.empty())
      recording.events.push_back(std::move(copy));
  }
  return Error::success();
}

Error Reader::readArguments(const Record &record, Cursor &cursor, Launch &launch, unsigned count) {
  enum { Scalar, Pointer, Hidden, Structure };
  for (unsigned i = 0; i < count; ++i) {
    const auto kind = cursor.take<uint8_t>();
    const StringRef bytes = cursor.takeBytes(cursor.take<uint16_t>());
    if (kind > Structure || cursor.isShort)
      return fail(record.place, formatv("argument {0} of kernel '{1}' is corrupt", i + 1, launch.kernel));
    const auto number = uint32_t(launch.arguments.size());
    if (kind == Pointer && bytes.size() == 8)
      launch.pointers.push_back({number, 0});
    if (kind == Structure)
      for (unsigned left = cursor.take<uint16_t>(); left; --left) {
        const uint32_t offset = cursor.take<uint16_t>();
        if (cursor.isShort || offset + 8 > bytes.size())
          return fail(record.place, formatv("argument {0} of kernel '{1}' is corrupt", i + 1, launch.kernel));
        launch.pointers.push_back({number, offset});
      }
    if (kind != Hidden)
      launch.arguments.emplace_back(bytes.bytes_begin(), bytes.bytes_end());
  }
  return Error::success();
}

Error Reader::addLaunch(const Record &record, const HrrFunction &function) {
  Event event;
  event.place = record.place;
  event.action = Action::Launch;
  event.name = function.name.str();
  event.index = uint32_t(recording.launches.size());
  Cursor cursor(record.body);
  event.stream = cursor.take<uint64_t>();
  Launch launch;
  launch.kernel = cursor.takeBytes(cursor.take<uint16_t>()).str();
  launch.code = cursor.takeHash();
  for (uint32_t &size : launch.grid)
    size = cursor.take<uint32_t>();
  for (uint32_t &size : launch.block)
    size = cursor.take<uint32_t>();
  launch.ldsBytes = cursor.take<uint32_t>();
  const unsigned arguments = cursor.take<uint16_t>(), snapshots = cursor.take<uint16_t>();
  if (cursor.isShort)
    return fail(record.place, function.name + ": the recording is corrupt");
  if (Error error = readArguments(record, cursor, launch, arguments))
    return error;
  if (snapshots)
    return fail(record.place,
                "kernel '" + launch.kernel + "': snapshots of buffers are recorded, which isn't supported");
  if (cursor.left()) { // version 6: attributes; some of version 3: the whole segment
    const auto count = cursor.take<uint32_t>();
    const uint64_t size = version >= 6 ? uint64_t(count) * cursor.take<uint32_t>() : count;
    const StringRef bytes = cursor.takeBytes(std::min<uint64_t>(size, cursor.left()));
    if (cursor.isShort || cursor.left() || bytes.size() != size)
      return fail(record.place, "kernel '" + launch.kernel + "': what follows its arguments is corrupt");
    if (version < 6 && !bytes.empty()) {
      launch.arguments.assign(1, {bytes.bytes_begin(), bytes.bytes_end()});
      launch.pointers.clear();
      launch.isSegment = true;
    }
  }
  if (function.api == HrrApi::hipExtModuleLaunchKernel) // the grid is in lanes
    for (auto [groups, lanes] : zip(launch.grid, launch.block))
      groups = lanes ? divideCeil(groups, lanes) : 0;
  recording.launches.push_back(std::move(launch));
  recording.events.push_back(std::move(event));
  return Error::success();
}

Error Reader::read() {
  eventsPath = folder + "/events.bin";
  Expected<std::string> contents = readRecordedFile(recording, eventsPath);
  if (!contents)
    return contents.takeError();
  text = std::move(*contents);
  if (Error error = readRecords(text))
    return error;
  if (Error error = listFiles())
    return error;
  readManifest();
  findCompilerFunctions();
  recording.kind = formatv("HIP Record & Replay, version {0}", version);
  // Threads write when they come to it; the numbers are the order of the calls.
  stable_sort(records, [](const Record &a, const Record &b) { return a.sequence < b.sequence; });
  for (const Record &record : records)
    if (Error error = add(record))
      return error;
  return Error::success();
}

Expected<Recording> readHrr(StringRef path) {
  Recording recording;
  recording.path = path.str();
  std::vector<std::string> processes;
  std::error_code error;
  for (sys::fs::directory_iterator entry(path, error), end; entry != end && !error; entry.increment(error))
    if (sys::path::filename(entry->path()).starts_with("pid-") && sys::fs::exists(entry->path() + "/events.bin"))
      processes.push_back(entry->path());
  std::string folder = path.str();
  if (!sys::fs::exists(path + "/events.bin")) {
    sort(processes);
    if (processes.empty())
      return makeError(path + ": neither kerncap's dispatch.json nor HIP Record & Replay's events.bin is there");
    if (processes.size() != 1)
      return makeError(path +
                       ": recordings of several processes are there; name one of them: " + join(processes, ", "));
    folder = processes.front();
  }
  if (Error failed = Reader(folder, recording).read())
    return failed;
  return recording;
}

} // namespace inflight::replay
