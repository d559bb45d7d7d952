#include "machine/debug/Places.h"

#include "support/Diagnostics.h"
#include "support/Plural.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Path.h"
#include <set>

using namespace llvm;

namespace inflight::machine::debug {

namespace {

class PlaceFinder {
public:
  PlaceFinder(StringRef place, const PreparedLaunch &launch, const SourceLines *lines)
      : place(place), launch(launch), code(launch.code), lines(lines) {}

  Expected<std::vector<uint64_t>> find() const {
    if (place == "end")
      return atEnd();
    const auto [file, number] = place.rsplit(':');
    unsigned line;
    if (!number.empty() && !number.getAsInteger(10, line))
      return ofLine(file, line);
    if (uint64_t address; !place.empty() && isDigit(place.front())) {
      if (!place.starts_with("0x") || place.getAsInteger(0, address))
        return makeError("'" + place + "' is no address: they are like 0x1760");
      return atAddress(address);
    }
    return atLabel();
  }

private:
  Expected<std::vector<uint64_t>> atAddress(uint64_t address) const {
    const uint64_t begin = code.addressOf(code.begin()), end = begin + 4 * (code.end() - code.begin());
    if (address < begin || address >= end)
      return makeError(formatv("no code at {0}: it is from 0x{1:x-} to 0x{2:x-}", place, begin, end));
    if (address % 4 == 0 && code.describe(code.at(address)))
      return std::vector{address};
    for (uint64_t before = address & ~uint64_t(3); before >= begin; before -= 4)
      if (const Op *op = code.at(before); code.describe(op)) {
        if (before + 4 * op->slots > address)
          return makeError(
              formatv("no instruction begins at {0}: it is within 0x{1:x-}: {2}", place, before, code.text(op)));
        break;
      }
    return makeError("no instruction begins at " + place + ": there is data");
  }

  std::vector<uint64_t> atEnd() const {
    std::vector<uint64_t> found;
    code.forEachInstruction([&](const Op &op, const Isa &isa, const MCInst &inst) {
      if (isa.desc(inst.getOpcode()).isEndOfProgram)
        found.push_back(code.addressOf(&op));
    });
    return found;
  }

  /// Names of functions and labels, and `.L1a4` as `inflight dis` calls the targets of branches.
  Expected<std::vector<uint64_t>> atLabel() const {
    const CodeObject &object = *launch.object;
    for (const Symbol &symbol : object.symbols())
      if (symbol.name == place && symbol.address >= object.textAddress() &&
          symbol.address < object.textAddress() + object.textSize())
        return entry(symbol.address);
    uint64_t offset;
    if (StringRef number = place;
        number.consume_front(".L") && !number.getAsInteger(16, offset) && offset < object.textSize())
      return atAddress(object.textAddress() + offset);
    if (Expected<const Kernel *> kernel = object.findKernel(place))
      return entry((*kernel)->entryAddress);
    else
      consumeError(kernel.takeError());
    return makeError("no label '" + place + "' in the code: names that begin with .L aren't kept in a code object; " +
                     "`inflight dis --addresses` shows what there is");
  }

  /// A kernel whose arguments are preloaded begins later.
  std::vector<uint64_t> entry(uint64_t address) const {
    return {address == launch.kernel->entryAddress ? launch.entryAddress() : address};
  }

  static bool isFile(StringRef full, StringRef given) {
    given.consume_front("./");
    return full == given || (full.ends_with(given) && full.drop_back(given.size()).ends_with("/"));
  }

  Expected<std::vector<uint64_t>> ofLine(StringRef file, unsigned line) const {
    if (!lines || !lines->hasAny())
      return makeError(place + ": the code object has no debug information: compile with -g, or give an address");
    std::vector<uint64_t> found;
    std::set<unsigned> withCode;
    std::set<std::string> names;
    bool isWithin = false;
    code.forEachInstruction([&](const Op &op, const Isa &, const MCInst &) {
      bool isMeant = false;
      for (const SourceLocation &frame : lines->frames(code.addressOf(&op))) {
        names.insert(sys::path::filename(frame.file).str());
        if (!isFile(frame.file, file))
          continue;
        withCode.insert(frame.line);
        isMeant |= frame.line == line;
      }
      if (isMeant && !isWithin)
        found.push_back(code.addressOf(&op));
      isWithin = isMeant;
    });
    if (!found.empty())
      return found;
    if (!withCode.empty())
      return makeError("no instruction is of " + place + nearest(withCode, line));
    return makeError("no instruction is of a file '" + file + "'; there are " + join(names, ", "));
  }

  static std::string nearest(const std::set<unsigned> &withCode, unsigned line) {
    const auto after = withCode.lower_bound(line);
    std::string text;
    if (after != withCode.begin())
      text = "; the line before it with code is " + std::to_string(*std::prev(after));
    if (after != withCode.end())
      text += "; the line after it with code is " + std::to_string(*after);
    return text;
  }

  StringRef place;
  const PreparedLaunch &launch;
  const Code &code;
  const SourceLines *lines;
};

} // namespace

Expected<std::vector<uint64_t>> findPlaces(StringRef place, const PreparedLaunch &launch, const SourceLines *lines) {
  return PlaceFinder(place, launch, lines).find();
}

Error checkSelection(const Selection &waves, const PreparedLaunch &launch) {
  const LaunchConfig &config = *launch.config;
  if (waves.workgroup)
    for (unsigned dim = 0; dim < 3; ++dim)
      if ((*waves.workgroup)[dim] >= config.grid[dim])
        return makeError(formatv("there is no workgroup ({0}, {1}, {2}): the grid is {3} x {4} x {5}",
                                 (*waves.workgroup)[0], (*waves.workgroup)[1], (*waves.workgroup)[2], config.grid[0],
                                 config.grid[1], config.grid[2]));
  const uint64_t lanes = uint64_t(config.block[0]) * config.block[1] * config.block[2];
  if (waves.wave && *waves.wave >= divideCeil(lanes, Lanes))
    return makeError("there is no wave " + Twine(*waves.wave) + ": a workgroup has " +
                     counted(divideCeil(lanes, Lanes), "wave"));
  return Error::success();
}

} // namespace inflight::machine::debug
