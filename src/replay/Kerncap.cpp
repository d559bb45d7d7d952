// One dispatch, as AMDResearch/intellikit's kerncap records it: dispatch.json, kernarg.bin, kernel.hsaco,
// memory_regions.json with memory/region_ADDRESS.bin, and module_variables.json where variables were snapshot. What
// `kerncap-replay --dump-output` left in output/ is what memory has to be afterwards. Source: kerncap/src/replay.cpp.
#include "replay/Recording.h"
#include "support/Diagnostics.h"
#include "support/files/JsonFile.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace inflight::replay {

static Expected<json::Object> readObject(const Recording &recording, const std::string &path) {
  Expected<std::string> text = readRecordedFile(recording, path);
  if (!text)
    return text.takeError();
  Expected<json::Value> value = parseJson(*text, path);
  if (!value)
    return value.takeError();
  if (!value->getAsObject())
    return makeError(path + ": an object is needed");
  return std::move(*value->getAsObject());
}

/// An address or a size, which JSON's readers take for a double or a negative number where they are large.
static std::optional<uint64_t> number(const json::Object &object, StringRef key) {
  const json::Value *value = object.get(key);
  return value ? value->getAsUINT64() : std::nullopt;
}

static Error readShape(const json::Object &dispatch, StringRef key, const std::string &path,
                       std::array<uint32_t, 3> &shape) {
  const json::Array *list = dispatch.getArray(key);
  shape = {1, 1, 1};
  if (!list || list->empty() || list->size() > 3)
    return makeError(path + ": '" + key + "' isn't a list of one to three sizes");
  for (size_t i = 0; i < list->size(); ++i) {
    const std::optional<int64_t> size = (*list)[i].getAsInteger();
    if (!size || *size < 1 || *size > UINT32_MAX)
      return makeError(path + ": '" + key + "' has a size that isn't one");
    shape[i] = uint32_t(*size);
  }
  return Error::success();
}

/// Memory, what is in it, and what has to be in it afterwards.
static Error readRegions(Recording &recording, std::vector<Event> &after) {
  const std::string path = recording.path + "/memory_regions.json";
  Expected<json::Object> object = readObject(recording, path);
  if (!object)
    return object.takeError();
  const json::Array *regions = object->getArray("regions");
  if (!regions)
    return makeError(path + ": there is no list 'regions'");
  for (const json::Value &value : *regions) {
    const json::Object *region = value.getAsObject();
    const std::optional<uint64_t> base = region ? number(*region, "base") : std::nullopt;
    const std::optional<uint64_t> size = region ? number(*region, "size") : std::nullopt;
    if (!base || !size || !*size || *base + *size < *base)
      return makeError(path + ": a region without 'base' and 'size'");
    Event event;
    event.action = Action::Allocate;
    event.to = *base;
    event.bytes = *size;
    recording.events.push_back(event);
    const std::string name = formatv("region_{0:x-}.bin", *base);
    recording.files[name] = recording.path + "/memory/" + name;
    event.action = Action::Copy;
    event.data = name;
    event.isInput = true;
    recording.events.push_back(event);
    const std::string dumped = recording.path + "/output/" + name;
    if (!sys::fs::exists(dumped))
      continue;
    event.action = Action::Compare;
    event.data.clear();
    event.expected = "output/" + name;
    recording.files[event.expected] = dumped;
    after.push_back(event);
  }
  return Error::success();
}

static Error readVariables(Recording &recording) {
  const std::string path = recording.path + "/module_variables.json";
  if (!sys::fs::exists(path))
    return Error::success();
  Expected<json::Object> object = readObject(recording, path);
  if (!object)
    return object.takeError();
  const json::Array *variables = object->getArray("variables");
  if (!variables)
    return makeError(path + ": there is no list 'variables'");
  // Any addresses that nothing else has: copies go to variables by them.
  uint64_t place = 1;
  for (const json::Value &value : *variables) {
    const json::Object *variable = value.getAsObject();
    const std::optional<uint64_t> size = variable ? number(*variable, "size") : std::nullopt;
    const StringRef name = variable ? variable->getString("name").value_or("") : "";
    const StringRef blob = variable ? variable->getString("blob").value_or("") : "";
    if (name.empty() || blob.empty() || !size || *size > UINT32_MAX)
      return makeError(path + ": a variable without 'name', 'size' and 'blob'");
    if (sys::path::is_absolute(blob))
      return makeError(path + ": '" + blob + "' leads out of the recording's folder: it isn't read");
    Event event;
    event.action = Action::Variable;
    event.name = name.str();
    event.to = place;
    event.bytes = *size;
    recording.events.push_back(event);
    event.action = Action::Copy;
    event.data = blob.str();
    event.isInput = true;
    recording.files[blob] = recording.path + "/" + blob.str();
    recording.events.push_back(event);
    place += *size + 1;
  }
  return Error::success();
}

Expected<Recording> readKerncap(StringRef folder) {
  Recording recording;
  recording.path = folder.str();
  recording.kind = "kerncap";
  const std::string path = recording.path + "/dispatch.json";
  Expected<json::Object> dispatch = readObject(recording, path);
  if (!dispatch)
    return dispatch.takeError();
  Launch launch;
  launch.kernel = dispatch->getString("mangled_name").value_or("").str();
  if (launch.kernel.empty())
    return makeError(path + ": there is no 'mangled_name'");
  std::array<uint32_t, 3> lanes;
  if (Error error = readShape(*dispatch, "grid", path, lanes))
    return error;
  if (Error error = readShape(*dispatch, "block", path, launch.block))
    return error;
  for (unsigned i = 0; i < 3; ++i) {
    // A dispatch's grid is in lanes. Workgroups that aren't full are another launch.
    if (lanes[i] % launch.block[i])
      return makeError(path + ": a grid of " + Twine(lanes[i]) + " lanes isn't a multiple of the workgroup's " +
                       Twine(launch.block[i]) + ", which isn't supported");
    launch.grid[i] = lanes[i] / launch.block[i];
  }
  launch.ldsBytes = uint32_t(number(*dispatch, "group_segment_size").value_or(0));
  launch.isAllLds = true;
  Expected<std::string> segment = readRecordedFile(recording, recording.path + "/kernarg.bin");
  if (!segment)
    return segment.takeError();
  launch.arguments.emplace_back(segment->begin(), segment->end());
  launch.isSegment = true;
  std::vector<Event> after;
  if (Error error = readRegions(recording, after))
    return error;
  Event event;
  event.action = Action::Load;
  event.data = "kernel.hsaco";
  recording.files[event.data] = recording.path + "/kernel.hsaco";
  recording.events.push_back(event);
  if (Error error = readVariables(recording))
    return error;
  event = {};
  event.action = Action::Launch;
  recording.events.push_back(event);
  recording.launches.push_back(std::move(launch));
  recording.events.insert(recording.events.end(), after.begin(), after.end());
  return recording;
}

} // namespace inflight::replay
