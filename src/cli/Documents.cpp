#include "cli/Documents.h"

#include "isa/chip/TargetInfo.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight::cli {

ArrayRef<const Verb *> allVerbs() {
  static const Verb *const verbs[] = {&compileVerb, &asmVerb,     &disVerb,    &infoVerb,       &runVerb,  &waitsVerb,
                                      &scanVerb,    &explainVerb, &traceVerb,  &adviseVerb,     &tuneVerb, &probeVerb,
                                      &diffVerb,    &execVerb,    &replayVerb, &sdkVerb,        &lspVerb,  &mcpVerb,
                                      &targetsVerb, &doctorVerb,  &schemaVerb, &completionVerb, &manVerb};
  return verbs;
}

void printOverview(raw_ostream &os) {
  os << "inflight: a workbench for AMD Instinct kernels that needs no GPU\n\n"
        "Usage: inflight VERB [options] [files]\n\nVerbs:\n";
  for (const Verb *verb : allVerbs())
    os << formatv("  {0,-12}{1}\n", verb->name, verb->summary);
  os << "\n`inflight VERB --help` shows a verb's options and examples.\n";
}

/// "--report[=json]", "-o FILE".
static std::string spelled(const OptionSpec &option) {
  if (option.isJoined)
    return dashed(option) + option.value.str();
  if (option.isOptional)
    return dashed(option) + "[=" + option.value.str() + "]";
  if (option.value.empty())
    return dashed(option);
  return dashed(option) + (option.name.size() == 1 ? " " : "=") + option.value.str();
}

void printHelp(const Verb &verb, raw_ostream &os) {
  os << verb.summary << "\n\nUsage: inflight " << verb.name << ' ' << usage(verb) << "\n\nOptions:\n";
  for (const OptionSpec &option : verb.options)
    os << formatv("  {0,-34}{1}\n", spelled(option), option.help);
  os << formatv("  {0,-34}{1}\n", "--help", "this text") << "\nExamples:\n" << verb.examples;
}

/// The values that an option takes by name: those of "on|off", "json" of "json", "peak" of "MHZ|peak".
static std::vector<StringRef> choices(const OptionSpec &option) {
  if (option.name == "mcpu")
    return executedChips();
  std::vector<StringRef> words;
  SmallVector<StringRef> parts;
  option.value.split(parts, '|');
  for (StringRef part : parts)
    if (!part.empty() && all_of(part, [](char c) { return isLower(c) || isDigit(c) || c == '-'; }))
      words.push_back(part);
  return words;
}

// Manual pages

/// Text that troff takes as it stands.
static std::string troff(StringRef text) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == '.' || c == '\'') && (i == 0 || text[i - 1] == '\n'))
      result += "\\&";
    if (c == '\\')
      result += "\\e";
    else if (c == '-')
      result += "\\-";
    else
      result += c;
  }
  return result;
}

static void printManHeader(raw_ostream &os, const std::string &name, StringRef summary) {
  os << ".TH " << troff(StringRef(name).upper()) << " 1 \"\" \"inflight " << INFLIGHT_VERSION << "\" \"Inflight\"\n"
     << ".SH NAME\n"
     << troff(name) << " \\- " << troff(summary) << '\n';
}

static void printManPage(const Verb &verb, raw_ostream &os) {
  printManHeader(os, "inflight-" + verb.name.str(), verb.summary);
  os << ".SH SYNOPSIS\n.B inflight " << verb.name << "\n" << troff(usage(verb)) << "\n.SH OPTIONS\n";
  for (const OptionSpec &option : verb.options)
    os << ".TP\n.B " << troff(spelled(option)) << '\n' << troff(option.help) << '\n';
  os << ".TP\n.B \\-\\-help\nthe options and examples\n.SH EXAMPLES\n.nf\n"
     << troff(verb.examples)
     << ".fi\n.SH EXIT STATUS\n0; 1 after errors, findings or results that differ; 2 after a mistake in the "
     << "command line.\n.SH SEE ALSO\n.BR inflight (1)\n";
}

static void printManOverview(raw_ostream &os) {
  printManHeader(os, "inflight", "a workbench for AMD Instinct kernels that needs no GPU");
  os << ".SH SYNOPSIS\n.B inflight\n.I VERB\n[options] [files]\n.SH DESCRIPTION\nCompiles MLIR kernels for gfx90a, "
        "gfx942 and gfx950, "
        "executes code objects on a model of the compute unit, checks and rewrites their waits, and shows where their "
        "time goes.\n"
        ".SH VERBS\n";
  for (const Verb *verb : allVerbs())
    os << ".TP\n.BR inflight\\-" << verb->name << " (1)\n" << troff(verb->summary) << '\n';
}

static Expected<int> writeManPages(const Arguments &arguments) {
  const std::string &folder = arguments.positional[0];
  if (std::error_code error = sys::fs::create_directories(folder))
    return makeError("cannot make " + folder + ": " + error.message());
  auto write = [&](const std::string &name, function_ref<void(raw_ostream &)> print) {
    std::string text;
    raw_string_ostream os(text);
    print(os);
    return writeFileAtomically(folder + "/" + name + ".1", text);
  };
  if (Error error = write("inflight", printManOverview))
    return std::move(error);
  for (const Verb *verb : allVerbs())
    if (Error error = write("inflight-" + verb->name.str(), [&](raw_ostream &os) { printManPage(*verb, os); }))
      return std::move(error);
  return 0;
}

const Verb manVerb = {
    "man",         "Write the manual pages", {"FOLDER"}, {}, "  inflight man /usr/local/share/man/man1\n",
    writeManPages, Positional::Other};

// Completion

static std::string verbNames() {
  return join(map_range(allVerbs(), [](const Verb *verb) { return verb->name.str(); }), " ");
}

