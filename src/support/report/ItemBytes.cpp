#include "support/report/ItemBytes.h"

#include "llvm/Support/raw_ostream.h"
#include <type_traits>

using namespace llvm;

namespace inflight {

namespace {

struct Writer {
  raw_ostream &os;
  void number(uint64_t n) { os.write(reinterpret_cast<const char *>(&n), sizeof n); }
  template <class T> void operator()(const T &value) {
    if constexpr (std::is_same_v<T, std::string>) {
      number(value.size());
      os << value;
    } else {
      number(uint64_t(value));
    }
  }
  template <class T, class Visit> void each(const std::vector<T> &list, Visit visit) {
    number(list.size());
    for (const T &one : list)
      visit(one);
  }
  template <class T> void operator()(const std::optional<T> &value) {
    number(value.has_value());
    if (value)
      number(*value);
  }
};

struct Reader {
  StringRef left;
  bool isBroken = false;
  uint64_t number() {
    uint64_t n = 0;
    isBroken |= left.size() < sizeof n;
    if (!isBroken) {
      memcpy(&n, left.data(), sizeof n);
      left = left.drop_front(sizeof n);
    }
    return n;
  }
  template <class T> void operator()(T &value) {
    const uint64_t n = number();
    if constexpr (std::is_same_v<T, std::string>) {
      isBroken |= n > left.size();
      if (!isBroken) {
        value = left.take_front(n).str();
        left = left.drop_front(n);
      }
    } else {
      value = T(n);
    }
  }
  template <class T, class Visit> void each(std::vector<T> &list, Visit visit) {
    for (uint64_t n = number(); n != 0 && !isBroken; --n)
      visit(list.emplace_back());
  }
  template <class T> void operator()(std::optional<T> &value) {
    if (number())
      value = T(number());
  }
};

} // namespace

template <class Archive, class Place> static void visitPlace(Archive &archive, Place &place) {
  archive(place.source.file);
  archive(place.source.line);
  archive(place.source.column);
  archive(place.address);
  archive(place.instruction);
}

template <class Archive, class Item> static void visitItem(Archive &archive, Item &item) {
  archive(item.rule);
  archive(item.message);
  visitPlace(archive, item.place);
  archive(item.hint);
  archive.each(item.related, [&](auto &related) {
    archive(related.first);
    visitPlace(archive, related.second);
  });
  archive.each(item.facts, [&](auto &fact) {
    archive(fact.first);
    archive(fact.second);
  });
  archive(item.level);
  archive(item.artifact);
  archive(item.number);
  archive.each(item.coveredBy, [&](auto &number) { archive(number); });
}

std::string bytesOf(ArrayRef<ReportItem> items) {
  std::string bytes;
  raw_string_ostream os(bytes);
  Writer writer{os};
  writer.number(items.size());
  for (const ReportItem &item : items)
    visitItem(writer, item);
  return bytes;
}

std::optional<std::vector<ReportItem>> itemsOf(StringRef bytes) {
  Reader reader{bytes};
  std::vector<ReportItem> items;
  reader.each(items, [&](ReportItem &item) { visitItem(reader, item); });
  if (reader.isBroken || !reader.left.empty())
    return std::nullopt;
  return items;
}

} // namespace inflight
