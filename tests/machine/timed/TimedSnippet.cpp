#include "TimedSnippet.h"

#include "gtest/gtest.h"

using namespace llvm;

namespace inflight::machine::test {

std::vector<events::Instruction> Recording::of(StringRef text, int wave) const {
  std::vector<events::Instruction> found;
  for (const events::Instruction &record : instructions)
    if ((wave < 0 || record.wave == unsigned(wave)) && StringRef(info.code[record.line].text).starts_with(text))
      found.push_back(record);
  return found;
}

double Recording::period(StringRef text, int wave) const {
  const std::vector<events::Instruction> found = of(text, wave);
  return found.size() < 2 ? 0 : double(found.back().issued - found.front().issued) / double(found.size() - 1);
}

std::string repeat(unsigned count, const std::string &text) {
  std::string all;
  for (unsigned i = 0; i < count; ++i)
    all += text + "\n";
  return all;
}

Recording runTimed(const TimedSnippet &snippet, std::string *message) {
  Recording recording;
  auto fail = [&](Error error) {
    std::string text = toString(std::move(error));
    if (message)
      *message = text;
    else
      ADD_FAILURE() << text << "\nin:\n" << snippet.body;
    return std::move(recording);
  };
  const std::string body = "  s_load_dwordx2 s[2:3], s[0:1], 0x0\n  v_and_b32 v1, 63, v0\n  v_lshlrev_b32 v1, 2, v1\n  "
                           "s_waitcnt lgkmcnt(0)\n" +
                           snippet.body;
  Expected<CodeObject> object = assembleKernel(snippet.chip, body, snippet.directives);
  if (!object)
    return fail(object.takeError());
  Memory memory;
  Expected<uint64_t> buffer = memory.allocate(snippet.bytes);
  if (!buffer)
    return fail(buffer.takeError());
  LaunchConfig config;
  config.block = {64 * snippet.waves, 1, 1};
  config.grid = {snippet.workgroups, 1, 1};
  config.maxInstructions = snippet.maxInstructions;
  config.threads = snippet.threads;
  const uint64_t argument = *buffer;
  timed::TimedOptions options = snippet.options;
  options.sink = &recording;
  Expected<timed::TimedStats> stats =
      timed::runTimed(*object, object->kernels()[0], config, options,
                      ArrayRef(reinterpret_cast<const uint8_t *>(&argument), 8), memory);
  if (!stats)
    return fail(stats.takeError());
  recording.stats = std::move(*stats);
  return recording;
}

} // namespace inflight::machine::test
