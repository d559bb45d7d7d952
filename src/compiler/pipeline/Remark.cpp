#include "compiler/pipeline/Remark.h"

#include "compiler/pipeline/Attributes.h"
#include "mlir/IR/Builders.h"

using namespace mlir;

namespace inflight {

void addRemark(Operation *kernel, Location at, StringRef pass, bool isMissed, StringRef name,
               ArrayRef<std::pair<StringRef, std::string>> parts) {
  Builder builder(kernel->getContext());
  SmallVector<Attribute> remarks, texts;
  if (auto known = kernel->getAttrOfType<ArrayAttr>(attr::remarks))
    remarks.append(known.begin(), known.end());
  for (const auto &[key, value] : parts) {
    texts.push_back(builder.getStringAttr(key));
    texts.push_back(builder.getStringAttr(value));
  }
  remarks.push_back(builder.getDictionaryAttr({builder.getNamedAttr("at", LocationAttr(at)),
                                               builder.getNamedAttr("missed", builder.getBoolAttr(isMissed)),
                                               builder.getNamedAttr("pass", builder.getStringAttr(pass)),
                                               builder.getNamedAttr("name", builder.getStringAttr(name)),
                                               builder.getNamedAttr("parts", builder.getArrayAttr(texts))}));
  kernel->setAttr(attr::remarks, builder.getArrayAttr(remarks));
}

} // namespace inflight
