#include "explain/Explain.h"
#include "cli/CommandLine.h"
#include "isa/instr/MnemonicPatterns.h"
#include "support/Diagnostics.h"
#include "support/report/RulePage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight::cli {

static const OptionSpec options[] = {
    {"mcpu", "CHIP", "of instructions and counters: only this chip"},
    {"example", "wrong|right", "of a rule: print a kernel that breaks it, or one that doesn't"},
};

static Error unknownWord(StringRef word, StringRef chip) {
  const std::vector<std::string> words = explain::words();
  if (is_contained(words, withoutEncoding(word)))
    return makeError(chip + " has no '" + word + "'");
  const auto names = to_vector(map_range(words, [](const std::string &name) { return StringRef(name); }));
  const StringRef meant = nearest(word, names);
  return usageError("nothing is known of '" + word + "'" +
                    (meant.empty() ? Twine("; without a word the rules are listed, and `inflight targets --coverage` "
                                           "lists the mnemonics")
                                   : "; did you mean '" + meant + "'?"));
}

static Error printExample(StringRef rule, StringRef which) {
  if (which != "wrong" && which != "right")
    return usageError("--example takes wrong or right, not '" + which + "'");
  const RulePage *page = rulePage(rule);
  if (!page)
    return usageError("'" + rule + "' is no rule; without a word the rules are listed");
  outs() << exampleKernel(which == "wrong" ? page->wrong : page->right);
  return Error::success();
}

static Expected<int> run(const Arguments &arguments) {
  if (arguments.positional.empty()) {
    outs() << explain::ruleList();
    return 0;
  }
  const StringRef word = arguments.positional[0];
  if (arguments.has("example")) {
    if (Error error = printExample(word, arguments.get("example")))
      return std::move(error);
    return 0;
  }
  Expected<std::optional<std::string>> page = explain::page(word, arguments.get("mcpu"));
  if (!page)
    return page.takeError();
  if (!*page)
    return unknownWord(word, arguments.get("mcpu"));
  outs() << **page;
  return 0;
}

const Verb explainVerb = {"explain",
                          "Explain a rule of findings, a mnemonic or a counter",
                          {"RULE|MNEMONIC|COUNTER", 0, 1},
                          options,
                          "  inflight explain\n"
                          "  inflight explain missing-wait\n"
                          "  inflight explain v_mfma_f32_32x32x8_f16 -mcpu=gfx942\n"
                          "  inflight explain vmcnt\n"
                          "  inflight explain --example=wrong race > kernel.s\n",
                          run,
                          Positional::Other};

} // namespace inflight::cli
