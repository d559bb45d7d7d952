#include "replay/Player.h"

#include "inflight/inflight.h"
#include "machine/memory/Memory.h"
#include "replay/HrrFormat.h"
#include "replay/Pages.h"
#include "support/Diagnostics.h"
#include "support/PageSize.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cstring>
#include <set>

using namespace llvm;

namespace inflight::replay {

namespace {

struct LoadedModule {
  uint64_t handle = 0;
  std::string file;
  ifl_module *module = nullptr;
  StringMap<uint32_t> kernels; ///< their static LDS
};

/// A variable's place in the recorded program, and here.
struct Place {
  std::string name;
  uint64_t recorded = 0, bytes = 0;
  uint8_t *here = nullptr;
};

/// Says of a launch that takes long which one it is: a grid may be any number that stands in the recording.
struct Patience {
  raw_ostream &os;
  const Launch &launch;
  uint64_t number; ///< of the launch, from 1
  std::chrono::steady_clock::time_point begin = std::chrono::steady_clock::now();
  std::chrono::seconds next{5};

  /// Asked some times a second while the launch runs; never ends it.
  int ask() {
    if (std::chrono::steady_clock::now() - begin < next)
      return 0;
    os << formatv("note: launch {0}, kernel '{1}', a grid of {2}x{3}x{4} workgroups, has run for {5} s\n", number,
                  launch.kernel, launch.grid[0], launch.grid[1], launch.grid[2], next.count());
    next *= 2;
    return 0;
  }
};

class Player {
public:
  Player(const Recording &recording, const PlayOptions &options, raw_ostream &os, function_ref<void(json::Object)> log)
      : recording(recording), options(options), os(os), log(log) {}
  ~Player() { ifl_context_destroy(context); }
  Expected<PlayResult> run();

private:
  Error playEvent(const Event &event);
  Error allocate(const Event &event);
  void release(uint64_t begin);
  Error fill(const Event &event);
  Error copy(const Event &event);
  Error compare(const Event &event, const uint8_t *from, uint64_t pitch);
  Error load(const Event &event);
  Error loadModule(StringRef bytes, LoadedModule &into);
  Error chooseChip(StringRef image);
  void placeVariable(const Event &event);
  Error launch(const Event &event);
  void copyVariables(bool isToReplacement);
  Expected<LoadedModule *> moduleOf(const Launch &launch, bool isChosen);
  void order(const Event &event);
  Error lost(const Twine &what);
  void tell(const Event &event, const Launch &launch, StringRef text);
  void tellCopy(const Event &event, StringRef name);

  Expected<std::string> file(StringRef name);
  /// The memory of `rows` of `bytes` bytes, `pitch` apart; null: there is none of it.
  uint8_t *find(uint64_t address, uint64_t bytes, uint64_t rows = 1, uint64_t pitch = 0);
  bool isChosen(uint32_t index) const { return options.isChosen.empty() || options.isChosen[index]; }

