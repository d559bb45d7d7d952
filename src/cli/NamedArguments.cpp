#include "cli/NamedArguments.h"

#include "program/read/KernelText.h"
#include "support/Diagnostics.h"
#include "support/files/InputFile.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"

using namespace llvm;

namespace inflight::cli {

/// Whether it only fills the segment: assemblers' authors call all of those alike.
static bool isPadding(const KernelArgument &parameter) {
  return parameter.valueKind == "by_value" && (parameter.name.empty() || StringRef(parameter.name).starts_with("pad"));
}

static std::string zeroBytes(unsigned size) { return "bytes:" + std::string(2 * size, '0'); }

/// A number as the parameter's type, or what its size says.
static std::string specOf(const KernelArgument &parameter, StringRef value) {
  int64_t integer;
  uint64_t large;
  double real;
  const bool isInteger = !value.getAsInteger(0, integer) || !value.getAsInteger(0, large);
  if (parameter.valueKind != "by_value" || (!isInteger && value.getAsDouble(real)))
    return value.str();
  StringRef type = elementTypeOf(parameter);
  if (!type.empty())
    return (type + ":" + value).str();
  const unsigned bits = 8 * parameter.size;
  if (bits != 8 && bits != 16 && bits != 32 && bits != 64)
    return value.str();
  return (isInteger ? value.starts_with("-") ? "i" : "u" : "f") + std::to_string(bits) + ":" + value.str();
}

Expected<std::vector<std::string>> orderArguments(const Kernel &kernel, ArrayRef<std::string> given) {
  const std::vector<const KernelArgument *> parameters = passedArguments(kernel);
  auto nameOf = [](StringRef text) { return text.split('=').first; };
  auto isParameter = [&](StringRef name) {
    return any_of(parameters, [&](const KernelArgument *parameter) { return parameter->name == name; });
  };
  auto isNamed = [&](StringRef text) { return text.contains('=') && isParameter(nameOf(text)); };
  if (none_of(given, isNamed))
    return given.vec();
  std::vector<std::string> ordered, missing;
  for (const std::string &text : given) {
    if (!isNamed(text))
      return usageError("'" + text + "' is no NAME=VALUE of an argument, as others are; the kernel has" +
                        signatureText(kernel));
    if (count_if(given, [&](StringRef other) { return nameOf(other) == nameOf(text); }) > 1 ||
        count_if(parameters, [&](const KernelArgument *other) { return other->name == nameOf(text); }) > 1)
      return usageError("argument '" + nameOf(text) + "' is there more than once");
  }
  for (const KernelArgument *parameter : parameters) {
    const auto *found = find_if(given, [&](StringRef text) { return nameOf(text) == parameter->name; });
    if (found != given.end())
      ordered.push_back(specOf(*parameter, StringRef(*found).split('=').second));
    else if (isPadding(*parameter))
      ordered.push_back(zeroBytes(parameter->size));
    else if (parameter->valueKind != "dynamic_shared_pointer")
      missing.push_back(parameter->name);
  }
  if (!missing.empty())
    return usageError("no --arg for " + join(missing, ", "));
  return ordered;
}

json::Object launchTemplate(const Kernel &kernel) {
  json::Object named;
  json::Array all;
  bool areNamed = true;
  for (const KernelArgument *parameter : passedArguments(kernel)) {
    json::Value value = 1;
    const StringRef type = elementTypeOf(*parameter);
    if (parameter->valueKind == "global_buffer")
      value = formatv("zeros:1048576:{0}", type.empty() ? "u8" : type).str();
    else if (parameter->valueKind == "dynamic_shared_pointer")
      value = "lds:1024";
    else if (isPadding(*parameter) || parameter->size > 8)
      value = zeroBytes(parameter->size);
    all.push_back(value.kind() == json::Value::Number ? json::Value(specOf(*parameter, "1")) : value);
    if (isPadding(*parameter))
      continue;
    areNamed &= !parameter->name.empty() && !named.get(parameter->name);
    named[parameter->name] = std::move(value);
  }
  json::Object launch{{"kernel", kernel.name}, {"grid", json::Array{1, 1, 1}}};
  const unsigned *required = kernel.requiredWorkgroupSize;
  launch["block"] =
      required[0] ? json::Array{required[0], required[1], required[2]}
                  : json::Array{std::min(256u, kernel.maxFlatWorkgroupSize ? kernel.maxFlatWorkgroupSize : 64u), 1, 1};
  launch["args"] = areNamed ? json::Value(std::move(named)) : json::Value(std::move(all));
  return launch;
}

static Expected<std::string> textOf(const json::Value &value, const Twine &place) {
  if (const std::optional<StringRef> text = value.getAsString())
    return text->str();
  if (value.kind() == json::Value::Number)
    return formatv("{0}", value).str();
  std::string list;
  for (const json::Value &item : value.getAsArray() ? *value.getAsArray() : json::Array()) {
    if (item.kind() != json::Value::Number)
      return makeError(place + " is a text, a number or a list of numbers");
    list += (list.empty() ? "" : ",") + formatv("{0}", item).str();
  }
  if (list.empty())
    return makeError(place + " is a text, a number or a list of numbers");
  return list;
}

/// --arg of a file that none on the command line replaces.
static Error addArguments(const json::Value &args, StringRef file, Arguments &arguments) {
  const std::vector<std::string> given = arguments.all("arg");
  auto add = [&](StringRef name, const json::Value &value) -> Error {
    Expected<std::string> text = textOf(value, file + ": 'args'");
    if (!text)
      return text.takeError();
    arguments.ordered.push_back({"arg", (name.empty() ? "" : name + "=").str() + *text});
    return Error::success();
  };
  if (const json::Object *named = args.getAsObject()) {
    for (const auto &[name, value] : *named)
      if (none_of(given, [name = StringRef(name)](StringRef text) { return text.split('=').first == name; }))
        if (Error error = add(name, value))
          return error;
    return Error::success();
  }
  if (!args.getAsArray())
    return makeError(file + ": 'args' is an object or a list");
  for (const json::Value &value : *args.getAsArray())
    if (given.empty())
      if (Error error = add("", value))
        return error;
  return Error::success();
}

Expected<Arguments> withLaunchFile(const Arguments &arguments) {
  if (!arguments.has("launch"))
    return arguments;
  const std::string file = arguments.get("launch");
  Expected<std::string> text = readFile(file);
  if (!text)
    return text.takeError();
  Expected<json::Value> launch = json::parse(*text);
  if (!launch)
    return makeError(file + ": " + toString(launch.takeError()));
  if (!launch->getAsObject())
    return makeError(file +
                     ": a launch is an object: {\"kernel\": \"gemm\", \"grid\": [2, 2, 1], \"args\": {\"n\": 256}}");
  Arguments all = arguments;
  for (const auto &[key, value] : *launch->getAsObject()) {
    const StringRef name = key;
    if (name == "args") {
      if (Error error = addArguments(value, file, all))
        return std::move(error);
      continue;
    }
    if (!is_contained({"kernel", "grid", "block", "global", "lds", "scratch"}, name))
      return makeError(file + ": no '" + name +
                       "' in a launch; there are kernel, grid, global, block, lds, scratch, args");
    Expected<std::string> option = textOf(value, file + ": '" + name + "'");
    if (!option)
      return option.takeError();
    const bool isReplaced = arguments.has(name) || (name == "grid" && arguments.has("global"));
    if (!isReplaced)
      all.ordered.push_back({name.str(), *option});
  }
  return all;
}

} // namespace inflight::cli
