// The `inflight` command: one verb a file.
#include "cli/Documents.h"
#include "cli/OutputFiles.h"
#include "cli/Version.h"
#include "support/Diagnostics.h"
#include "support/Fatal.h"
#include "support/Printable.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace inflight;
using namespace inflight::cli;

static const Verb *findVerb(StringRef name) {
  const auto *found = find_if(allVerbs(), [&](const Verb *verb) { return verb->name == name; });
  return found == allVerbs().end() ? nullptr : *found;
}

/// What other tools call it, or the verb that is spelled nearly so.
static std::string meantVerb(StringRef name) {
  const StringRef known = StringSwitch<StringRef>(name)
                              .Cases({"lint", "check"}, "waits")
                              .Cases({"assemble", "as"}, "asm")
                              .Cases({"disassemble", "disasm", "objdump"}, "dis")
                              .Case("profile", "trace")
                              .Case("build", "compile")
                              .Default("");
  if (!known.empty())
    return known.str();
  const auto names = to_vector(map_range(allVerbs(), [](const Verb *verb) { return verb->name; }));
  return nearest(name, names).str();
}

static int runWords(int count, char **words) {
  if (count < 2) {
    printOverview(errs());
    return 2;
  }
  StringRef name = words[1];
  if (name == "help" && count == 3) { // as "inflight VERB --help"
    name = words[2];
    if (const Verb *found = findVerb(name)) {
      printHelp(*found, outs());
      return 0;
    }
  } else if (name == "--help" || name == "-h" || name == "help") {
    printOverview(outs());
    return 0;
  }
  if (name == "--version" || name == "-v" || name == "version") {
    outs() << versionText() << '\n';
    return 0;
  }
  const Verb *found = findVerb(name);
  if (!found) {
    errs() << "inflight: error: unknown verb '" << name << "'";
    if (const std::string meant = meantVerb(name); !meant.empty())
      errs() << "; did you mean '" << meant << "'?\n";
    else
      errs() << "; `inflight --help` lists them\n";
    return 2;
  }
  const Verb &verb = *found;
  ArrayRef<const char *> rest(words + 2, count - 2);
  const auto options = rest.take_until([](StringRef word) { return word == "--"; });
  if (is_contained(options, StringRef("--help")) || is_contained(options, StringRef("-h"))) {
    printHelp(verb, outs());
    return 0;
  }
  Expected<Arguments> arguments = parseArguments(rest, verb.options);
  Error error = arguments ? checkOperands(verb, *arguments) : arguments.takeError();
  if (!error)
    error = checkOutputs(verb, *arguments);
  Expected<int> status = error ? Expected<int>(std::move(error)) : verb.run(*arguments);
  if (status)
    return *status;
  int code = 1;
  handleAllErrors(
      status.takeError(),
      [&](const UsageError &error) {
        errs() << "inflight " << verb.name << ": error: " << printableLines(error.message) << "\n"
               << "Usage: inflight " << verb.name << ' ' << usage(verb) << '\n';
        code = 2;
      },
      [&](const ErrorInfoBase &error) {
        std::string text = error.message();
        // Messages with a place are complete; the others say who speaks.
        if (StringRef(text).contains(": error:"))
          errs() << printableLines(text) << '\n';
        else
          errs() << "inflight " << verb.name << ": error: " << printableLines(text) << '\n';
      });
  return code;
}

int main(int count, char **words) {
  installOutOfMemoryHandler();
  installFatalErrorHandler();
  // Whoever reads both in one file sees them in their order.
  errs().tie(&outs());
  const int code = runWords(count, words);
  outs().flush();
  if (!outs().has_error())
    return code;
  const std::string reason = outs().error().message();
  outs().clear_error();
  errs() << "inflight: error: cannot write standard output: " << reason << '\n';
  return code ? code : 1;
}
