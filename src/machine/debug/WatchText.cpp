#include "machine/debug/WatchText.h"

#include "machine/debug/ValueText.h"
#include "support/Plural.h"
#include "support/report/Excerpt.h"
#include "llvm/ADT/bit.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight::machine::debug {

/// "0, 2-5, 63".
static std::string lanesText(uint64_t lanes) {
  if (!lanes)
    return "a scalar store";
  std::string text;
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    unsigned last = lane;
    while (last < Lanes && (lanes >> last & 1))
      ++last;
    if (last == lane)
      continue;
    text += (text.empty() ? "" : ", ") + std::to_string(lane);
    if (last > lane + 1)
      text += "-" + std::to_string(last - 1);
    lane = last;
  }
  return (popcount(lanes) == 1 ? "lane " : "lanes ") + text;
}

static std::string workgroupText(ArrayRef<uint32_t> id) {
  return formatv("workgroup ({0}, {1}, {2})", id[0], id[1], id[2]);
}

/// Dwords, or what is less as one number.
static std::string bytesText(ArrayRef<uint8_t> bytes) {
  const size_t unit = bytes.size() % 4 ? std::min<size_t>(8, bytes.size()) : 4;
  std::string text;
  for (size_t at = 0; at < bytes.size(); at += unit) {
    uint64_t bits = 0;
    std::memcpy(&bits, bytes.data() + at, std::min(unit, bytes.size() - at));
    text += (at ? " " : "") + elementText("", bits, std::min(unit, bytes.size() - at));
  }
  return text;
}

std::string watchHeading(const WatchReport &watch) {
  std::string text = "watch " + watch.range.place(watch.range.begin) + formatv("-0x{0:x-}", watch.range.end).str();
  return watch.range.isLds ? text + " of " + workgroupText(watch.workgroup) : text;
}

void writeLastWritten(raw_ostream &os, const WatchReport &watch) {
  for (const LastWritten &piece : watch.lastWritten) {
    os << formatv("  0x{0:x-}-0x{1:x-} ", piece.begin, piece.end);
    if (!piece.op) {
      os << "never written\n";
      continue;
    }
    os << "last written by ";
    if (!watch.range.isLds)
      os << workgroupText(piece.workgroup) << ", ";
    os << "wave " << piece.wave << ", " << lanesText(piece.lanes)
       << formatv("\n    at 0x{0:x-}: {1}", piece.place.address, piece.place.instruction);
    if (!piece.place.source.file.empty())
      os << "  (" << placeText(piece.place.source) << ')';
    os << '\n';
  }
}

static void writeWrite(raw_ostream &os, const WatchReport &watch, const WriteRecord &write) {
  os << formatv("  at 0x{0:x-}: {1}\n", write.place.address, write.place.instruction);
  if (!write.place.source.file.empty())
    os << "    from " << placeText(write.place.source) << '\n';
  os << "    ";
  if (!watch.range.isLds)
    os << workgroupText(write.workgroup) << ", ";
  os << "wave " << write.wave << '\n';
  constexpr size_t most = 8;
  for (const WrittenCell &cell : ArrayRef(write.cells).take_front(most)) {
    const bool isUnknown = watch.range.isLds && !cell.wasWritten;
    os << formatv("    0x{0:x-}  {1} -> {2}  {3}{4}\n", cell.offset,
                  isUnknown ? "never written" : bytesText(cell.before), bytesText(cell.after), lanesText(cell.lanes),
                  popcount(cell.lanes) > 1 && !write.isAtomic ? ", the last one wins" : "");
  }
  if (write.cells.size() > most)
    os << "    and " << counted(write.cells.size() - most, "more place") << '\n';
}

void writeWrites(raw_ostream &os, const WatchReport &watch) {
  if (!watch.writes) {
    os << ": never written\n";
    return;
  }
  os << ": " << counted(watch.writes, "write");
  if (watch.last.size() < watch.writes)
    os << ", the last " << watch.last.size();
  os << '\n';
  for (const WriteRecord &write : watch.last)
    writeWrite(os, watch, write);
  writeLastWritten(os, watch);
}

} // namespace inflight::machine::debug
