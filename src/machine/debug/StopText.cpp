#include "machine/debug/StopText.h"

#include "machine/debug/WatchText.h"
#include "support/Plural.h"
#include "support/Printable.h"
#include "support/report/Excerpt.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight::machine::debug {

void StopText::note(const std::string &text) {
  if (!isFirst)
    os << '\n';
  isFirst = false;
  os << "note: " << printable(text) << '\n';
}

/// Values that take no lines of their own.
static bool isShort(const Value &value) { return value.kind == Value::Kind::Scalar; }

void StopText::writeBold(const std::string &text) {
  if (style.hasColour)
    os.changeColor(raw_ostream::SAVEDCOLOR, /*Bold=*/true);
  os << text;
  if (style.hasColour)
    os.resetColor();
}

void StopText::writeHeading(const Stop &stop) {
  if (!isFirst)
    os << '\n';
  isFirst = false;
  const std::string place = stop.reason == StopReason::Break ? "break " + printable(stop.place)
                            : stop.reason == StopReason::End ? "end"
                                                             : "fault";
  writeBold(place +
            formatv(": workgroup ({0}, {1}, {2}), wave {3}", stop.workgroup[0], stop.workgroup[1], stop.workgroup[2],
                    stop.wave)
                .str() +
            (stop.hit > 1 ? ", hit " + std::to_string(stop.hit) : ""));
  os << formatv("\n  at 0x{0:x-}: {1}\n", stop.at.address, stop.at.instruction);
  writeSource(stop.at.source);
}

void StopText::writeSource(const SourceLocation &source) {
  if (source.file.empty())
    return;
  os << "  from " << placeText(source) << '\n';
  if (sources)
    if (const std::optional<StringRef> line = sources->line(source.file, source.line))
      writeExcerpt(os, *line, source, {style.columns, style.hasColour});
}

void StopText::writeOperands(const Stop &stop) {
  std::string reads, writes;
  auto add = [](std::string &line, const std::string &text) { line += (line.empty() ? "" : ", ") + text; };
  for (const Value &value : stop.operands) {
    if (value.isRead)
      add(reads, (isShort(value) ? registerText(value) : value.name) +
                     (value.target.empty() ? "" : " (" + value.target + ")"));
    if (value.isWritten)
      add(writes, value.name);
  }
  for (const Operand &operand : stop.longOperands) {
    if (operand.isRead)
      add(reads, regName(operand.registers));
    if (operand.isWritten)
      add(writes, regName(operand.registers));
  }
  if (!reads.empty())
    os << "  reads " << reads << '\n';
  if (!writes.empty())
    os << "  writes " << writes << '\n';
  std::string asked;
  for (const Operand &operand : stop.longOperands)
    asked += (asked.empty() ? "" : ",") + regName(operand.registers);
  if (!asked.empty())
    os << "  --dump " << asked << " shows the long ones\n";
  for (const Value &value : stop.operands) {
    // What lies within another operand is there already.
    const bool isShown = any_of(stop.operands, [&](const Value &other) {
      return other.registers.count > value.registers.count && other.registers.overlaps(value.registers);
    });
    if (!isShort(value) && !isShown)
      writeTable(os, value, stop.exec, style);
  }
}

void StopText::stopped(const Stop &stop) {
  writeHeading(stop);
  os << formatv("  exec 0x{0:x-16}: {1}\n  vcc 0x{2:x-16}, scc {3}, m0 0x{4:x-8}\n", stop.exec,
                counted(uint64_t(popcount(stop.exec)), "active lane"), stop.vcc, stop.scc, stop.m0);
  if (stop.reason == StopReason::Break)
    writeOperands(stop);
  for (const Value &value : stop.dumped)
    writeTable(os, value, stop.exec, style);
  for (const WatchReport &watch : stop.watches) {
    os << watchHeading(watch) << '\n';
    writeLastWritten(os, watch);
  }
  os.flush();
}

void StopText::watched(const WatchReport &watch) {
  if (!isFirst)
    os << '\n';
  isFirst = false;
  writeBold(watchHeading(watch));
  writeWrites(os, watch);
  os.flush();
}

} // namespace inflight::machine::debug
