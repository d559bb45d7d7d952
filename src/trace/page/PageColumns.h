// Columns of numbers, each a string of variable-length integers: seven bits a byte, the least significant first.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace inflight::trace {

class Column {
public:
  void put(uint64_t value) {
    while (value >= 0x80) {
      bytes.push_back(uint8_t(value) | 0x80);
      value >>= 7;
    }
    bytes.push_back(uint8_t(value));
  }
  /// Small numbers of either sign take few bytes: 0, -1, 1, -2 ...
  void putSigned(int64_t value) { put(uint64_t(value) << 1 ^ uint64_t(value >> 63)); }
  size_t size() const { return bytes.size(); }
  void clear() { bytes.clear(); }
  const std::vector<uint8_t> &data() const { return bytes; }

private:
  std::vector<uint8_t> bytes;
};

/// How many columns, their sizes, then their bytes.
template <typename Columns> void appendColumns(const Columns &columns, std::vector<uint8_t> &out) {
  Column head;
  head.put(std::size(columns));
  for (const Column &column : columns)
    head.put(column.size());
  out.insert(out.end(), head.data().begin(), head.data().end());
  for (const Column &column : columns)
    out.insert(out.end(), column.data().begin(), column.data().end());
}

} // namespace inflight::trace
