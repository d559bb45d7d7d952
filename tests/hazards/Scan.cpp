// Wait states of assembly files, relocatable objects and code objects.
//
//   hazard-scan [--known=RULE[:FOUND]]... CHIP FILE...
//   hazard-scan --spare CHIP FILE...
//   hazard-scan --insert CHIP FILE.s...
//   hazard-scan --rewrite CHIP FILE.s...
//   hazard-scan --speed CHIP FILE...
//
// Lists what is missing on any path. --known: findings of the rule (with so many wait states) that don't count.
// --spare: instead, each s_nop that no rule wants, with the instructions before and after it.
// --mutate: instead, each v_nop, s_nop and wait for the ALU without which nothing more is missing.
// --insert: instead, strips all s_nop, puts new ones in and fails if something is missing then, if that took more wait
// states than before in a function where nothing was missing, or if leaving out what isn't needed of the old ones makes
// something missing.
// --rewrite: strips and inserts as well, and writes the files.
// --speed: instead, how many instructions a second of the processor's time are read, verified and planned.
#include "hazards/NopReport.h"
#include "hazards/Nops.h"
#include "hazards/Plan.h"
#include "hazards/Verify.h"
#include "rewrite/Rewrite.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include <ctime>
#include <map>
#include <set>

using namespace llvm;
using namespace inflight;
using namespace inflight::hazards;

namespace {

class Scan {
public:
  explicit Scan(StringRef chip) : chip(chip) {}
  std::set<std::string> known;
  uint64_t scanned = 0, nops = 0, statesBefore = 0, statesAfter = 0;

  unsigned missing(const Program &program) {
    unsigned count = missingShadows(program);
    for (const Finding &finding : findings(program)) {
      const uint32_t at = finding.instruction, producer = finding.producer;
      outs() << formatv("{0}: {1}\n  {2} after {3}: {4}\n  {5} needed: {6} ({7}, {8} in time{9})\n", place(program, at),
                        program.text(at), finding.found, place(program, producer), program.text(producer),
                        finding.required, finding.rule->text, finding.rule->name, finding.elapsed,
                        finding.gravity == Gravity::Advice ? ", advice" : "");
      ++count;
    }
    return count;
  }

  /// Of chips whose hazards certain instructions end; advice isn't counted.
  unsigned missingShadows(const Program &program) {
    unsigned count = 0;
    for (const shadow::Finding &finding : verify(program).shadows) {
      using enum shadow::Finding::What;
      const uint32_t at = finding.instruction, producer = finding.producer;
      const std::string name = finding.rule ? finding.rule->name : "unjudged";
      if (known.count(name))
        continue;
      outs() << formatv("{0}: {1}\n  {2} after {3}: {4}\n  {5} needed: {6}{7}\n", place(program, at), program.text(at),
                        finding.found, place(program, producer), program.text(producer), finding.required, name,
                        finding.what == Error    ? ""
                        : finding.what == Advice ? ", advice"
                                                 : ", undecided");
      count += finding.what == Error;
    }
    return count;
  }

  /// Takes out each v_nop, s_nop and wait for the ALU by itself. Counts those without which nothing is missing.
  unsigned mutate(const Program &program) {
    ExitOnError check("hazard-scan: ");
    const shadow::Table &table = *check(shadow::Table::get(program.isa()));
    const size_t before = shadow::verify(program, table).size();
    unsigned needless = 0;
    for (const Block &block : program.blocks())
      for (uint32_t i = block.begin; i < block.end; ++i) {
        if (const shadow::Use use = shadow::useOf(program, i);
            block.function == ~0u || !(use.waits || use.kinds & (shadow::kind::VNop | shadow::kind::SNop)))
          continue;
        ++nops;
        if (shadow::verify(program, table, i).size() > before)
          continue;
        ++needless;
        outs() << formatv("{0}: {1}\n", place(program, i), program.text(i));
      }
    scanned += program.instructions().size();
    return needless;
  }

  unsigned spare(const Program &program) {
    unsigned count = 0;
    for (const NopReport &nop : report(program)) {
      nops += !nop.isPadding;
      const uint32_t at = nop.instruction;
      if (nop.isPadding || nop.wanted || at == 0 || at + 1 == program.instructions().size())
        continue;
      outs() << formatv("{0}: {1} | {2} | {3}\n", place(program, at), program.text(at - 1), program.text(at),
                        program.text(at + 1));
      ++count;
    }
    return count;
  }

  unsigned insert(const Program &program, StringRef source) {
    const Plan inserted = plan(program, Goal::Insert);
    statesBefore += inserted.statesBefore;
    statesAfter += inserted.statesAfter;
    unsigned bad = compareFunctions(program, inserted);
    const bool wasSound = findings(program).empty();
    auto expectSound = [&](const Plan &edits, const char *what) {
      ExitOnError check("hazard-scan: ");
      const std::string text = check(editAssembly(program, source, edits.edits));
      auto after = check(readAssembly(text, program.name(), chip));
      if (unsigned count = missing(*after)) {
        outs() << what << ": " << count << " findings\n";
        bad += count;
      }
    };
    expectSound(inserted, "inserted");
    if (wasSound)
      expectSound(plan(program, Goal::Relax), "relaxed");
    return bad;
  }

