#include "compiler/select/emit/PassRemarks.h"

#include "compiler/pipeline/Attributes.h"

using namespace mlir;

namespace inflight::select {

void addPassRemarks(LLVM::LLVMFuncOp source, lir::Function &function, SourcePlaces &places) {
  auto remarks = source->getAttrOfType<ArrayAttr>(attr::remarks);
  if (!remarks || !function.remarks.isWanted)
    return;
  for (auto entry : remarks.getAsRange<DictionaryAttr>()) {
    auto text = [&](StringRef key) { return entry.getAs<StringAttr>(key).getValue(); };
    lir::Remark remark(entry.getAs<BoolAttr>("missed").getValue() ? lir::Remark::Kind::Missed
                                                                  : lir::Remark::Kind::Passed,
                       text("pass"), text("name"), places.of(cast<LocationAttr>(entry.get("at"))));
    const ArrayRef<Attribute> parts = entry.getAs<ArrayAttr>("parts").getValue();
    for (size_t i = 0; i + 1 < parts.size(); i += 2)
      remark.value(cast<StringAttr>(parts[i]).getValue(), cast<StringAttr>(parts[i + 1]).getValue());
    function.remarks.add(std::move(remark));
  }
}

} // namespace inflight::select
