#include "cli/CommandLine.h"
#include "cli/Environment.h"
#include "support/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

using namespace llvm;

namespace inflight::cli {

// As it is in a source tree, in a wheel and where it is installed.
Expected<std::string> pythonPackageFolder() {
  const std::string self = commandFile();
  for (StringRef place : {"../../python", "../..", "../share/inflight/python"}) {
    SmallString<128> folder(sys::path::parent_path(self));
    sys::path::append(folder, place);
    sys::path::remove_dots(folder, /*remove_dot_dot=*/true);
    if (sys::fs::exists(folder + "/inflight/tune/__main__.py"))
      return folder.str().str();
  }
  return makeError("the Python package isn't beside the command: pip install inflight-gpu has both");
}

// As python/inflight/_library.py looks for it.
Expected<std::string> inflightLibrary() {
  std::string folder;
  if (Error error = pythonPackageFolder().moveInto(folder))
    return std::move(error);
  const std::string prefix = sys::path::parent_path(sys::path::parent_path(commandFile())).str();
  for (const std::string &file :
       {sys::Process::GetEnv("INFLIGHT_LIBRARY").value_or(""), folder + "/inflight/lib/libinflight.so",
        prefix + "/lib/libinflight.so", folder + "/../build/lib/libinflight.so"})
    if (!file.empty() && sys::fs::exists(file))
      return file;
  return makeError("libinflight.so isn't beside the command; `ninja -C build inflight_shared` builds it in a source "
                   "tree, INFLIGHT_LIBRARY=FILE says where another is");
}

Expected<int> runPythonModule(StringRef module, ArrayRef<std::string> words, StringRef input) {
  Expected<std::string> folder = pythonPackageFolder();
  if (!folder)
    return folder.takeError();
  const std::string python = sys::Process::GetEnv("INFLIGHT_PYTHON").value_or("python3");
  ErrorOr<std::string> program = sys::findProgramByName(python);
  if (!program)
    return makeError("no program '" + python + "' (INFLIGHT_PYTHON)");
  prependFolder("PYTHONPATH", *folder);
  setVariable("INFLIGHT_COMMAND", commandFile());
  std::vector<StringRef> given = {*program, "-m", module};
  given.insert(given.end(), words.begin(), words.end());
  std::vector<std::optional<StringRef>> redirects;
  if (!input.empty())
    redirects = {input, std::nullopt, std::nullopt};
  std::string message;
  const int status = sys::ExecuteAndWait(*program, given, std::nullopt, redirects, 0, 0, &message);
  if (status < 0)
    return makeError(*program + ": " + message);
  return status;
}

Expected<int> runPythonModule(StringRef module, const Arguments &arguments) {
  if (Error error = inflightLibrary().takeError())
    return std::move(error);
  std::vector<std::string> words = arguments.positional;
  for (const auto &[name, value] : arguments.ordered)
    words.push_back("--" + name + (value.empty() ? "" : "=" + value));
  return runPythonModule(module, words);
}

} // namespace inflight::cli
