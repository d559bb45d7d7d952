// Words of the data files' JSON that stand for values, and what is wrong with them.
#pragma once

#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

namespace inflight {

template <typename Value> struct NamedWord {
  llvm::StringRef name;
  Value value;
};

/// Of one file's entries. An entry is called by its name where something is wrong with it.
class DataWords {
public:
  constexpr explicit DataWords(llvm::StringRef file) : file(file) {}

  llvm::Error complain(const llvm::Twine &entry, const llvm::Twine &what) const {
    return makeError(("data/" + file + ": " + entry + ": " + what).str());
  }

  /// A word that has to be there.
  template <typename Value, size_t count>
  llvm::Error readWord(const llvm::json::Object &object, llvm::StringRef entry, llvm::StringRef field,
                       const NamedWord<Value> (&names)[count], Value &value) const {
    if (!object.getString(field))
      return complain(entry, "no '" + field + "'");
    return readWordIfAny(object, entry, field, names, value);
  }

  /// An absent one leaves `value`.
  template <typename Value, size_t count>
  llvm::Error readWordIfAny(const llvm::json::Object &object, llvm::StringRef entry, llvm::StringRef field,
                            const NamedWord<Value> (&names)[count], Value &value) const {
    const std::optional<llvm::StringRef> word = object.getString(field);
    return word ? find(*word, entry, field, names, value) : llvm::Error::success();
  }

  /// A list of words, as bits.
  template <typename Value, size_t count>
  llvm::Error readBits(const llvm::json::Object &object, llvm::StringRef entry, llvm::StringRef field,
                       const NamedWord<Value> (&names)[count], Value &value) const {
    if (const llvm::json::Array *words = object.getArray(field))
      for (const llvm::json::Value &word : *words) {
        Value bit = 0;
        if (llvm::Error error = find(word.getAsString().value_or(""), entry, field, names, bit))
          return error;
        value |= bit;
      }
    return llvm::Error::success();
  }

  /// What every rule says: its name, a text, where it is from and whether it is advice, which wants a reason.
  template <typename Rule> llvm::Error readRule(const llvm::json::Object &object, Rule &rule) const {
    auto text = [&](llvm::StringRef field) { return object.getString(field).value_or("").str(); };
    rule.name = text("name");
    rule.text = text("text");
    rule.source = text("source");
    rule.evidence = text("evidence");
    if (rule.name.empty() || rule.text.empty() || rule.source.empty() || text("ref").empty())
      return complain("'" + rule.name + "'", "a rule wants name, text, source and ref");
    const std::string level = text("level");
    if (level != "error" && level != "advice")
      return complain(rule.name, "'level' is error or advice");
    rule.isAdvice = level == "advice";
    return rule.isAdvice && rule.evidence.empty() ? wantsEvidence(rule.name) : llvm::Error::success();
  }

  llvm::Error wantsEvidence(llvm::StringRef entry) const { return complain(entry, "advice wants its 'evidence'"); }

  static bool isOf(const llvm::json::Object &object, llvm::StringRef chip) {
    const llvm::json::Array *chips = object.getArray("chips");
    return chips && llvm::is_contained(*chips, llvm::json::Value(chip));
  }

private:
  template <typename Value, size_t count>
  llvm::Error find(llvm::StringRef word, llvm::StringRef entry, llvm::StringRef field,
                   const NamedWord<Value> (&names)[count], Value &value) const {
    const auto *known = llvm::find_if(names, [&](const NamedWord<Value> &named) { return named.name == word; });
    if (known == std::end(names))
      return complain(entry, "unknown " + field + " '" + word + "'");
    value = known->value;
    return llvm::Error::success();
  }

  llvm::StringRef file;
};

} // namespace inflight
