// Launches: arguments to a kernarg segment, the run, what it found and how long it took.
#include "capi/Launch.h"

#include "machine/PreparedLaunch.h"
#include "machine/check/Report.h"
#include "machine/timed/TimedJson.h"
#include "program/read/KernelText.h"
#include "support/Diagnostics.h"
#include "support/report/Report.h"
#include "support/report/SourceText.h"
#include "trace/page/HtmlPage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include <thread>

using namespace llvm;
using namespace inflight;
using namespace inflight::capi;

/// The segment, without hidden arguments.
static Expected<std::vector<uint8_t>> segmentOf(const Kernel &kernel, const ifl_launch &launch) {
  Expected<size_t> size = kernargBytes(kernel);
  if (!size)
    return size.takeError();
  std::vector<uint8_t> segment(alignTo(*size, 8));
  if (launch.kernarg) {
    if (launch.argument_count)
      return makeError("a kernarg segment and arguments exclude each other");
    size_t passed = 0;
    for (const KernelArgument *parameter : passedArguments(kernel))
      passed = std::max<size_t>(passed, parameter->offset + parameter->size);
    if (launch.kernarg_bytes < passed)
      return makeError("kernel '" + kernel.name + "': a kernarg segment of " + Twine(launch.kernarg_bytes) +
                       " bytes is given; its arguments have " + Twine(passed) + ":" + signatureText(kernel));
    std::copy_n(static_cast<const uint8_t *>(launch.kernarg), std::min<size_t>(launch.kernarg_bytes, segment.size()),
                segment.data());
    return segment;
  }
  const std::vector<const KernelArgument *> parameters = passedArguments(kernel);
  if (parameters.size() != launch.argument_count)
    return makeError("kernel '" + kernel.name + "' takes " + Twine(parameters.size()) + " arguments, " +
                     Twine(launch.argument_count) + " were given:" + signatureText(kernel));
  for (auto [number, parameter] : enumerate(parameters)) {
    const void *value = launch.arguments[number];
    if (!value)
      return makeError("kernel '" + kernel.name + "': " + numberedArgument(number, *parameter) + " has no value");
    std::memcpy(segment.data() + parameter->offset, value, parameter->size);
  }
  return segment;
}

/// The findings as a list, and as people read them.
static void addFindings(json::Object &result, ArrayRef<machine::ReportedFinding> findings, const ifl_module &module,
                        StringRef kernel, StringRef sources) {
  const std::vector<ReportItem> items = machine::check::reportItems(findings, *module.lines, kernel);
  json::Array list;
  for (const ReportItem &item : items)
    list.push_back(findingObject(item));
  result["findings"] = std::move(list);
  if (items.empty())
    return;
  std::string text;
  raw_string_ostream os(text);
  SourceText lines(module.lines->checksums(), {sources == "off", sources.str()});
  writeReport(os, items, kernel, ReportFormat::Text, &lines);
  result["report"] = text;
}

static Expected<machine::LaunchConfig> configOf(const ifl_launch &launch, ifl_module &module) {
  machine::LaunchConfig config;
  for (unsigned i = 0; i < 3; ++i) {
    config.grid[i] = launch.grid[i];
    config.block[i] = launch.block[i];
  }
  config.dynamicLdsBytes = launch.dynamic_lds;
  config.threads = launch.threads ? launch.threads : std::max(1u, std::thread::hardware_concurrency());
  if (launch.max_steps)
    config.maxInstructions = launch.max_steps;
  config.image = module.image;
  config.decoded = &module.decoded;
  Expected<machine::check::Options> checks =
      machine::check::parseOptions(textOf(launch.checks), launch.delivery ? launch.delivery : "latest");
  if (!checks)
    return checks.takeError();
  config.checks = *checks;
  const StringRef stores = textOf(launch.stores);
  if (!stores.empty() && stores != "now" && stores != "late")
    return makeError("stores are seen now or late, not '" + stores + "'");
  config.checks.lateStores = stores == "late";
  if (config.checks.lateStores)
    config.threads = 1;
  if (launch.timed && config.checks.observes())
    return makeError("a timed launch has neither checks nor late stores: launch once with each");
  return config;
}

