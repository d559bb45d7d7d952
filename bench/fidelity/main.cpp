// Prints the table of the timed model's fidelity: fidelity [TOPIC].
#include "Fidelity.h"

#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"
#include <cmath>

using namespace llvm;
using namespace inflight::fidelity;

int main(int argc, char **argv) {
  unsigned rows = 0, beyond = 0;
  for (const Table &table : measure(argc > 1 ? argv[1] : "")) {
    outs() << "\n## " << table.topic
           << "\n\n| what | model | reference | error | kind | source |\n|---|---|---|---|---|---|\n";
    for (const Row &row : table.rows) {
      const bool isBeyond = row.origin != Origin::Contradicted && std::fabs(row.errorPercent()) > row.allowedPercent;
      rows += row.origin != Origin::Contradicted;
      beyond += row.origin != Origin::Contradicted && std::fabs(row.errorPercent()) > 5;
      outs() << formatv("| {0} | {1:f1} {2} | {3:f1} | {4}{5:f1}% | {6} | {7}{8}{9} |\n", row.name, row.model, row.unit,
                        row.reference, row.errorPercent() > 0 ? "+" : "", row.errorPercent(),
                        row.origin == Origin::Input        ? "fit"
                        : row.origin == Origin::Prediction ? "held out"
                                                           : "contradicted",
                        row.source, row.why.empty() ? "" : "; ", row.why);
      if (isBeyond)
        errs() << "beyond what is allowed: " << row.name << "\n";
    }
  }
  outs() << formatv("\n{0} rows, {1} of them with an error beyond 5 %\n", rows, beyond);
}
