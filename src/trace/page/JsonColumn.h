// One number or text of each row as an array: a page's JSON has columns, which pack better than rows.
#pragma once

#include "llvm/Support/JSON.h"

namespace inflight::trace {

template <typename Rows, typename Get>
void writeColumn(llvm::json::OStream &json, llvm::StringRef name, const Rows &rows, Get get) {
  json.attributeArray(name, [&] {
    for (const auto &row : rows)
      json.value(get(row));
  });
}

} // namespace inflight::trace
