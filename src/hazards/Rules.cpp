// Reads data/hazards.json.
#include "hazards/HazardTable.h"

#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace inflight::hazards {

namespace {

template <typename Value> struct Named {
  StringRef name;
  Value value;
};

constexpr Named<Kinds> kindNames[] = {
    {"valu", kind::Valu},
    {"valu_not_matrix", kind::PlainValu},
    {"valu_not_matrix_nor_dot", kind::NonDot},
    {"valu_not_trans", kind::NonTrans},
    {"valu_or_memory", kind::PlainValu | kind::Memory},
    {"trans", kind::Trans},
    {"shifts_result", kind::ShiftsResult},
    {"dot", kind::Dot},
    {"dpp", kind::Dpp},
    {"lane_access", kind::LaneAccess},
    {"valu_not_lane_access", kind::NonLaneAccess},
    {"div_fmas", kind::DivFmas},
    {"permlane", kind::Permlane},
    {"fma_f64", kind::FmaF64},
    {"matrix", kind::Matrix},
    {"xdl", kind::Xdl},
    {"sgemm", kind::Sgemm},
    {"dgemm", kind::Dgemm},
    {"sgemm_dgemm", kind::Sgemm | kind::Dgemm},
    {"dgemm_4x4", kind::Dgemm4x4},
    {"dgemm_16x16", kind::Dgemm16x16},
    {"salu", kind::Salu},
    {"setreg", kind::SetReg},
    {"getreg", kind::GetReg},
    {"setvskip", kind::SetVskip},
    {"setreg_vskip", kind::SetRegVskip},
    {"setreg_trapsts", kind::SetRegTrapsts},
    {"rfe", kind::Rfe},
    {"message", kind::Message},
    {"lds_by_m0", kind::LdsByM0},
    {"movrel", kind::MoveRel},
    {"vmem", kind::Vmem},
    {"memory", kind::Memory},
    {"vector", kind::Vector},
    {"wide_store", kind::WideStore},
    {"wide_store_by_offset", kind::WideStoreByOffset},
    {"packed_single", kind::PackedSingle},
};

constexpr Named<Roles> roleNames[] = {
    {"scalar_result", role::ScalarResult}, {"exec_result", role::ExecResult},
    {"m0_result", role::M0Result},         {"vector_result", role::VectorResult},
    {"store_data", role::StoreData},       {"hwreg", role::HwReg},
    {"scalar_source", role::ScalarSource}, {"constant", role::Constant},
    {"lane_select", role::LaneSelect},     {"mask", role::Mask},
    {"zero_flag", role::ZeroFlag},         {"exec_constant", role::ExecConstant},
    {"m0_source", role::M0Source},         {"vector_source", role::VectorSource},
    {"lane_source", role::LaneSource},     {"factor", role::Factor},
    {"accumulator", role::Accumulator},    {"dpp_source", role::DppSource},
    {"dpp_other", role::DppOther},
};

constexpr Named<Rule::Match> matchNames[] = {
    {"any", Rule::Match::Any},
    {"same", Rule::Match::Same},
    {"different", Rule::Match::Different},
    {"same_registers", Rule::Match::SameRegisters},
    {"other_registers", Rule::Match::OtherRegisters},
    {"same_opcode", Rule::Match::SameOpcode},
    {"other_opcode", Rule::Match::OtherOpcode},
};

Error complain(const Twine &rule, const Twine &what) {
  return makeError(("data/hazards.json: " + rule + ": " + what).str());
}

/// Reads a word of the rule's field; an absent optional one leaves `value`.
template <typename Value, size_t count>
Error readWord(const json::Object &object, StringRef rule, StringRef field, const Named<Value> (&names)[count],
               bool isOptional, Value &value) {
  std::optional<StringRef> word = object.getString(field);
  if (!word)
    return isOptional ? Error::success() : complain(rule, "no '" + field + "'");
  const Named<Value> *known = find_if(names, [&](const Named<Value> &named) { return named.name == *word; });
  if (known == std::end(names))
    return complain(rule, "unknown " + field + " '" + *word + "'");
  value = known->value;
  return Error::success();
}

/// A number in `field`, or numbers by passes in FIELD_by_passes; whether there is either.
Expected<bool> readStates(const json::Object &object, StringRef rule, StringRef field, States &into) {
  if (std::optional<int64_t> states = object.getInteger(field)) {
    if (*states < 0)
      return complain(rule, "'" + field + "' wants a number of wait states");
    into.fixed = *states;
    return true;
  }
  const std::string byPasses = (field + "_by_passes").str();
  const json::Object *numbers = object.getObject(byPasses);
  if (!numbers || numbers->empty())
    return false;
  for (const auto &entry : *numbers) {
    unsigned passes = 0;
    std::optional<int64_t> states = entry.second.getAsInteger();
    if (StringRef(entry.first).getAsInteger(10, passes) || !states || *states < 0)
      return complain(rule, "'" + byPasses + "' wants numbers");
    into.byPasses.push_back({passes, unsigned(*states)});
  }
  llvm::sort(into.byPasses);
  return true;
}

/// What decides whether a shortage is an error.
Error readLevel(const json::Object &object, Rule &rule) {
  const StringRef level = object.getString("level").value_or("");
  if (level != "error" && level != "advice")
    return complain(rule.name, "'level' is error or advice");
  rule.isAdvice = level == "advice";
  Expected<bool> has = readStates(object, rule.name, "advice_from", rule.adviceFrom);
  if (!has)
    return has.takeError();
  rule.hasAdvice = *has;
  rule.evidence = object.getString("evidence").value_or("").str();
  if ((rule.isAdvice || rule.hasAdvice) && rule.evidence.empty())
    return complain(rule.name, "advice wants its 'evidence'");
  return Error::success();
}

Expected<Rule> readRule(const json::Object &object) {
  Rule rule;
  rule.name = object.getString("name").value_or("").str();
  rule.text = object.getString("text").value_or("").str();
  rule.source = object.getString("source").value_or("").str();
  if (rule.name.empty() || rule.text.empty() || rule.source.empty() || !object.getString("ref"))
    return complain("'" + rule.name + "'", "a rule wants name, text, source and ref");
  if (Error error = readWord(object, rule.name, "producer", kindNames, false, rule.producer))
    return std::move(error);
  if (Error error = readWord(object, rule.name, "consumer", kindNames, false, rule.consumer))
    return std::move(error);
  if (Error error = readWord(object, rule.name, "produces", roleNames, true, rule.produces))
    return std::move(error);
  if (Error error = readWord(object, rule.name, "consumes", roleNames, true, rule.consumes))
    return std::move(error);
  if (Error error = readWord(object, rule.name, "match", matchNames, true, rule.match))
    return std::move(error);
  if (Error error = readWord(object, rule.name, "between", kindNames, true, rule.between))
    return std::move(error);
  Expected<bool> hasStates = readStates(object, rule.name, "states", rule.states);
  if (!hasStates)
    return hasStates.takeError();
  if (!*hasStates || !rule.states.most())
    return complain(rule.name, "neither 'states' nor 'states_by_passes'");
  if (Error error = readLevel(object, rule))
    return std::move(error);
  return rule;
}

} // namespace

