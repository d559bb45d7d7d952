// Options of the verbs: `--name value`, `--name=value`, `-name=value`, flags, positional arguments; after `--` there
// are no options.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <array>
#include <string>
#include <vector>

namespace inflight::cli {

/// What becomes of the file or folder that an option names: no output may take the place of an input or of another
/// output (cli/OutputFiles.h).
enum class FileUse : uint8_t { None, Read, Written };

struct OptionSpec {
  llvm::StringRef name;  ///< without dashes
  llvm::StringRef value; ///< what stands for the value in the help; empty for a flag
  llvm::StringRef help;
  FileUse use = FileUse::None;
  bool isJoined = false;   ///< the value stands right after the name: -Werror
  bool isOptional = false; ///< the value may be left out: --report or --report=json
};

/// The option as compilers spell it: -o, -g and -mcpu have one dash.
std::string dashed(const OptionSpec &option);

/// A mistake in the command line: exit status 2.
class UsageError : public llvm::ErrorInfo<UsageError> {
public:
  static char ID;
  explicit UsageError(std::string message) : message(std::move(message)) {}
  void log(llvm::raw_ostream &os) const override { os << message; }
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
  std::string message;
};
llvm::Error usageError(const llvm::Twine &message);

struct Arguments {
  std::vector<std::string> positional;
  std::vector<std::pair<std::string, std::string>> ordered; ///< options as given
  bool has(llvm::StringRef name) const;
  std::string get(llvm::StringRef name, llvm::StringRef fallback = "") const;
  std::vector<std::string> all(llvm::StringRef name) const;
};

/// The candidate that `word` is most likely a misspelling of; empty: none is near.
llvm::StringRef nearest(llvm::StringRef word, llvm::ArrayRef<llvm::StringRef> candidates);

llvm::Expected<Arguments> parseArguments(llvm::ArrayRef<const char *> words, llvm::ArrayRef<OptionSpec> options);

/// What words without a dash are.
enum class Positional : uint8_t {
  Inputs,    ///< files, or folders with them
  Recording, ///< a folder, all of which is an input
  Program,   ///< a program and its arguments
  Other,     ///< names, or a folder to write
};

constexpr size_t anyNumber = ~size_t(0);
struct Operands {
  llvm::StringRef names; ///< as the usage line has them, a word for each
  size_t least = 1, most = 1;
};

struct Verb {
  llvm::StringRef name, summary;
  Operands operands;
  llvm::ArrayRef<OptionSpec> options;
  llvm::StringRef examples;
  /// Returns the exit status, or an error to print.
  llvm::Expected<int> (*run)(const Arguments &);
  Positional positional = Positional::Inputs;
};

extern const Verb compileVerb, asmVerb, disVerb, infoVerb, runVerb, waitsVerb, traceVerb, probeVerb, targetsVerb,
    diffVerb, explainVerb, lspVerb, adviseVerb, tuneVerb, mcpVerb, execVerb, sdkVerb, replayVerb, scanVerb, doctorVerb,
    schemaVerb, completionVerb, manVerb;

/// What stands after the verb: "[options] OLD NEW".
std::string usage(const Verb &verb);
/// The operand that is `number` words after the verb isn't there.
llvm::Error missingOperand(const Verb &verb, size_t number);
/// An error for operands that are missing or too many.
llvm::Error checkOperands(const Verb &verb, const Arguments &arguments);

/// Where libamdhip64.so is: beside the command's folder, as it is built and installed.
llvm::Expected<std::string> hipLibraryFolder();
/// The folder where Debian's package has AMD's device libraries, ocml.bc and the others; empty: it isn't installed.
std::string deviceLibraryFolder();
/// Where the Python package is.
llvm::Expected<std::string> pythonPackageFolder();
/// The C library, which that loads.
llvm::Expected<std::string> inflightLibrary();
/// `python3 -m MODULE` of that package with these words; its status. `input` is a file; empty: what this command has.
llvm::Expected<int> runPythonModule(llvm::StringRef module, llvm::ArrayRef<std::string> words,
                                    llvm::StringRef input = "");
/// The same with the verb's operands and options, for modules that load the C library.
llvm::Expected<int> runPythonModule(llvm::StringRef module, const Arguments &arguments);

/// "x,y,z" with missing ones 1.
llvm::Expected<std::array<uint32_t, 3>> parseTriple(llvm::StringRef text, llvm::StringRef option);

} // namespace inflight::cli
