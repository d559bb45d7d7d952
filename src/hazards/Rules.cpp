// Reads data/hazards.json.
#include "hazards/HazardTable.h"

#include "support/DataWords.h"

using namespace llvm;

namespace inflight::hazards {

namespace {

constexpr DataWords words("hazards.json");

constexpr NamedWord<Kinds> kindNames[] = {
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

constexpr NamedWord<Roles> roleNames[] = {
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

constexpr NamedWord<Rule::Match> matchNames[] = {
    {"any", Rule::Match::Any},
    {"same", Rule::Match::Same},
    {"different", Rule::Match::Different},
    {"same_registers", Rule::Match::SameRegisters},
    {"other_registers", Rule::Match::OtherRegisters},
    {"same_opcode", Rule::Match::SameOpcode},
    {"other_opcode", Rule::Match::OtherOpcode},
};

/// A number in `field`, or numbers by passes in FIELD_by_passes; whether there is either.
Expected<bool> readStates(const json::Object &object, StringRef rule, StringRef field, States &into) {
  if (std::optional<int64_t> states = object.getInteger(field)) {
    if (*states < 0)
      return words.complain(rule, "'" + field + "' wants a number of wait states");
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
      return words.complain(rule, "'" + byPasses + "' wants numbers");
    into.byPasses.push_back({passes, unsigned(*states)});
  }
  llvm::sort(into.byPasses);
  return true;
}

Expected<Rule> readRule(const json::Object &object) {
  Rule rule;
  if (Error error = words.readRule(object, rule))
    return std::move(error);
  if (Error error = words.readWord(object, rule.name, "producer", kindNames, rule.producer))
    return std::move(error);
  if (Error error = words.readWord(object, rule.name, "consumer", kindNames, rule.consumer))
    return std::move(error);
  if (Error error = words.readWordIfAny(object, rule.name, "produces", roleNames, rule.produces))
    return std::move(error);
  if (Error error = words.readWordIfAny(object, rule.name, "consumes", roleNames, rule.consumes))
    return std::move(error);
  if (Error error = words.readWordIfAny(object, rule.name, "match", matchNames, rule.match))
    return std::move(error);
  if (Error error = words.readWordIfAny(object, rule.name, "between", kindNames, rule.between))
    return std::move(error);
  Expected<bool> hasStates = readStates(object, rule.name, "states", rule.states);
  if (!hasStates)
    return hasStates.takeError();
  if (!*hasStates || !rule.states.most())
    return words.complain(rule.name, "neither 'states' nor 'states_by_passes'");
  Expected<bool> hasAdvice = readStates(object, rule.name, "advice_from", rule.adviceFrom);
  if (!hasAdvice)
    return hasAdvice.takeError();
  rule.hasAdvice = *hasAdvice;
  if (rule.hasAdvice && rule.evidence.empty())
    return words.wantsEvidence(rule.name);
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
    if (!DataWords::isOf(*object, chip))
      continue;
    if (std::optional<int64_t> states = object->getInteger("taken_jump")) {
      stallOfJump = unsigned(*states);
      continue;
    }
    Kinds kinds = 0;
    if (Error error = words.readWord(*object, "a stall", "waits_for_matrix_core", kindNames, kinds))
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
    if (!DataWords::isOf(*object, chip))
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
