#include "compiler/lir/Remarks.h"

#include "compiler/lir/Lir.h"
#include "llvm/Remarks/Remark.h"
#include "llvm/Remarks/RemarkFormat.h"
#include "llvm/Remarks/RemarkSerializer.h"

using namespace llvm;

namespace inflight::lir {

std::string Function::textOf(Place at) const {
  const std::string text = std::to_string(at.line) + ":" + std::to_string(at.column);
  return at.file ? fileOf(at).str() + ":" + text : text;
}

static Place placeIn(const Function &function, const Remark &remark) {
  return remark.place.known() ? remark.place : function.place;
}

void printRemarks(const Function &function, StringRef file, raw_ostream &os) {
  for (const Remark &remark : function.remarks.list()) {
    const Place place = placeIn(function, remark);
    if (!place.file)
      os << file << ':';
    if (place.known())
      os << function.textOf(place) << ':';
    const StringRef option = remark.kind == Remark::Kind::Passed   ? "-Rpass"
                             : remark.kind == Remark::Kind::Missed ? "-Rpass-missed"
                                                                   : "-Rpass-analysis";
    os << " remark: " << remark.message() << " [" << option << '=' << remark.pass << "]\n";
  }
}

void printRemarksAsYaml(const Function &function, StringRef file, raw_ostream &os) {
  std::unique_ptr<remarks::RemarkSerializer> serializer =
      cantFail(remarks::createRemarkSerializer(remarks::Format::YAML, os));
  auto located = [&](Place place) -> std::optional<remarks::RemarkLocation> {
    if (!place.known())
      return std::nullopt;
    return remarks::RemarkLocation{place.file ? function.fileOf(place) : file, place.line, place.column};
  };
  for (const Remark &remark : function.remarks.list()) {
    remarks::Remark out;
    out.RemarkType = remark.kind == Remark::Kind::Passed   ? remarks::Type::Passed
                     : remark.kind == Remark::Kind::Missed ? remarks::Type::Missed
                                                           : remarks::Type::Analysis;
    out.PassName = remark.pass;
    out.RemarkName = remark.name;
    out.FunctionName = function.name;
    out.Loc = located(placeIn(function, remark));
    for (const Remark::Argument &argument : remark.arguments) {
      out.Args.emplace_back(argument.key, argument.value);
      out.Args.back().Loc = located(argument.place);
    }
    serializer->emit(out);
  }
}

} // namespace inflight::lir
