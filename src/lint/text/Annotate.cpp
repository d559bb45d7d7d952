#include "lint/text/Annotate.h"

#include "lint/text/Verdict.h"
#include "waits/flow/Outstanding.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <map>

using namespace llvm;

namespace inflight::lint {

using namespace waits;

namespace {

class Annotate {
public:
  Annotate(raw_ostream &os, const Program &program, const Graph &graph)
      : os(os), program(program), graph(graph), where(program) {
    queues.resize(program.instructions().size());
    outstanding = findOutstanding(graph);
    for (uint32_t b = 0; b < graph.blocks.size(); ++b)
      annotateBlock(b);
  }

  void writeAssembly(StringRef source) {
    // Instructions of one line, such as those of a macro, stand on it together.
    std::map<uint32_t, std::string> byLineEnd;
    for (uint32_t i = 0; i < queues.size(); ++i) {
      if (queues[i].empty())
        continue;
      const uint32_t offset = program.instructions()[i].offset;
      size_t end = source.find('\n', offset);
      std::string &text = byLineEnd[end == StringRef::npos ? source.size() : end];
      if (text.empty())
        text = queues[i];
      else if (!StringRef(text).ends_with(queues[i]))
        text += " | " + queues[i];
    }
    size_t at = 0;
    for (const auto &[end, text] : byLineEnd) {
      size_t stop = end;
      const bool isCarriageReturn = stop > at && source[stop - 1] == '\r';
      stop -= isCarriageReturn;
      os << source.slice(at, stop);
      const size_t begin = source.rfind('\n', stop ? stop - 1 : 0);
      const size_t width = columns(source.slice(begin == StringRef::npos ? 0 : begin + 1, stop));
      os << std::string(width + 2 < column ? column - width : 2, ' ') << "; " << text << (isCarriageReturn ? "\r" : "");
      at = end;
    }
    os << source.drop_front(at);
  }

  void writeListing() {
    std::map<uint32_t, std::string> entries;
    for (const Function &function : program.functions())
      entries[program.blocks()[function.entry].begin] = function.name;
    for (uint32_t i = 0; i < queues.size(); ++i) {
      if (auto entry = entries.find(i); entry != entries.end())
        os << entry->second << ":\n";
      const std::string text = StringRef(program.text(i)).trim().str();
      os << formatv("{0,8}  {1}", where.brief(i), text);
      if (!queues[i].empty())
        os << std::string(text.size() + 12 < column ? column - text.size() - 10 : 2, ' ') << "; " << queues[i];
      os << '\n';
    }
  }

private:
  static constexpr size_t column = 64; ///< of the comments

  static size_t columns(StringRef line) {
    constexpr size_t tab = 8;
    size_t width = 0;
    for (char c : line)
      width = c == '\t' ? (width / tab + 1) * tab : width + 1;
    return width;
  }

  void annotateBlock(uint32_t b) {
    const GraphBlock &block = graph.blocks[b];
    std::string before;
    bool isChanged = true;
    for (uint32_t i = block.begin; i < block.end; ++i) {
      const Op &op = graph.ops[i];
      if (isChanged) {
        const std::string now = queueText(b, i);
        // Where the phases of a loop are alike, only the first is shown.
        std::string &queue = queues[op.instruction];
        if (now != before && queue.find(now) == std::string::npos)
          queue += (queue.empty() ? "" : " or ") + now;
        before = now;
      }
      isChanged = op.kind != Kind::None || op.registers != Kind::None || op.isWait || op.completesAll;
    }
  }

  std::string queueText(uint32_t block, uint32_t op) {
    const uint32_t instruction = graph.ops[op].instruction;
    std::string text;
    for (Counter counter : graph.counters->all()) {
      // Looking for what isn't there would take long.
      if (!outstanding[op].isPending[counter])
        continue;
      const std::vector<InFlight> operations = inFlightBefore(graph, outstanding, block, op, counter);
      if (operations.empty())
        continue;
      text += (text.empty() ? "" : "; ") + (*graph.counters)[counter].shortName().str() + ":";
      for (const OperationGroup &group : groupOperations(program, graph, operations, instruction))
        text += " " + groupText(group) + "(" + where.brief(group.first, group.last) + ")";
    }
    return text.empty() ? "nothing in flight" : text;
  }

  raw_ostream &os;
  const Program &program;
  const Graph &graph;
  Where where;
  std::vector<Outstanding> outstanding; ///< by op
  std::vector<std::string> queues;      ///< by instruction; empty: as before
};

} // namespace

void writeAnnotated(raw_ostream &os, const Program &program, const Graph &graph, StringRef source) {
  Annotate annotate(os, program, graph);
  if (program.isAssembly())
    annotate.writeAssembly(source);
  else
    annotate.writeListing();
}

} // namespace inflight::lint
