#include "probes/Bench.h"

#include "program/assemble/Assembler.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include <algorithm>
#include <cstring>

using namespace llvm;

namespace inflight::probes {

double Samples::span(unsigned sample) const {
  uint64_t begin = ~uint64_t(0), end = 0;
  for (unsigned wave = 0; wave < waves; ++wave) {
    begin = std::min(begin, at(0, wave, sample).begin);
    end = std::max(end, at(0, wave, sample).end);
  }
  return double(int64_t(end - begin));
}

Expected<StringRef> CodeCache::get(const Variant &variant, StringRef chip) {
  std::string text = expand(variant, chip);
  auto found = made.find(text);
  if (found != made.end())
    return found->second;
  Expected<const Isa *> isa = Isa::get(chip);
  if (!isa)
    return isa.takeError();
  Expected<std::string> object = assembleObject(**isa, text, "probe " + variant.probe, TextFrom::Inflight);
  if (!object) {
    // The first error, its line and caret: the others come from the same line again and again.
    const std::string all = toString(object.takeError());
    SmallVector<StringRef, 4> lines;
    StringRef(all).split(lines, '\n', 3);
    lines.resize(std::min<size_t>(lines.size(), 3));
    return makeError("kernel of probe " + variant.probe + ": " + join(lines, "\n"));
  }
  Expected<std::string> linked = linkCodeObject(*object);
  if (!linked)
    return linked.takeError();
  if (!assemblyDirectory.empty()) {
    SmallString<128> path(assemblyDirectory);
    sys::path::append(path, variant.probe + "-" + std::to_string(made.size()) + ".s");
    if (Error error = writeFileAtomically(path, text))
      return std::move(error);
  }
  return made.emplace(std::move(text), std::move(*linked)).first->second;
}

Expected<Samples> Bench::tryRun(const Work &work) {
  const Variant &variant = work.variant;
  Expected<StringRef> bytes = code.get(variant, chip());
  if (!bytes)
    return bytes.takeError();
  Expected<std::unique_ptr<device::Module>> module = device.load(*bytes);
  if (!module)
    return module.takeError();
  Samples samples;
  samples.waves = variant.waves;
  samples.all.resize(size_t(work.workgroups) * variant.waves * samplesPerWave);
  static_assert(sizeof(Sample) == bytesPerSample);
  MutableArrayRef<uint8_t> raw(reinterpret_cast<uint8_t *>(samples.all.data()), samples.all.size() * bytesPerSample);
  Expected<uint64_t> results = device.allocate(raw.size());
  if (!results)
    return results.takeError();
  auto releaseResults = make_scope_exit([&] { consumeError(device.release(*results)); });
  Expected<uint64_t> data = device.allocate(work.dataBytes);
  if (!data)
    return data.takeError();
  auto releaseData = make_scope_exit([&] { consumeError(device.release(*data)); });
  if (!work.data.empty())
    if (Error error = device.copyTo(
            *data, {reinterpret_cast<const uint8_t *>(work.data.data()), work.data.size() * sizeof(uint32_t)}))
      return std::move(error);
  const uint64_t arguments[] = {*results, *data};
  device::Launch launch;
  launch.grid = {work.workgroups, 1, 1};
  launch.block = {64 * variant.waves, 1, 1};
  ++launched;
  if (Error error =
          device.launch(**module, "probe", launch, {reinterpret_cast<const uint8_t *>(arguments), sizeof(arguments)}))
    return std::move(error);
  if (Error error = device.synchronise())
    return std::move(error);
  if (Error error = device.copyFrom(*results, raw))
    return std::move(error);
  return samples;
}

Samples Bench::run(const Work &work) {
  if (!failed()) {
    Expected<Samples> samples = tryRun(work);
    if (samples)
      return std::move(*samples);
    fail(samples.takeError());
  }
  Samples none;
  none.waves = work.variant.waves;
  none.all.resize(size_t(work.workgroups) * work.variant.waves * samplesPerWave);
  return none;
}

double Bench::cycles(const Work &work) {
  const Samples samples = run(work);
  double best = samples.span(1);
  for (unsigned sample = 2; sample < samplesPerWave; ++sample)
    best = std::min(best, samples.span(sample));
  return best;
}

double Bench::each(const Work &work, unsigned few, unsigned many) {
  return (cycles(work.with("COUNT", many)) - cycles(work.with("COUNT", few))) / (many - few);
}

void Bench::fail(Error error) {
  if (failed())
    return consumeError(std::move(error));
  message = toString(std::move(error));
}

Error Bench::takeError() {
  if (!failed())
    return Error::success();
  return makeError(std::exchange(message, {}));
}

} // namespace inflight::probes
