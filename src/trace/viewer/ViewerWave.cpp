#include "trace/viewer/ViewerWave.h"

#include "trace/run/JsonText.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include <cerrno>
#include <fcntl.h>
#include <unistd.h>

using namespace llvm;
using namespace inflight::events;

namespace inflight::trace {

void Spool::flush() {
  // The file is closed in between: there may be more waves than a process may have files.
  const int descriptor = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0)
    failure = failure ? failure : errno;
  for (StringRef rest = buffer; !rest.empty() && !failure;) {
    const ssize_t written = ::write(descriptor, rest.data(), rest.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written < 0)
      failure = errno;
    else
      rest = rest.drop_front(size_t(written));
  }
  if (descriptor >= 0)
    ::close(descriptor);
  buffer.clear();
  spilled = true;
}

void Spool::readFileInto(Spool &other) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::string piece(limit, '\0');
  while (descriptor >= 0) {
    const ssize_t count = ::read(descriptor, piece.data(), piece.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      break;
    other.append(StringRef(piece).take_front(size_t(count)));
  }
  if (descriptor >= 0)
    ::close(descriptor);
  else
    failure = errno;
}

void Spool::moveTo(Spool &other) {
  if (spilled) {
    readFileInto(other);
    (void)sys::fs::remove(path);
  }
  other.append(buffer);
  buffer.clear();
}

/// The viewer's categories.
static unsigned viewerCategory(const Instruction &record, bool isEnd) {
  constexpr unsigned message = 11; // what thread traces have for s_endpgm
  if (isEnd)
    return message;
  switch (record.category) {
  case Category::Smem: return 1;
  case Category::Salu: return 2;
  case Category::Vmem: return 3;
  case Category::Flat: return 4;
  case Category::Lds: return 5;
  case Category::Valu:
  case Category::Matrix: // known by its name
    return 6;
  case Category::Branch: return record.taken ? 7 : 8;
  default: return 9; // immediate
  }
}

void ViewerWave::open(StringRef directory, std::string fileName, const WaveBegin &record, uint32_t first) {
  name = std::move(fileName);
  begin = record;
  time = record.time;
  firstLine = first;
  instructions.open((directory + "/" + name).str());
  timeline.open((directory + "/" + name + ".timeline").str());
  instructions.append("{\"wave\":{\"instructions\":[");
}

void ViewerWave::endState() {
  constexpr uint64_t longest = uint64_t(1) << 30; // the viewer keeps 32 bits
  while (inState) {
    const uint64_t cycles = std::min(inState, longest);
    char text[64], *at = text;
    if (anyState)
      *at++ = ',';
    anyState = true;
    *at++ = '[';
    *at++ = char('0' + unsigned(state));
    *at++ = ',';
    at = put(at, cycles);
    *at++ = ']';
    timeline.append(StringRef(text, size_t(at - text)));
    inState -= cycles;
  }
}

void ViewerWave::spend(State next, uint64_t cycles) {
  if (!cycles)
    return;
  if (next != state)
    endState();
  state = next;
  inState += cycles;
  time += cycles;
}

void ViewerWave::instruction(const Instruction &record, bool isEnd) {
  uint64_t stall = record.issued - record.arrived;
  char text[160], *at = text;
  if (count++)
    *at++ = ',';
  *at++ = '[';
  at = put(at, record.arrived);
  *at++ = ',';
  at = put(at, uint64_t(viewerCategory(record, isEnd)));
  *at++ = ',';
  constexpr uint64_t longest = 32767; // the viewer keeps 16 bits
  at = put(at, std::min(stall, longest));
  *at++ = ',';
  at = put(at, stall + record.issue);
  *at++ = ',';
  at = put(at, uint64_t(firstLine) + record.line);
  *at++ = ']';
  instructions.append(StringRef(text, size_t(at - text)));
  Count &kind = counts[size_t(record.category)];
  ++kind.number;
  kind.stall += stall;

  if (record.arrived > time)
    spend(State::Idle, record.arrived - time);
  for (Stall cause : {Stall::Waitcnt, Stall::Barrier, Stall::Sleep}) {
    const uint64_t cycles = std::min<uint64_t>(record.stalls[size_t(cause)], stall);
    spend(State::Wait, cycles);
    stall -= cycles;
  }
  spend(State::Stall, stall);
  spend(State::Exec, record.issue);
}

void ViewerWave::wait(const Wait &record) {
  auto entry = find_if(waits, [&](const auto &wait) { return wait.first == record.line; });
  if (entry == waits.end()) {
    waits.push_back({record.line, {}});
    entry = std::prev(waits.end());
  }
  for (uint32_t number : record.operations)
    if (const OpenOperation *operation = operations.find(number))
      if (!is_contained(entry->second, operation->line))
        entry->second.push_back(operation->line);
}

void ViewerWave::close(uint64_t endTime) {
  end = std::max(begin.time, endTime);
  if (end > time)
    spend(State::Idle, end - time);
  endState();
  Spool &out = instructions;
  out.append("],\"timeline\":[");
  timeline.moveTo(out);
  out.append("],\"waitcnt\":[");
  bool first = true;
  for (auto &[line, sources] : waits) {
    if (sources.empty())
      continue;
    out.append(((first ? "[" : ",[") + Twine(firstLine + line) + ",[").str());
    first = false;
    for (size_t i = 0; i < sources.size(); ++i)
      out.append(((i ? ",[" : "[") + Twine(firstLine + sources[i]) + ",0]").str());
    out.append("]]");
  }
  out.append("],\"info\":{");
  first = true;
  for (size_t i = 0; i < counts.size(); ++i) {
    if (!counts[i].number)
      continue;
    const std::string kind = events::name(Category(i)).lower();
    out.append(((first ? "\"" : ",\"") + kind + "\":" + Twine(counts[i].number) + ",\"" + kind +
                "_stall\":" + Twine(counts[i].stall))
                   .str());
    first = false;
  }
  out.append(("},\"cu\":0,\"id\":" + Twine(begin.wave) + ",\"simd\":" + Twine(unsigned(begin.simd)) +
              ",\"slot\":" + Twine(unsigned(begin.slot)) + ",\"begin\":" + Twine(begin.time) +
              ",\"end\":" + Twine(end) + ",\"workgroup_id\":" + Twine(begin.workgroup) + "},\"name\":\"SE" +
              Twine(unsigned(begin.cu)) + "\",\"duration\":" + Twine(end - begin.time) +
              ",\"num_insts\":" + Twine(count) + ",\"num_stitched\":" + Twine(count) + "}\n")
                 .str());
  out.flush();
}

} // namespace inflight::trace
