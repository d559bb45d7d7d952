#include "cli/OutputFiles.h"

#include "support/OutputPath.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include <map>

using namespace llvm;

namespace inflight::cli {

namespace {
/// A file as it stands on the command line.
struct NamedFile {
  std::string option; ///< "--html"; empty for an input without an option
  std::string path;
  std::string argument = {}; ///< of the kernel, "0" or "b0", that it is read for or that is written there
};
} // namespace

/// The paths in an option's value, by the form that the help shows: "I=FILE.npy[,RTOL,ATOL]", "FILE[@N]".
static std::vector<std::string> pathsIn(const OptionSpec &option, StringRef value) {
  StringRef path = value;
  if (option.value.starts_with("I="))
    path = path.split('=').second;
  if (option.value.contains("[,"))
    path = path.split(',').first;
  if (option.value.contains("[@"))
    path = path.rsplit('@').first;
  // FILE.npy, FILE.npy:TYPE, or no file.
  if (option.value == "SPEC")
    return {path.str(), path.rsplit(':').first.str()};
  return {path.str()};
}

/// Files of the options that are used in this way. Where the last one counts, it is the only one that is written.
static std::vector<NamedFile> filesOf(const Verb &verb, const Arguments &arguments, FileUse use) {
  std::vector<NamedFile> files;
  for (const OptionSpec &option : verb.options) {
    if (option.use != use)
      continue;
    std::vector<std::string> values = arguments.all(option.name);
    const bool isRepeatable = use == FileUse::Read || option.value.starts_with("I=");
    if (values.size() > 1 && !isRepeatable)
      values.erase(values.begin(), values.end() - 1);
    for (auto [number, value] : enumerate(values)) {
      std::string argument;
      if (option.value == "SPEC")
        argument = (option.name == "buffer" ? "b" : "") + std::to_string(number);
      else if (use == FileUse::Written && option.value.starts_with("I="))
        argument = StringRef(value).split('=').first.str();
      for (std::string &path : pathsIn(option, value))
        if (!path.empty())
          files.push_back({dashed(option), std::move(path), argument});
    }
  }
  return files;
}

/// The same text for the same file, whatever leads there; empty for what nothing can take the place of: devices, pipes.
static std::string identityOf(StringRef path) {
  sys::fs::file_status status;
  if (!sys::fs::status(path, status)) {
    if (status.type() != sys::fs::file_type::regular_file && status.type() != sys::fs::file_type::directory_file)
      return "";
    const sys::fs::UniqueID id = status.getUniqueID();
    return std::to_string(id.getDevice()) + ":" + std::to_string(id.getFile());
  }
  // Not there yet: the folder that is, and the rest of the way.
  SmallString<128> folder(OutputPath::find(path).path), real;
  if (sys::fs::make_absolute(folder))
    return path.str();
  sys::path::remove_dots(folder, /*remove_dot_dot=*/true);
  std::string rest;
  while (sys::path::has_relative_path(folder) && sys::fs::real_path(folder, real)) {
    rest = ("/" + sys::path::filename(folder) + rest).str();
    sys::path::remove_filename(folder);
  }
  return (real + rest).str();
}

static std::string readIdentityOf(StringRef path) { return identityOf(path == "-" ? "/dev/stdin" : path); }

static Error refuse(const Verb &verb, const NamedFile &output, const NamedFile &other, bool isInput) {
  const std::string spelled = other.path == "-" ? "standard input" : "'" + other.path + "'";
  const std::string also = output.path == other.path ? "" : ", " + spelled;
  if (!isInput)
    return usageError(other.option + " and " + output.option + " are one file: '" + output.path + "'" + also);
  const bool edits = any_of(verb.options, [](const OptionSpec &option) { return option.name == "i"; });
  return usageError(output.option + ": '" + output.path + "' is " +
                    (other.option.empty() ? "an input" : "what " + other.option + " reads") + also +
                    "; it would be lost" + (edits ? "; -i edits in place" : ""));
}

/// The input that an output would take the place of; null: none. A kernel's argument may be written back to the file
/// that it comes from, which the command line says twice.
static const NamedFile *lostInput(const NamedFile &output, ArrayRef<NamedFile> inputs) {
  const NamedFile *other = find_if(inputs, [](const NamedFile &input) { return input.argument.empty(); });
  if (other != inputs.end())
    return other;
  const bool isItsOwn = any_of(inputs, [&](const NamedFile &input) { return input.argument == output.argument; });
  return inputs.empty() || isItsOwn ? nullptr : inputs.begin();
}

/// Whether a file is in a folder, however deep.
static bool isIn(StringRef path, StringRef folder) {
  SmallString<128> real, above;
  if (path == "-" || sys::fs::real_path(folder, real))
    return false;
  const std::string place = OutputPath::find(path).path;
  const StringRef parent = sys::path::parent_path(place);
  if (sys::fs::real_path(parent.empty() ? "." : parent, above))
    return false;
  return above == real || above.str().starts_with((real + "/").str());
}

Error checkOutputs(const Verb &verb, const Arguments &arguments, ArrayRef<std::string> inputs) {
  std::map<std::string, std::vector<NamedFile>> read;
  std::map<std::string, NamedFile> written;
  for (const std::string &input : inputs) {
    const std::string identity = readIdentityOf(input);
    std::vector<NamedFile> &same = read[identity];
    if (!same.empty() && !identity.empty() && arguments.has("i"))
      return usageError("'" + same.front().path + "' and '" + input + "' are one file: name it once to edit it");
    same.push_back({"", input});
  }
  for (NamedFile &file : filesOf(verb, arguments, FileUse::Read))
    read[readIdentityOf(file.path)].push_back(std::move(file));
  for (const NamedFile &output : filesOf(verb, arguments, FileUse::Written)) {
    const std::string identity = output.path == "-" ? "" : identityOf(output.path);
    if (identity.empty())
      continue;
    if (const NamedFile *input = lostInput(output, read[identity]))
      return refuse(verb, output, *input, /*isInput=*/true);
    if (auto [other, isNew] = written.try_emplace(identity, output); !isNew)
      return refuse(verb, output, other->second, /*isInput=*/false);
    if (verb.positional == Positional::Recording)
      for (const std::string &folder : inputs)
        if (isIn(output.path, folder))
          return usageError(output.option + ": '" + output.path + "' is in the recording: write it elsewhere");
  }
  return Error::success();
}

Error checkOutputs(const Verb &verb, const Arguments &arguments) {
  ArrayRef<std::string> inputs = arguments.positional;
  if (verb.positional == Positional::Other)
    inputs = {};
  else if (verb.positional == Positional::Program)
    inputs = inputs.take_front(1);
  return checkOutputs(verb, arguments, inputs);
}

Expected<std::string> outputFor(const Arguments &arguments, StringRef input, StringRef extension) {
  std::string output = arguments.get("o");
  if (!output.empty())
    return output;
  if (input == "-")
    return "-";
  output = (sys::path::stem(input) + extension).str();
  const std::string identity = identityOf(output);
  if (!identity.empty() && identity == identityOf(input))
    return usageError("'" + output + "' would take the place of the input: -o says where to");
  return output;
}

} // namespace inflight::cli
