#include "lint/ProgramLine.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/SHA256.h"
#include <map>
#include <numeric>

using namespace llvm;

namespace inflight::lint {

static json::Object lineOf(const LintRequest &request, StringRef path, int status) {
  return json::Object{{"path", path.str()}, {"version", request.version}, {"rules", request.rules}, {"status", status}};
}

std::string codeHash(const Program &program, StringRef bytes) {
  using Header = object::ELF64LE::Ehdr;
  if (program.isAssembly() || bytes.size() < sizeof(Header) ||
      reinterpret_cast<const Header *>(bytes.data())->e_type != ELF::ET_DYN)
    return "";
  SHA256 hash;
  hash.update(program.isa().target().chip);
  for (const Instruction &instruction : program.instructions())
    hash.update(bytes.substr(instruction.offset, instruction.length));
  auto number = [&](uint64_t value) { hash.update(StringRef(reinterpret_cast<const char *>(&value), sizeof(value))); };
  for (const Block &block : program.blocks()) {
    for (uint64_t value : {uint64_t(block.begin), uint64_t(block.end), uint64_t(block.function), uint64_t(block.ending),
                           uint64_t(block.isElsewhere), uint64_t(block.successors.size())})
      number(value);
    for (const Edge &edge : block.successors)
      number(uint64_t(edge.block) << 32 | unsigned(edge.kind));
  }
  for (const Function &f : program.functions())
    for (unsigned value :
         {f.entry, unsigned(f.isKernel), unsigned(f.isOpen), unsigned(f.isVisible), f.ldsBytes, f.maxWorkgroupLanes,
          unsigned(f.statesLanes), f.workgroupSize[0], f.workgroupSize[1], f.workgroupSize[2], f.workitemIdDims})
      number(value);
  return toHex(hash.final(), /*LowerCase=*/true);
}

json::Object programLine(const LintRequest &request, const ServedProgram &served) {
  const Program &program = served.program;
  json::Object line = lineOf(request, served.path, served.status);
  line["file"] = program.name().str();
  line["chip"] = program.isa().target().chip;
  line["sha256"] = toHex(SHA256::hash(arrayRefFromStringRef(served.bytes)), /*LowerCase=*/true);
  line["instructions"] = program.instructions().size();
  if (!program.isAssembly())
    line["code_bytes"] =
        std::accumulate(program.instructions().begin(), program.instructions().end(), uint64_t(0),
                        [](uint64_t sum, const Instruction &instruction) { return sum + instruction.length; });
  if (!served.codeHash.empty())
    line["code_sha256"] = served.codeHash;
  if (served.isKnown)
    line["known"] = true;
  line["seconds"] = served.seconds;
  line["peak_bytes"] = served.peakBytes;
  json::Array kernels;
  for (const Function &function : program.functions())
    if (function.isKernel)
      kernels.push_back(function.name);
  line["kernels"] = std::move(kernels);
  std::map<std::string, uint64_t> counts;
  for (const ReportItem &item : served.items)
    ++counts[item.rule];
  json::Object byRule;
  for (const auto &[rule, count] : counts)
    byRule[rule] = count;
  line["counts"] = std::move(byRule);
  json::Array findings;
  for (const ReportItem &item : served.items.take_front(request.maxFindings))
    findings.push_back(findingObject(item));
  line["findings"] = std::move(findings);
  return line;
}

json::Object errorLine(const LintRequest &request, StringRef path, StringRef error) {
  json::Object line = lineOf(request, path, unusableStatus);
  line["error"] = error.trim().str();
  return line;
}

} // namespace inflight::lint