  Error rewrite(const Program &program, StringRef source) {
    Expected<std::string> text = editAssembly(program, source, plan(program, Goal::Insert).edits);
    return text ? writeFileAtomically(program.name(), *text) : text.takeError();
  }

  void speed(StringRef bytes, StringRef name) {
    std::clock_t begin = std::clock();
    std::vector<std::unique_ptr<Program>> programs = cantFail(readPrograms(bytes, name, chip));
    auto lap = [&](StringRef what, size_t count, StringRef result) {
      const double seconds = double(std::clock() - begin) / CLOCKS_PER_SEC;
      outs() << formatv("{0,8}: {1,7:f2} million instructions a second, {2}\n", what, double(count) / seconds / 1e6,
                        result);
      begin = std::clock();
    };
    for (const auto &program : programs) {
      const size_t count = program->instructions().size();
      scanned += count;
      lap("read", count, std::to_string(count));
      const Verified found = verify(*program);
      lap("verify", count, std::to_string(found.findings.size() + found.shadows.size()) + " findings");
      lap("report", count, std::to_string(report(*program).size()) + " s_nop");
      lap("insert", count, std::to_string(plan(*program, Goal::Insert).edits.size()) + " edits");
      lap("relax", count, std::to_string(plan(*program, Goal::Relax).edits.size()) + " edits");
    }
  }

private:
  static uint32_t functionOf(const Program &program, uint32_t instruction) {
    ArrayRef<Block> blocks = program.blocks();
    return partition_point(blocks, [&](const Block &b) { return b.begin <= instruction; })[-1].function;
  }

  /// Functions that take more wait states than before though nothing was missing.
  static unsigned compareFunctions(const Program &program, const Plan &inserted) {
    std::map<uint32_t, int> more;
    for (const Edit &edit : inserted.edits) {
      if (edit.action == Edit::Action::Replace || edit.action == Edit::Action::Remove)
        more[functionOf(program, edit.at)] -= nopStates(program, edit.at);
      if (edit.action != Edit::Action::Remove)
        more[functionOf(program, edit.at)] += edit.immediate + 1;
    }
    for (const Finding &finding : verify(program).findings)
      more.erase(functionOf(program, finding.instruction));
    unsigned bad = 0;
    for (auto [function, states] : more)
      if (states > 0 && function != ~0u) {
        outs() << program.functions()[function].name << ": " << states << " wait states more\n";
        ++bad;
      }
    return bad;
  }

  std::vector<Finding> findings(const Program &program) {
    Verified verified = verify(program);
    for (const std::string &problem : verified.problems)
      ExitOnError("hazard-scan: ")(createStringError(problem));
    erase_if(verified.findings, [&](const Finding &finding) {
      return known.count(finding.rule->name) || known.count(finding.rule->name + ":" + std::to_string(finding.found));
    });
    scanned += program.instructions().size();
    return std::move(verified.findings);
  }

  static std::string place(const Program &program, uint32_t i) {
    return program.isAssembly() ? std::to_string(program.location(i).line)
                                : formatv("{0:x-}", program.instructions()[i].address).str();
  }

  std::string chip;
};

} // namespace

int main(int argc, char **argv) {
  ExitOnError check("hazard-scan: ");
  std::set<std::string> known;
  int first = 1;
  StringRef mode;
  for (; first < argc && StringRef(argv[first]).starts_with("--"); ++first) {
    StringRef argument = argv[first];
    if (argument.consume_front("--known="))
      known.insert(argument.str());
    else
      mode = argument;
  }
  if (argc < first + 2 || !is_contained({"", "--spare", "--insert", "--rewrite", "--speed", "--mutate"}, mode)) {
    errs()
        << "usage: hazard-scan [--spare|--mutate|--insert|--rewrite|--speed] [--known=RULE[:FOUND]]... CHIP FILE...\n";
    return 2;
  }
  Scan scan(argv[first]);
  scan.known = known;
  unsigned found = 0;
  for (int i = first + 1; i < argc; ++i) {
    auto buffer = check(errorOrToExpected(MemoryBuffer::getFile(argv[i])));
    if (mode == "--speed") {
      scan.speed(buffer->getBuffer(), argv[i]);
      continue;
    }
    for (const auto &program : check(readPrograms(buffer->getBuffer(), argv[i], argv[first]))) {
      if (mode == "--rewrite") {
        check(scan.rewrite(*program, buffer->getBuffer()));
        continue;
      }
      unsigned here = mode == "--spare"    ? scan.spare(*program)
                      : mode == "--mutate" ? scan.mutate(*program)
                      : mode == "--insert" ? scan.insert(*program, buffer->getBuffer())
                                           : scan.missing(*program);
      if (here)
        outs() << argv[i] << ": " << here << " findings\n";
      found += here;
    }
  }
  if (mode == "--spare") {
    outs() << scan.nops << " s_nop, " << found << " that no rule wants\n";
    return 0;
  }
  if (mode == "--mutate")
    outs() << scan.nops << " that may end hazards, " << found << " of them needless\n";
  if (mode == "--insert")
    outs() << scan.statesBefore << " wait states before, " << scan.statesAfter << " after\n";
  if (mode == "--rewrite")
    return 0;
  outs() << scan.scanned << " instructions, " << found << " findings\n";
  return found != 0;
}