namespace inflight::capi {

Call::Call(ifl_module &module, const ifl_launch &given)
    : module(module),
      lock(module.context->mutex),
      mark(module.context->memory.mark()),
      interrupt([this] { return launch.interrupted(launch.interrupted_data) != 0; }) {
  std::memcpy(&launch, &given, std::min(given.size, sizeof(launch)));
}

ifl_status Call::prepare(StringRef name) {
  Expected<const Kernel *> found = module.object.findKernel(name);
  if (!found)
    return fail(IFL_NOT_FOUND, found.takeError());
  kernel = *found;
  Expected<machine::LaunchConfig> made = configOf(launch, module);
  if (!made)
    return fail(IFL_INVALID, made.takeError());
  config = std::move(*made);
  if (launch.interrupted)
    config.interrupt = &interrupt;
  if (launch.slow)
    config.onSlowProgress = [this](const std::string &text) { launch.slow(launch.slow_data, text.c_str()); };
  if (launch.heap)
    module.context->memory.setHeap(launch.heap->heap.get());
  if (launch.granule && !config.checks.has(machine::check::Kind::Memory))
    module.context->memory.setGranule(launch.granule);
  if (Error error = machine::checkLaunch(module.object, *kernel, config))
    return fail(IFL_INVALID, std::move(error));
  Expected<std::vector<uint8_t>> bytes = segmentOf(*kernel, launch);
  if (!bytes)
    return fail(IFL_INVALID, bytes.takeError());
  segment = std::move(*bytes);
  if (!launch.timed)
    return IFL_OK;
  if (Error error = timing::Device::get(module.object.chip(), textOf(launch.device)).takeError())
    return fail(IFL_INVALID, std::move(error));
  return IFL_OK;
}

machine::timed::TimedOptions Call::timedOptions() const {
  machine::timed::TimedOptions options;
  options.device = textOf(launch.device).str();
  options.clockMHz = launch.clock_mhz;
  options.sample = launch.sample;
  options.caches = launch.warm ? machine::timed::CacheState::Warm : machine::timed::CacheState::Code;
  return options;
}

ifl_status Call::failed(Error error) const {
  const bool wasInterrupted = config.interrupt && config.interrupt->isSet();
  return fail(wasInterrupted ? IFL_INTERRUPTED : IFL_FAULT, std::move(error));
}

} // namespace inflight::capi

static ifl_status runTimed(const Call &call, char **json) {
  machine::timed::TimedOptions options = call.timedOptions();
  std::unique_ptr<trace::HtmlPage> page;
  if (call.launch.html) {
    Expected<std::unique_ptr<trace::HtmlPage>> made = trace::HtmlPage::create(call.launch.html);
    if (!made)
      return fail(IFL_INVALID, made.takeError());
    page = std::move(*made);
    options.sink = page.get();
    options.lines = call.module.lines;
  }
  Expected<machine::timed::TimedStats> stats = machine::timed::runTimed(
      call.module.object, *call.kernel, call.config, options, call.segment, call.module.context->memory);
  if (!stats)
    return call.failed(stats.takeError());
  if (page)
    if (Error error = page->commit())
      return fail(IFL_INVALID, std::move(error));
  return hand(json, json::Object{{"instructions", stats->simulated.instructions + stats->rest.instructions()},
                                 {"waves", stats->simulated.waves + stats->rest.waves},
                                 {"seconds", stats->seconds},
                                 {"findings", json::Array()},
                                 {"time", machine::timed::timeObject(*stats)}});
}

ifl_status ifl_launch_kernel(ifl_module *module, const char *kernel, const ifl_launch *launch, char **json) {
  if (!module || !kernel || !launch)
    return fail(IFL_INVALID, "ifl_launch_kernel: no module, no kernel's name or no launch");
  Call call(*module, *launch);
  if (ifl_status status = call.prepare(kernel))
    return status;
  if (call.launch.timed)
    return runTimed(call, json);
  Expected<machine::RunStats> stats =
      machine::run(module->object, *call.kernel, call.config, call.segment, module->context->memory);
  if (!stats)
    return call.failed(stats.takeError());
  if (!json)
    return IFL_OK;
  json::Object result{{"instructions", stats->instructions()}, {"waves", stats->waves}, {"seconds", stats->seconds}};
  addFindings(result, stats->findings, *module, call.kernel->name, textOf(call.launch.sources));
  return hand(json, std::move(result));
}