  const Recording &recording;
  const PlayOptions &options;
  raw_ostream &os;
  function_ref<void(json::Object)> log;
  Pages pages;
  ifl_context *context = nullptr;
  std::string chip, device;
  std::map<uint64_t, uint64_t> allocations; ///< bytes by beginnings
  std::vector<LoadedModule> modules;
  std::optional<LoadedModule> replacement;
  std::vector<Place> variables;
  std::map<uint64_t, double> streams, recordedEvents; ///< modelled microseconds
  PlayResult result;
  bool hasPage = false;
};

/// Bytes of rows with a pitch, without what is after the last one.
uint64_t spanOf(uint64_t bytes, uint64_t rows, uint64_t pitch) {
  return rows <= 1 ? bytes : SaturatingAdd(SaturatingMultiply(rows - 1, pitch), bytes);
}

} // namespace

static Error capiError() {
  StringRef message = ifl_last_error();
  message.consume_front("error: ");
  return makeError(message);
}

Expected<std::string> Player::file(StringRef name) {
  auto found = recording.files.find(name);
  if (found == recording.files.end())
    return makeError("'" + name + "' isn't in the recording");
  Expected<std::string> contents = readRecordedFile(recording, found->second);
  if (!contents)
    return contents.takeError();
  const bool isHash = name.size() == 32 && all_of(name, [](char c) { return isHexDigit(c); });
  if (isHash && HrrHash::of(arrayRefFromStringRef(*contents)).text() != name)
    return makeError(found->second + ": its contents don't have the hash that its name is; the file is corrupt");
  return contents;
}

uint8_t *Player::find(uint64_t address, uint64_t bytes, uint64_t rows, uint64_t pitch) {
  const uint64_t span = spanOf(bytes, rows, pitch);
  for (const Place &place : variables)
    if (address >= place.recorded && span <= place.bytes && address - place.recorded <= place.bytes - span)
      return place.here + (address - place.recorded);
  auto after = allocations.upper_bound(address);
  if (after == allocations.begin())
    return nullptr;
  const auto &[begin, size] = *std::prev(after);
  const uint64_t offset = address - begin;
  return span <= size && offset <= size - span ? machine::hostMemory(address) : nullptr;
}

Error Player::lost(const Twine &what) {
  if (!options.isLossy)
    return makeError(what + "; --lossy goes on without it");
  os << "warning: " << what << "; results after it may differ\n";
  return Error::success();
}

void Player::release(uint64_t begin) {
  auto found = allocations.find(begin);
  if (found == allocations.end())
    return;
  (void)ifl_memory_unregister(context, machine::hostMemory(begin));
  pages.clear(begin, found->second);
  allocations.erase(found);
}

Error Player::allocate(const Event &event) {
  if (!event.to || !event.bytes)
    return Error::success();
  if (Error error = pages.map(event.to, event.bytes))
    return error;
  // What the program gave back by a function that isn't recorded.
  for (auto over = allocations.upper_bound(event.to + event.bytes - 1); over != allocations.begin();) {
    --over;
    if (over->first + over->second <= event.to)
      break;
    const uint64_t begin = over->first;
    over = std::next(over);
    release(begin);
  }
  uint8_t *const begin = machine::hostMemory(event.to);
  const std::string name = formatv("{0} of {1} bytes", event.name.empty() ? "region" : event.name, event.bytes);
  if (ifl_memory_register(context, begin, event.bytes, name.c_str()) != IFL_OK)
    return capiError();
  allocations[event.to] = event.bytes;
  return Error::success();
}

Error Player::fill(const Event &event) {
  if (!event.bytes || !event.rows)
    return Error::success();
  uint8_t *const to = find(event.to, event.bytes, event.rows, event.pitch);
  if (!to)
    return lost(
        formatv("{0} of {1} bytes at {2:x}, where the recording has no memory", event.name, event.bytes, event.to));
  for (uint64_t row = 0; row < event.rows; ++row)
    for (uint64_t i = 0; i + event.elementBytes <= event.bytes; i += event.elementBytes)
      std::memcpy(to + row * event.pitch + i, &event.value, event.elementBytes);
  tellCopy(event, "set");
  return Error::success();
}

Error Player::compare(const Event &event, const uint8_t *from, uint64_t pitch) {
  Expected<std::string> expected = file(event.expected);
  if (!expected)
    return expected.takeError();
  if (expected->size() < spanOf(event.bytes, event.rows, event.pitch))
    return makeError(formatv("{0}: {1} bytes are recorded of {2}", event.expected, expected->size(), event.bytes));
  ++result.comparisons;
  uint64_t count = 0, first = 0;
  for (uint64_t row = 0; row < event.rows; ++row) {
    const auto *is = from + row * pitch;
    const auto *was = reinterpret_cast<const uint8_t *>(expected->data()) + row * event.pitch;
    if (!std::memcmp(is, was, event.bytes))
      continue;
    for (uint64_t i = 0; i < event.bytes; ++i)
      if (is[i] != was[i] && !count++)
        first = row * event.bytes + i;
  }
  if (!count)
    return Error::success();
  ++result.differences;
  const uint64_t row = first / event.bytes, word = alignDown(first % event.bytes, 4);
  const uint64_t width = std::min<uint64_t>(4, event.bytes - word);
  auto text = [&](const uint8_t *at) { return toHex(ArrayRef<uint8_t>(at + word, width), /*LowerCase=*/true); };
  os << formatv(
      "after launch {0}: {1} of {2} bytes at {3:x} differ; the first four from byte {4} on are {5}, recorded are "
      "{6}\n",
      result.launches, count, event.bytes * event.rows, event.action == Action::Compare ? event.to : event.from,
      row * event.bytes + word, text(from + row * pitch),
      text(reinterpret_cast<const uint8_t *>(expected->data()) + row * event.pitch));
  return Error::success();
}

Error Player::copy(const Event &event) {
  if (!event.bytes || !event.rows)
    return Error::success();
  const uint8_t *const from = find(event.from, event.bytes, event.rows, event.fromPitch);
  uint8_t *const to = find(event.to, event.bytes, event.rows, event.pitch);
  auto copyRows = [&](const uint8_t *source) {
    for (uint64_t row = 0; row < event.rows; ++row)
      std::memmove(to + row * event.pitch, source + row * event.fromPitch, event.bytes);
  };
  if (!event.data.empty() && (event.isInput || !from)) {
    if (!to)
      return lost(
          formatv("{0} of {1} bytes to {2:x}, where the recording has no memory", event.name, event.bytes, event.to));
    Expected<std::string> data = file(event.data);
    if (!data)
      return data.takeError();
    if (data->size() < spanOf(event.bytes, event.rows, event.fromPitch))
      return makeError(formatv("{0}: {1} bytes are recorded of {2}", event.data, data->size(), event.bytes));
    copyRows(reinterpret_cast<const uint8_t *>(data->data()));
    tellCopy(event, "host to device");
    return Error::success();
  }
  if (!from) {
    if (to || event.isInput)
      return lost(formatv("{0} to {1:x}: what was copied isn't in the recording", event.name, event.to));
    return Error::success(); // from the program to itself
  }
  tellCopy(event, to ? "device to device" : "device to host");
  if (to)
    copyRows(from);
  return event.expected.empty() ? Error::success() : compare(event, from, event.fromPitch);
}

Error Player::chooseChip(StringRef image) {
  const std::string wanted = options.device.empty() ? recording.chip : options.device;
  char *text = nullptr;
  if (ifl_device_find(wanted.c_str(), image.data(), image.size(), &text) != IFL_OK)
    return makeError(
        Twine(options.device.empty() && !wanted.empty() ? "the recording was made on " + wanted + ": " : "") +
        ifl_last_error() + "; --device chooses one");
  Expected<json::Value> found = json::parse(text);
  ifl_free(text);
  if (!found)
    return found.takeError();
  const json::Object &object = *found->getAsObject();
  chip = object.getString("chip").value_or("").str();
  device = object.getString("name").value_or("").str();
  return Error::success();
}

Error Player::loadModule(StringRef bytes, LoadedModule &into) {
  if (chip.empty())
    if (Error error = chooseChip(bytes))
      return error;
  if (ifl_module_load(context, bytes.data(), bytes.size(), chip.c_str(), &into.module) != IFL_OK)
    return capiError();
  if (chip != ifl_module_chip(into.module)) {
    const std::string its = ifl_module_chip(into.module);
    ifl_module_unload(into.module);
    return makeError("the code is for " + its + ", the device is a " + device + " (" + chip + "); --device=" + its +
                     " chooses another");
  }
  char *text = nullptr;
  if (ifl_module_info(into.module, &text) != IFL_OK)
    return capiError();
  Expected<json::Value> info = json::parse(text);
  ifl_free(text);
  if (!info)
    return info.takeError();
  for (const json::Value &value : *info->getAsObject()->getArray("kernels")) {
    const json::Object &kernel = *value.getAsObject();
    into.kernels[kernel.getString("name").value_or("")] = uint32_t(kernel.getInteger("lds_bytes").value_or(0));
  }
  return Error::success();
}

Error Player::load(const Event &event) {
  if (event.data.empty())
    return lost(event.name + ": the code isn't in the recording");
  Expected<std::string> bytes = file(event.data);
  if (!bytes)
    return bytes.takeError();
  LoadedModule made;
  made.handle = event.handle;
  made.file = event.data;
  if (Error error = loadModule(*bytes, made)) {
    // Programs have fat binaries without kernels of theirs; a launch from one that is needed names the kernel.
    std::string message = toString(std::move(error));
    if (event.name != "__hipRegisterFatBinary" || !StringRef(message).contains("no code for"))
      return makeError(message);
    os << "note: " << event.data << ": " << message << '\n';
    return Error::success();
  }
  modules.push_back(std::move(made));
  return Error::success();
}

void Player::placeVariable(const Event &event) {
  for (LoadedModule &loaded : reverse(modules)) {
    void *address = nullptr;
    uint64_t bytes = 0;
    if (ifl_module_symbol(loaded.module, event.name.c_str(), &address, &bytes) != IFL_OK)
      continue;
    variables.push_back({event.name, event.to, bytes, static_cast<uint8_t *>(address)});
    return;
  }
}

Expected<LoadedModule *> Player::moduleOf(const Launch &launch, bool isChosen) {
  if (replacement && isChosen && replacement->kernels.count(launch.kernel))
    return &*replacement;
  LoadedModule *byName = nullptr;
  for (LoadedModule &loaded : reverse(modules))
    if (loaded.kernels.count(launch.kernel)) {
      if (loaded.file == launch.code)
        return &loaded;
      byName = byName ? byName : &loaded;
    }
  if (byName)
    return byName;
  return makeError("no code that the recording has loaded has a kernel '" + launch.kernel + "'");
}

/// A replaced kernel sees what the program has put into variables, and later kernels what it has put there.
void Player::copyVariables(bool isToReplacement) {
  for (const Place &place : variables) {
    void *address = nullptr;
    uint64_t bytes = 0;
    if (ifl_module_symbol(replacement->module, place.name.c_str(), &address, &bytes) != IFL_OK || bytes != place.bytes)
      continue;
    if (isToReplacement)
      std::memcpy(address, place.here, bytes);
    else
      std::memcpy(place.here, address, bytes);
  }
}

/// Findings, and the line of the log.
void Player::tell(const Event &event, const Launch &launch, StringRef text) {
  Expected<json::Value> parsed = json::parse(text);
  if (!parsed)
    return consumeError(parsed.takeError());
  json::Object object = std::move(*parsed->getAsObject());
  if (std::optional<StringRef> report = object.getString("report"))
    os << *report;
  if (const json::Array *findings = object.getArray("findings"))
    result.findings += findings->size();
  object.erase("report");
  double &now = streams[event.stream];
  object["launch"] = result.launches;
  object["kernel"] = launch.kernel;
  object["grid"] = json::Array{launch.grid[0], launch.grid[1], launch.grid[2]};
  object["block"] = json::Array{launch.block[0], launch.block[1], launch.block[2]};
  object["stream"] = formatv("{0:x}", event.stream).str();
  object["begin_us"] = now;
  if (const json::Object *time = object.getObject("time"))
    now += time->getNumber("microseconds").value_or(0);
  log(std::move(object));
}

void Player::tellCopy(const Event &event, StringRef name) {
  if (options.isTimed)
    log(json::Object{{"copy", name},
                     {"bytes", event.bytes * event.rows},
                     {"stream", formatv("{0:x}", event.stream).str()},
                     {"begin_us", streams[event.stream]}});
}

Error Player::launch(const Event &event) {
  const Launch &recorded = recording.launches[event.index];
  const bool isIts = isChosen(event.index);
  result.launches = event.index + 1;
  Expected<LoadedModule *> loaded = moduleOf(recorded, isIts);
  if (!loaded)
    return loaded.takeError();
  std::vector<std::vector<uint8_t>> values = recorded.arguments;
  for (auto [argument, offset] : recorded.pointers) { // to variables, which aren't where they were
    uint64_t address = 0;
    std::memcpy(&address, values[argument].data() + offset, sizeof(address));
    for (const Place &place : variables)
      if (address >= place.recorded && address - place.recorded < place.bytes) {
        const uint8_t *here = place.here + (address - place.recorded);
        std::memcpy(values[argument].data() + offset, static_cast<const void *>(&here), sizeof(here));
      }
  }
  ifl_launch request = {};
  request.size = sizeof(request);
  for (unsigned i = 0; i < 3; ++i) {
    request.grid[i] = recorded.grid[i];
    request.block[i] = recorded.block[i];
  }
  const uint32_t statics = (*loaded)->kernels.lookup(recorded.kernel);
  request.dynamic_lds =
      recorded.isAllLds ? recorded.ldsBytes - std::min(statics, recorded.ldsBytes) : recorded.ldsBytes;
  std::vector<const void *> arguments;
  if (recorded.isSegment) {
    request.kernarg = values.front().data();
    request.kernarg_bytes = values.front().size();
  } else {
    for (const auto &value : values)
      arguments.push_back(value.data());
    request.arguments = arguments.data();
    request.argument_count = arguments.size();
  }
  request.granule = pageBytes(); // as in the program
  if (isIts && !options.checks.empty())
    request.checks = options.checks.c_str();
  if (isIts && options.isTimed) {
    request.timed = 1;
    request.device = device.c_str();
    request.sample = options.sample;
    request.warm = options.isWarm;
    if (!options.page.empty() && !hasPage)
      request.html = options.page.c_str();
    hasPage = true;
  }
  const bool isReplaced = replacement && *loaded == &*replacement;
  if (isReplaced)
    copyVariables(/*isToReplacement=*/true);
  Patience patience{os, recorded, event.index + 1};
  request.interrupted = [](void *data) { return static_cast<Patience *>(data)->ask(); };
  request.interrupted_data = &patience;
  char *text = nullptr;
  const scope_exit giveBack([&] { ifl_free(text); });
  if (ifl_launch_kernel((*loaded)->module, recorded.kernel.c_str(), &request, isIts ? &text : nullptr) != IFL_OK)
    return makeError("launch " + Twine(event.index + 1) + ", kernel '" + recorded.kernel +
                     "': " + toString(capiError()));
  if (isReplaced)
    copyVariables(/*isToReplacement=*/false);
  if (text)
    tell(event, recorded, text);
  return Error::success();
}

/// What streams and events do to modelled time.
void Player::order(const Event &event) {
  switch (event.action) {
  case Action::CreateStream: streams[event.stream] = streams[0]; break;
  case Action::DestroyStream: streams.erase(event.stream); break;
  case Action::RecordEvent: recordedEvents[event.handle] = streams[event.stream]; break;
  case Action::WaitEvent: {
    double &now = streams[event.stream];
    now = std::max(now, recordedEvents[event.handle]);
    break;
  }
  case Action::WaitDevice: {
    double latest = 0;
    for (const auto &[stream, now] : streams)
      latest = std::max(latest, now);
    for (auto &[stream, now] : streams)
      now = latest;
    break;
  }
  default: break;
  }
}

Error Player::playEvent(const Event &event) {
  switch (event.action) {
  case Action::Allocate: return allocate(event);
  case Action::Free: release(event.to); return Error::success();
  case Action::Fill: return fill(event);
  case Action::Copy: return copy(event);
  case Action::Load: return load(event);
  case Action::Unload: {
    auto found = find_if(modules, [&](const LoadedModule &loaded) { return loaded.handle == event.handle; });
    if (found == modules.end())
      return Error::success();
    ifl_module_unload(found->module);
    modules.erase(found);
    return Error::success();
  }
  case Action::Variable: placeVariable(event); return Error::success();
  case Action::Launch: return launch(event);
  case Action::Compare: {
    const uint8_t *const there = find(event.to, event.bytes);
    if (!there)
      return makeError(formatv("{0:x}: the recording has no memory there", event.to));
    return compare(event, there, 0);
  }
  case Action::Lost:
    return lost(event.name + " was called, which the recording doesn't hold or Inflight doesn't serve");
  default: order(event); return Error::success();
  }
}

Expected<PlayResult> Player::run() {
  if (ifl_context_create(&context) != IFL_OK)
    return capiError();
  // Memory first, as long as this process has little of its own.
  for (const Event &event : recording.events)
    if (event.action == Action::Allocate && event.to && event.bytes)
      if (Error error = pages.map(event.to, event.bytes))
        return error;
  uint32_t lastChosen = 0;
  for (uint32_t i = 0; i < recording.launches.size(); ++i)
    lastChosen = isChosen(i) ? i : lastChosen;
  for (const Event &event : recording.events) {
    // Copies back after the last launch that is asked for still belong to it.
    if (event.action == Action::Launch && event.index > lastChosen)
      break;
    if (event.action == Action::Launch && !options.replacement.empty() && !replacement) {
      replacement.emplace();
      if (Error error = loadModule(options.replacement, *replacement))
        return makeError(options.replacementName + ": " + toString(std::move(error)));
    }
    if (Error error = playEvent(event)) {
      if (error.isA<AddressTaken>() || !event.place)
        return error;
      return makeError(recording.path + ": byte " + Twine(event.place) +
                       " of events.bin: " + toString(std::move(error)));
    }
  }
  return result;
}

Expected<PlayResult> play(const Recording &recording, const PlayOptions &options, raw_ostream &os,
                          function_ref<void(json::Object)> log) {
  return Player(recording, options, os, log).run();
}

} // namespace inflight::replay
