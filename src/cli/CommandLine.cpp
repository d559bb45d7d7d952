#include "cli/CommandLine.h"

#include "isa/chip/TargetInfo.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace inflight::cli {

char UsageError::ID = 0;

Error usageError(const Twine &message) { return make_error<UsageError>(message.str()); }

bool Arguments::has(StringRef name) const {
  return any_of(ordered, [&](const auto &option) { return option.first == name; });
}

std::string Arguments::get(StringRef name, StringRef fallback) const {
  std::string result = fallback.str();
  for (const auto &[key, value] : ordered)
    if (key == name)
      result = value;
  return result;
}

std::vector<std::string> Arguments::all(StringRef name) const {
  std::vector<std::string> result;
  for (const auto &[key, value] : ordered)
    if (key == name)
      result.push_back(value);
  return result;
}

std::string dashed(const OptionSpec &option) {
  const bool isShort = option.name.size() == 1 || option.isJoined || option.name == "mcpu";
  return (isShort ? "-" : "--") + option.name.str();
}

StringRef nearest(StringRef word, ArrayRef<StringRef> candidates) {
  StringRef best;
  // About a third of the letters may be wrong; of equals the first.
  unsigned least = unsigned(word.size() + 2) / 3;
  for (StringRef candidate : candidates) {
    const unsigned distance = word.edit_distance(candidate, /*AllowReplacements=*/true, least);
    if (distance < least || (distance == least && best.empty() && distance < candidate.size())) {
      best = candidate;
      least = distance;
    }
  }
  return best;
}

static std::string suggestOption(StringRef name, ArrayRef<OptionSpec> options) {
  const auto names = to_vector(map_range(options, [](const OptionSpec &spec) { return spec.name; }));
  const StringRef best = nearest(name, names);
  const OptionSpec *spec = find_if(options, [&](const OptionSpec &option) { return option.name == best; });
  return spec == options.end() ? "" : "; did you mean '" + dashed(*spec) + "'?";
}

Expected<Arguments> parseArguments(ArrayRef<const char *> words, ArrayRef<OptionSpec> options) {
  Arguments arguments;
  for (size_t i = 0; i < words.size(); ++i) {
    StringRef word = words[i];
    if (word == "--") {
      arguments.positional.insert(arguments.positional.end(), words.begin() + i + 1, words.end());
      break;
    }
    if (!word.starts_with("-") || word == "-") {
      arguments.positional.push_back(word.str());
      continue;
    }
    StringRef text = word;
    text.consume_front("-");
    text.consume_front("-");
    auto [name, value] = text.split('=');
    const OptionSpec *spec = find_if(options, [&, n = name](const OptionSpec &o) { return o.name == n; });
    if (spec == options.end()) {
      spec = find_if(options, [&](const OptionSpec &o) {
        return o.isJoined && text.size() > o.name.size() && text.starts_with(o.name);
      });
      if (spec != options.end()) {
        arguments.ordered.push_back({spec->name.str(), text.drop_front(spec->name.size()).str()});
        continue;
      }
    }
    if (spec == options.end())
      return usageError("unknown option '" + word + "'" + suggestOption(name, options));
    std::string given = value.str();
    if (spec->value.empty()) {
      if (text.contains('='))
        return usageError("option '--" + name + "' takes no value");
    } else if (!text.contains('=') && !spec->isOptional) {
      if (i + 1 == words.size())
        return usageError("option '" + word + "' needs a value: " + spec->value);
      given = words[++i];
    }
    if (!spec->value.empty() && !spec->isOptional && given.empty())
      return usageError("option '" + word + "' needs a value: " + spec->value);
    if (name == "mcpu" && !is_contained(supportedChips(), given))
      return usageError("unknown chip '" + given + "'; supported: " + join(supportedChips(), ", "));
    arguments.ordered.push_back({name.str(), given});
  }
  return arguments;
}

std::string usage(const Verb &verb) {
  const StringRef options = verb.options.empty() ? "" : "[options] ";
  const StringRef end = verb.positional == Positional::Program ? "-- " : "";
  return StringRef((options + end + verb.operands.names).str()).rtrim().str();
}

Error missingOperand(const Verb &verb, size_t number) {
  SmallVector<StringRef> names;
  verb.operands.names.split(names, ' ');
  return usageError("missing operand: " + names[number].rtrim('.'));
}

Error checkOperands(const Verb &verb, const Arguments &arguments) {
  const size_t count = arguments.positional.size();
  if (count < verb.operands.least)
    return missingOperand(verb, count);
  if (count > verb.operands.most)
    return usageError("unexpected operand '" + arguments.positional[verb.operands.most] + "'");
  return Error::success();
}

Expected<std::array<uint32_t, 3>> parseTriple(StringRef text, StringRef option) {
  std::array<uint32_t, 3> result{1, 1, 1};
  SmallVector<StringRef> parts;
  text.split(parts, ',');
  if (parts.size() > 3)
    return usageError("--" + option + " takes up to three numbers, not '" + text + "'");
  for (auto [i, part] : enumerate(parts))
    if (part.trim().getAsInteger(0, result[i]))
      return usageError("--" + option + " takes numbers like 4,1,1, not '" + text + "'");
  return result;
}

} // namespace inflight::cli
