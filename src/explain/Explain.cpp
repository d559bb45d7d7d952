#include "explain/Explain.h"

#include "explain/InstructionPage.h"
#include "isa/instr/MnemonicPatterns.h"
#include "isa/instr/OperationText.h"
#include "lint/KernelDiff.h"
#include "lint/text/DiffText.h"
#include "lint/text/Findings.h"
#include "lint/text/NopText.h"
#include "machine/check/inflight/Findings.h"
#include "support/report/RulePage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include <map>
#include <set>

using namespace llvm;

namespace inflight::explain {

std::vector<StringRef> ruleNames() {
  std::vector<StringRef> names;
  for (ArrayRef<RuleSpec> rules : {lint::waitRules(), lint::hazardRules(), lint::diffRules()})
    append_range(names, map_range(rules, [](const RuleSpec &rule) { return rule.name; }));
  append_range(names, lint::kernelDiffRules());
  for (unsigned kind = 0; kind < machine::check::kindCount; ++kind)
    names.push_back(machine::check::kindName(machine::check::Kind(kind)));
  llvm::sort(names);
  return names;
}

std::string ruleList() {
  std::string text;
  for (StringRef rule : ruleNames())
    text += formatv("{0,-20} {1}\n", rule, rulePage(rule) ? rulePage(rule)->title : "").str();
  return text;
}

static Expected<std::vector<const Isa *>> isasOf(ArrayRef<StringRef> chips) {
  std::vector<const Isa *> isas;
  for (StringRef name : chips) {
    Expected<const Isa *> isa = Isa::get(name);
    if (!isa)
      return isa.takeError();
    isas.push_back(*isa);
  }
  return isas;
}

static const json::Array &waitStateRules() {
  static const json::Value &document = *new json::Value(cantFail(parseData("hazards.json")));
  return *document.getAsObject()->getArray("rules");
}

/// Those of chips whose hazards certain instructions end.
static const json::Array &shadowRules() {
  static const json::Value &document = *new json::Value(cantFail(parseData("shadows.json")));
  return *document.getAsObject()->getArray("rules");
}

/// "5", or "2 after 2 passes, 8 after 8 passes".
static std::string statesText(const json::Object &rule) {
  if (std::optional<int64_t> number = rule.getInteger("states"))
    return std::to_string(*number);
  std::map<unsigned, int64_t> byPasses;
  for (const auto &[passes, number] : *rule.getObject("states_by_passes"))
    if (unsigned count; !StringRef(passes).getAsInteger(10, count))
      byPasses[count] = *number.getAsInteger();
  std::string text;
  for (const auto &[passes, number] : byPasses)
    text += formatv("{0}{1} after {2} passes", text.empty() ? "" : ", ", number, passes).str();
  return text;
}

/// The rules of data/hazards.json of that name, one for each group of chips.
static std::string waitStatePage(StringRef name, StringRef chip) {
  std::string text;
  for (const json::Value &row : waitStateRules()) {
    const json::Object &rule = *row.getAsObject();
    std::string chips;
    for (const json::Value &value : *rule.getArray("chips"))
      if (chip.empty() || value.getAsString() == chip)
        chips += (chips.empty() ? "" : ", ") + value.getAsString()->str();
    if (rule.getString("name") != name || chips.empty())
      continue;
    if (text.empty())
      text = formatv("# {0}\nA rule of wait states: {1}.\n", name, *rule.getString("text")).str();
    text += formatv("\n## {0}\n- wait states: {1}\n- a shortage is: {2}\n- source: {3}: {4}\n", chips, statesText(rule),
                    rule.getString("level").value_or("error"), rule.getString("source").value_or(""),
                    rule.getString("ref").value_or(""))
                .str();
    if (std::optional<StringRef> evidence = rule.getString("evidence"))
      text += formatv("- evidence: {0}\n", *evidence).str();
  }
  return text;
}

/// What ends the hazard, in words.
static std::string endsText(const json::Object &rule) {
  std::string text;
  auto add = [&](const Twine &what) { text += (text.empty() ? "" : ", or ") + what.str(); };
  if (rule.getString("slots") == "matrix")
    add("as many VALU instructions as the matrix instruction wants (`matrix` in data/shadows.json)" +
        Twine(rule.getInteger("more") ? " and one more" : ""));
  else if (std::optional<int64_t> slots = rule.getInteger("slots"))
    add(Twine(*slots) + " of " + *rule.getString("counts"));
  if (std::optional<StringRef> others = rule.getString("or_counts"))
    add(Twine(*rule.getInteger("or_slots")) + " of " + *others);
  if (std::optional<StringRef> ends = rule.getString("ends"))
    add(*ends);
  if (const json::Array *waits = rule.getArray("waits")) {
    std::string fields;
    for (const json::Value &field : *waits)
      fields += " depctr_" + field.getAsString()->str() + "(0)";
    add("s_wait_alu" + fields);
  }
  return text;
}

/// The rule of data/shadows.json of that name.
static std::string shadowPage(StringRef name, StringRef chip) {
  for (const json::Value &row : shadowRules()) {
    const json::Object &rule = *row.getAsObject();
    std::string chips;
    for (const json::Value &value : *rule.getArray("chips"))
      chips += (chips.empty() ? "" : ", ") + value.getAsString()->str();
    const bool isThere = chip.empty() || is_contained(*rule.getArray("chips"), json::Value(chip));
    if (rule.getString("name") != name || !isThere)
      continue;
    std::string text =
        formatv("# {0}\nA hazard that certain instructions end: {1}.\n\n## {2}\n", name, *rule.getString("text"), chips)
            .str();
    if (std::optional<int64_t> lanes = rule.getInteger("lanes"))
      text += formatv("- in waves of {0} lanes\n", *lanes).str();
    if (const std::string ends = endsText(rule); !ends.empty())
      text += "- ended by: " + ends + "\n";
    text += formatv("- put in: {0}\n- it is: {1}\n- source: {2}: {3}\n", *rule.getString("mend"),
                    *rule.getString("level"), *rule.getString("source"), *rule.getString("ref"))
                .str();
    if (std::optional<StringRef> evidence = rule.getString("evidence"))
      text += formatv("- evidence for advice: {0}\n", *evidence).str();
    return text;
  }
  return "";
}

std::vector<std::string> words() {
  std::set<std::string> all;
  for (StringRef rule : ruleNames())
    all.insert(rule.str());
  for (StringRef counter : counterNames())
    all.insert(counter.str());
  for (const json::Value &rule : waitStateRules())
    all.insert(rule.getAsObject()->getString("name")->str());
  for (const json::Value &rule : shadowRules())
    all.insert(rule.getAsObject()->getString("name")->str());
  for (StringRef chip : supportedChips())
    if (Expected<const Isa *> isa = Isa::get(chip)) {
      for (std::string &name : (*isa)->mnemonics())
        all.insert(std::move(name));
    } else {
      consumeError(isa.takeError());
    }
  return {all.begin(), all.end()};
}

static Expected<std::optional<std::string>> pageOf(StringRef word, StringRef chip) {
  if (const RulePage *rule = rulePage(word))
    return rule->markdown.str();
  if (std::string text = waitStatePage(word, chip); !text.empty())
    return text;
  if (std::string text = shadowPage(word, chip); !text.empty())
    return text;
  // Chips that aren't executed are told of only where the others have no such thing: their pages have no times.
  for (ArrayRef<StringRef> chips : {chip.empty() ? executedChips() : ArrayRef(chip), supportedChips()}) {
    Expected<std::vector<const Isa *>> isas = isasOf(chips);
    if (!isas)
      return isas.takeError();
    std::string text =
        counterText(word).empty() ? mnemonicPage(withoutEncoding(word), *isas) : counterPage(word, *isas);
    if (!text.empty())
      return text;
    if (!chip.empty())
      break;
  }
  return std::nullopt;
}

Expected<std::optional<std::string>> page(StringRef word, StringRef chip) {
  Expected<std::optional<std::string>> found = pageOf(word, chip);
  // Manuals write counters as LOADcnt, VA_VDST.
  return !found || *found || word.lower() == word ? std::move(found) : pageOf(word.lower(), chip);
}

} // namespace inflight::explain