static void printBash(raw_ostream &os) {
  os << "# bash completion for inflight: inflight completion bash\n_inflight() {\n"
        "  local current=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} options= option=\n  "
        "COMPREPLY=()\n"
        "  if [[ $COMP_CWORD -eq 1 ]]; then\n    COMPREPLY=($(compgen -W '"
     << verbNames() << " help --help --version' -- \"$current\"))\n    return\n  fi\n"
     << "  # '=' is a word of its own.\n"
        "  if [[ $before == = ]]; then option=${COMP_WORDS[COMP_CWORD-2]}\n"
        "  elif [[ $current == = ]]; then option=$before current=\n"
        "  elif [[ $before == -* ]]; then option=$before; fi\n"
        "  case ${COMP_WORDS[1]},$option in\n";
  for (const Verb *verb : allVerbs())
    for (const OptionSpec &option : verb->options)
      if (const auto words = choices(option); !words.empty())
        os << "    " << verb->name << ",-" << option.name << " | " << verb->name << ",--" << option.name
           << ") COMPREPLY=($(compgen -W '" << join(words, " ") << "' -- \"$current\"));"
           << (option.isOptional ? " [[ $before != = ]] || return ;;\n" : " return ;;\n");
  os << "  esac\n  [[ $current == -* ]] || { COMPREPLY=(); return; }\n  case ${COMP_WORDS[1]} in\n";
  for (const Verb *verb : allVerbs()) {
    os << "    " << verb->name << ") options='--help";
    for (const OptionSpec &option : verb->options)
      os << ' ' << dashed(option)
         << (option.value.empty() || option.isOptional || option.name.size() == 1 || option.isJoined ? "" : "=");
    os << "' ;;\n";
  }
  os << "  esac\n  COMPREPLY=($(compgen -W \"$options\" -- \"$current\"))\n"
        "  [[ ${COMPREPLY[0]-} != *= ]] || compopt -o nospace 2>/dev/null\n}\ncomplete -o default -F _inflight "
        "inflight\n";
}

/// Text between single quotes of a shell.
static std::string shellQuoted(StringRef text) {
  std::string result;
  for (char c : text)
    result += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return "'" + result + "'";
}

/// Text for zsh's _arguments, where brackets and colons have a meaning.
static std::string zshText(StringRef text) {
  std::string result;
  for (char c : text) {
    if (c == '[' || c == ']' || c == ':' || c == '\\')
      result += '\\';
    result += c;
  }
  return result;
}

static void printZsh(raw_ostream &os) {
  os << "#compdef inflight\n# zsh completion for inflight: inflight completion zsh\n_inflight() {\n  local -a verbs\n  "
        "verbs=(\n";
  for (const Verb *verb : allVerbs())
    os << "    " << shellQuoted(verb->name.str() + ":" + zshText(verb->summary)) << '\n';
  os << "  )\n  if (( CURRENT == 2 )); then\n    _describe verb verbs\n    return\n  fi\n  local verb=$words[2]\n"
        "  shift words; (( CURRENT-- ))\n  case $verb in\n";
  for (const Verb *verb : allVerbs()) {
    os << "    " << verb->name << ") _arguments \\\n";
    for (const OptionSpec &option : verb->options) {
      const std::vector<StringRef> words = choices(option);
      const std::string action = words.empty() ? "_files" : "(" + join(words, " ") + ")";
      std::string spec = "*" + dashed(option);
      if (!option.value.empty() && !option.isJoined)
        spec += option.isOptional ? "=-" : option.name.size() == 1 ? "" : "=";
      spec += "[" + zshText(option.help) + "]";
      if (!option.value.empty() && !option.isJoined)
        spec += (option.isOptional ? "::" : ":") + zshText(option.value) + ":" + action;
      os << "      " << shellQuoted(spec) << " \\\n";
    }
    os << "      '--help[the options and examples]' '*:file:_files' ;;\n";
  }
  os << "  esac\n}\n_inflight \"$@\"\n";
}

static void printFish(raw_ostream &os) {
  os << "# fish completion for inflight: inflight completion fish\n";
  for (const Verb *verb : allVerbs())
    os << "complete -c inflight -n __fish_use_subcommand -f -a " << verb->name << " -d " << shellQuoted(verb->summary)
       << '\n';
  for (const Verb *verb : allVerbs())
    for (const OptionSpec &option : verb->options) {
      os << "complete -c inflight -n '__fish_seen_subcommand_from " << verb->name << "' "
         << (option.name.size() == 1    ? "-s "
             : dashed(option)[1] == '-' ? "-l "
                                        : "-o ")
         << option.name;
      if (!option.value.empty() && !option.isOptional && !option.isJoined)
        os << " -r";
      if (const auto words = choices(option); !words.empty())
        os << " -f -a " << shellQuoted(join(words, " "));
      os << " -d " << shellQuoted(option.help) << '\n';
    }
}

static Expected<int> printCompletion(const Arguments &arguments) {
  const std::string &shell = arguments.positional[0];
  if (shell == "bash")
    printBash(outs());
  else if (shell == "zsh")
    printZsh(outs());
  else if (shell == "fish")
    printFish(outs());
  else
    return usageError("unknown shell '" + shell + "'; there are bash, zsh and fish");
  return 0;
}

const Verb completionVerb = {"completion",
                             "Print the script that completes this command's words in a shell",
                             {"bash|zsh|fish"},
                             {},
                             "  source <(inflight completion bash)\n"
                             "  inflight completion zsh > ~/.zfunc/_inflight\n"
                             "  inflight completion fish > ~/.config/fish/completions/inflight.fish\n",
                             printCompletion,
                             Positional::Other};

} // namespace inflight::cli
