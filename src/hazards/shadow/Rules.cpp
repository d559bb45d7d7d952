// Reads data/shadows.json.
#include "hazards/shadow/Rules.h"

#include "isa/instr/MnemonicPatterns.h"
#include "support/DataWords.h"
#include <map>
#include <mutex>

using namespace llvm;

namespace inflight::hazards::shadow {

namespace {

constexpr DataWords words("shadows.json");

constexpr NamedWord<Kinds> kindNames[] = {
    {"any", kind::Any},
    {"valu", kind::Valu},
    {"v_nop", kind::VNop},
    {"valu_not_nop", kind::ValuNotNop},
    {"trans", kind::Trans},
    {"valu_not_trans", kind::ValuNotTrans},
    {"matrix", kind::Matrix},
    {"xdl_matrix", kind::XdlMatrix},
    {"valu_not_matrix", kind::ValuNotMatrix},
    {"memory", kind::Memory},
    {"memory_or_export", kind::Memory | kind::Export},
    {"valu_or_export", kind::Valu | kind::Export},
    {"lds_direct", kind::Direct},
    {"lds_dma", kind::LdsDma},
    {"tensor", kind::Tensor},
    {"writes_scalar", kind::WritesScalar},
    {"reads_scratch_base", kind::ReadsScratchBase},
    {"compare_exec", kind::CompareExec},
    {"permlane", kind::Permlane},
    {"setreg", kind::SetReg},
    {"getreg", kind::GetReg},
    {"set_vgpr_msb", kind::SetVgprMsb},
    {"async_arrive", kind::AsyncArrive},
    {"message", kind::Message},
    {"s_nop", kind::SNop},
    {"not_s_nop", kind::NotSNop},
    {"not_program_control", kind::NotProgramControl},
};

constexpr NamedWord<Overlap> overlapNames[] = {{"result_read", overlap::ResultRead},
                                               {"result_written", overlap::ResultWritten},
                                               {"source_written", overlap::SourceWritten},
                                               {"result_factor", overlap::ResultFactor},
                                               {"scale_written", overlap::ScaleWritten}};

constexpr NamedWord<AluWaits> waitNames[] = {{"sa_sdst", aluwait::SaSdst}, {"va_vcc", aluwait::VaVcc},
                                             {"vm_vsrc", aluwait::VmVsrc}, {"hold_cnt", aluwait::HoldCnt},
                                             {"va_ssrc", aluwait::VaSsrc}, {"va_sdst", aluwait::VaSdst},
                                             {"va_vdst", aluwait::VaVdst}};

constexpr NamedWord<Mend> mendNames[] = {
    {"v_nop", Mend::VNop}, {"wait", Mend::Wait}, {"s_nop", Mend::SNop}, {"v_mov", Mend::VMov}};

constexpr NamedWord<Time> timeNames[] = {{"matrix", Time::Matrix}, {"issue", Time::Issue}};

constexpr NamedWord<Special> specialNames[] = {{"partial_forwarding", Special::PartialForwarding},
                                               {"mask_write", Special::MaskWrite},
                                               {"read_sgpr", Special::ReadSgpr},
                                               {"direct_wait", Special::DirectWait},
                                               {"direct_source", Special::DirectSource}};

unsigned numberIn(const json::Object &object, StringRef field) {
  return unsigned(object.getInteger(field).value_or(0));
}

/// What a rule is about, as words.
Error readWordsOf(const json::Object &object, Rule &rule) {
  if (Error error = words.readWordIfAny(object, rule.name, "after", kindNames, rule.after))
    return error;
  if (Error error = words.readWordIfAny(object, rule.name, "before", kindNames, rule.before))
    return error;
  if (Error error = words.readWordIfAny(object, rule.name, "counts", kindNames, rule.counts))
    return error;
  if (Error error = words.readWordIfAny(object, rule.name, "or_counts", kindNames, rule.orCounts))
    return error;
  if (Error error = words.readWordIfAny(object, rule.name, "ends", kindNames, rule.ends))
    return error;
  if (Error error = words.readBits(object, rule.name, "overlap", overlapNames, rule.overlap))
    return error;
  if (Error error = words.readBits(object, rule.name, "waits", waitNames, rule.waits))
    return error;
  if (Error error = words.readWordIfAny(object, rule.name, "mend", mendNames, rule.mend))
    return error;
  if (Error error = words.readWordIfAny(object, rule.name, "time", timeNames, rule.time))
    return error;
  if (Error error = words.readWordIfAny(object, rule.name, "also_time", kindNames, rule.alsoTime))
    return error;
  return words.readWordIfAny(object, rule.name, "special", specialNames, rule.special);
}

Expected<Rule> readRule(const json::Object &object, unsigned lanes) {
  Rule rule;
  if (Error error = words.readRule(object, rule))
    return std::move(error);
  if (!object.getString("mend"))
    return words.complain(rule.name, "no 'mend'");
  if (Error error = readWordsOf(object, rule))
    return std::move(error);
  rule.slotsOfMatrix = object.getString("slots") == "matrix";
  rule.slots = rule.slotsOfMatrix ? numberIn(object, "more") : numberIn(object, "slots");
  rule.orSlots = numberIn(object, "or_slots");
  rule.scalarsToo = object.getString("registers") == "any";
  constexpr unsigned mostLanes = 64;
  rule.dsNops = numberIn(object, lanes == mostLanes ? "ds_nops_of_64_lanes" : "ds_nops");
  rule.saluAgo = numberIn(object, "disputed_from");
  rule.saluAgoOfValu = numberIn(object, "disputed_from_of_valu");
  if (std::max(rule.saluAgo, rule.saluAgoOfValu) > Rule::mostSalu)
    return words.complain(rule.name, "a number of SALU instructions that is too large");
  for (StringRef field : {"hwregs", "messages"})
    if (const json::Array *numbers = object.getArray(field))
      for (const json::Value &number : *numbers)
        rule.numbers.push_back(uint16_t(number.getAsInteger().value_or(0)));
  if (rule.time != Time::None && rule.evidence.empty())
    return words.wantsEvidence(rule.name);
  const bool isPair = rule.special != Special::MaskWrite && rule.special != Special::ReadSgpr;
  if (isPair && (!rule.after || !rule.before || (!rule.counts && !rule.waits)))
    return words.complain(rule.name, "a rule of two instructions wants after, before and what ends it");
  return rule;
}

} // namespace

Expected<const Table *> Table::get(const Isa &isa) {
  static auto &mutex = *new std::mutex; // never destroyed: other threads may still ask at the end
  static auto &tables = *new std::map<std::pair<std::string, unsigned>, std::unique_ptr<const Table>>;
  const TargetInfo &target = isa.target();
  std::lock_guard<std::mutex> lock(mutex);
  std::unique_ptr<const Table> &known = tables[{target.chip, target.lanesPerWave}];
  if (known)
    return known.get();
  auto table = std::make_unique<Table>();
  if (Error error = table->load(target.chip, target.lanesPerWave))
    return std::move(error);
  known = std::move(table);
  return known.get();
}

Error Table::loadMatrix(const json::Object &row) {
  MatrixRow result;
  result.names = row.getString("names").value_or("").str();
  constexpr NamedWord<Factors> factorNames[] = {
      {"both_f4", Factors::BothF4}, {"any_f8", Factors::AnyF8}, {"others", Factors::Others}};
  if (Error error = words.readWordIfAny(row, "a matrix instruction", "factors", factorNames, result.factors))
    return error;
  if (result.names.empty() || !row.getString("source") || !row.getString("ref"))
    return words.complain("a matrix instruction", "wants names, source and ref");
  result.slots.slots = numberIn(row, "slots");
  result.slots.most = std::max(result.slots.slots, numberIn(row, "slots_of_a0"));
  result.slots.cycles = numberIn(row, "cycles");
  mostOfAll.slots = std::max(mostOfAll.slots, result.slots.slots);
  mostOfAll.most = std::max(mostOfAll.most, result.slots.most);
  mostOfAll.cycles = std::max(mostOfAll.cycles, result.slots.cycles);
  matrix.push_back(std::move(result));
  return Error::success();
}

Error Table::load(StringRef chip, unsigned lanes) {
  Expected<json::Value> document = parseData("shadows.json");
  if (!document)
    return document.takeError();
  const json::Object *object = document->getAsObject();
  const json::Array *rows = object ? object->getArray("matrix") : nullptr;
  const json::Array *entries = object ? object->getArray("rules") : nullptr;
  const json::Array *others = object ? object->getArray("unjudged") : nullptr;
  if (!rows || !entries || !others)
    return makeError("data/shadows.json: no 'matrix', no 'rules' or no 'unjudged'");
  for (const json::Value &row : *rows)
    if (DataWords::isOf(*row.getAsObject(), chip))
      if (Error error = loadMatrix(*row.getAsObject()))
        return error;
  for (const json::Value &entry : *entries) {
    const json::Object &fields = *entry.getAsObject();
    const unsigned only = numberIn(fields, "lanes");
    if (!DataWords::isOf(fields, chip) || (only && only != lanes))
      continue;
    Expected<Rule> rule = readRule(fields, lanes);
    if (!rule)
      return rule.takeError();
    theRules.push_back(std::move(*rule));
  }
  for (const json::Value &entry : *others)
    if (const json::Object &fields = *entry.getAsObject(); DataWords::isOf(fields, chip))
      theUnjudged.push_back({fields.getString("name").value_or("").str(), fields.getString("text").value_or("").str(),
                             fields.getString("names").value_or("").str()});
  constexpr size_t mostRules = 32;
  if (theRules.size() > mostRules)
    return makeError("data/shadows.json: more than " + std::to_string(mostRules) + " rules for " + chip.str());
  return Error::success();
}

const Rule *Table::special(Special special) const {
  const auto rule = find_if(theRules, [&](const Rule &rule) { return rule.special == special; });
  return rule == theRules.end() ? nullptr : &*rule;
}

bool Table::knows(StringRef mnemonic) const {
  return any_of(matrix, [&](const MatrixRow &row) { return MnemonicPatterns(row.names).fit(mnemonic); });
}

/// The formats of A and B are told by how many registers they take (LLVM, AMDGPUBaseInfo.cpp, wmma formats: 16
/// registers of FP8, 12 of FP6, 8 of FP4).
Table::Factors Table::factorsOf(const Program &program, uint32_t i) {
  constexpr unsigned ofF8 = 16, ofF4 = 8;
  const SmallVector<unsigned, 4> widths = factorWidths(program, i);
  const ArrayRef<unsigned> ofAB = ArrayRef(widths).take_front(2);
  if (any_of(ofAB, [](unsigned width) { return width >= ofF8; }))
    return Factors::AnyF8;
  return all_of(ofAB, [](unsigned width) { return width == ofF4; }) ? Factors::BothF4 : Factors::Others;
}

MatrixSlots Table::matrixSlots(const Program &program, uint32_t i) const {
  const StringRef mnemonic = program.instructions()[i].desc->mnemonic;
  for (const MatrixRow &row : matrix)
    if (MnemonicPatterns(row.names).fit(mnemonic) &&
        (row.factors == Factors::Any || row.factors == factorsOf(program, i)))
      return row.slots;
  return mostOfAll;
}

} // namespace inflight::hazards::shadow