unsigned States::of(unsigned passes) const {
  for (const auto &[upTo, count] : byPasses)
    if (passes <= upTo)
      return count;
  return byPasses.empty() ? fixed : byPasses.back().second;
}

unsigned States::most() const {
  unsigned most = fixed;
  for (const auto &[upTo, count] : byPasses)
    most = std::max(most, count);
  return most;
}

Gravity Rule::gravityAt(unsigned elapsed, unsigned passes) const {
  const bool isEnough = elapsed >= states.of(passes) || (hasAdvice && elapsed >= adviceFrom.of(passes));
  return isAdvice || isEnough ? Gravity::Advice : Gravity::Error;
}

/// What makes the time between two instructions longer than their wait states say.
Error HazardTable::loadStalls(const json::Array &entries) {
  for (const json::Value &entry : entries) {
    const json::Object *object = entry.getAsObject();
    const json::Array *chips = object ? object->getArray("chips") : nullptr;
    if (!chips || !object->getString("source") || !object->getString("ref"))
      return makeError("data/hazards.json: a stall wants chips, source and ref");
    if (!is_contained(*chips, json::Value(chip)))
      continue;
    if (std::optional<int64_t> states = object->getInteger("taken_jump")) {
      stallOfJump = unsigned(*states);
      continue;
    }
    Kinds kinds = 0;
    if (Error error = readWord(*object, "a stall", "waits_for_matrix_core", kindNames, false, kinds))
      return error;
    waiting |= kinds;
  }
  return Error::success();
}

Error HazardTable::loadRules() {
  Expected<json::Value> document = parseData("hazards.json");
  if (!document)
    return document.takeError();
  const json::Array *entries = document->getAsObject() ? document->getAsObject()->getArray("rules") : nullptr;
  const json::Array *stalls = document->getAsObject() ? document->getAsObject()->getArray("stalls") : nullptr;
  if (!entries || !stalls)
    return makeError("data/hazards.json: no 'rules' or no 'stalls'");
  if (Error error = loadStalls(*stalls))
    return error;
  for (const json::Value &entry : *entries) {
    const json::Object *object = entry.getAsObject();
    const json::Array *chips = object ? object->getArray("chips") : nullptr;
    if (!chips)
      return makeError("data/hazards.json: a rule without 'chips'");
    if (!is_contained(*chips, json::Value(chip)))
      continue;
    Expected<Rule> rule = readRule(*object);
    if (!rule)
      return rule.takeError();
    theMaximum = std::max(theMaximum, rule->states.most());
    theRules.push_back(std::move(*rule));
  }
  if (theRules.size() > 64)
    return makeError("data/hazards.json: more than 64 rules for " + chip);
  return Error::success();
}

} // namespace inflight::hazards
