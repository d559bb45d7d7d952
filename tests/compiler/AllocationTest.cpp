// The checker of register allocation accepts what the allocator makes, spills included, and finds what is broken on
// purpose.
#include "compiler/driver/Candidates.h"
#include "compiler/regalloc/Check.h"
#include "compiler/regalloc/RegAlloc.h"
#include "compiler/schedule/Schedule.h"
#include "gtest/gtest.h"

using namespace inflight;
using namespace inflight::lir;
using namespace llvm;
using enum Mnemonic;

namespace {

class Kernel {
public:
  Function function;
  explicit Kernel(unsigned lanes = 64) {
    function.name = "k";
    function.isa = *Isa::get("gfx942");
    function.maxWorkgroupSize = lanes;
    function.blocks.resize(1);
    lane = newReg(RegFile::Vgpr);
    function.regs[lane.id].fixed = regunit::Vgpr0;
    add(makePseudo(Pseudo::ImplicitDef, {Operand::def(lane)})).hasSideEffects = true;
  }
  Reg newReg(RegFile file, unsigned width = 1) { return function.whole(function.newReg(file, width)); }
  Inst &add(Inst inst) {
    function.blocks.back().insts.push_back(std::move(inst));
    return function.blocks.back().insts.back();
  }
  Inst &add(Mnemonic mnemonic, ArrayRef<Operand> operands) { return add(makeInst(*function.isa, mnemonic, operands)); }
  Reg value(Mnemonic mnemonic, RegFile file, ArrayRef<Operand> sources) {
    Reg result = newReg(file);
    SmallVector<Operand, 4> operands{Operand::def(result)};
    operands.append(sources.begin(), sources.end());
    add(mnemonic, operands);
    return result;
  }
  /// Something outside sees it.
  void use(Reg reg) {
    add(v_readfirstlane_b32, {Operand::def(newReg(RegFile::Sgpr)), Operand::use(reg)}).hasSideEffects = true;
  }
  Reg lane;
};

/// Sums of the lane's number and many constants, all live at once.
Kernel withManyValues(unsigned count) {
  Kernel kernel(1024); // lanes: 128 registers each
  std::vector<Reg> values;
  for (unsigned i = 0; i < count; ++i)
    values.push_back(kernel.value(v_add_u32, RegFile::Vgpr, {Operand::imm64(i % 64), Operand::use(kernel.lane)}));
  for (Reg reg : values)
    kernel.use(reg);
  kernel.add(s_endpgm, {}).hasSideEffects = true;
  return kernel;
}

std::string checked(const AllocationChecker &checker, const Function &function) {
  return toString(checker.check(function));
}

} // namespace

TEST(AllocationChecker, FindsARegisterOfTwoValues) {
  Kernel kernel;
  Reg a = kernel.value(v_add_u32, RegFile::Vgpr, {Operand::imm64(1), Operand::use(kernel.lane)});
  Reg b = kernel.value(v_mul_lo_u32, RegFile::Vgpr, {Operand::use(a), Operand::use(kernel.lane)});
  kernel.use(a);
  kernel.use(b);
  AllocationChecker checker(kernel.function);
  ASSERT_FALSE(bool(allocateRegisters(kernel.function)));
  EXPECT_EQ(checked(checker, kernel.function), "");
  kernel.function.assignment[b.id] = kernel.function.assignment[a.id];
  EXPECT_NE(checked(checker, kernel.function).find("doesn't hold"), std::string::npos);
}

TEST(AllocationChecker, FindsALostMove) {
  Kernel kernel;
  Reg a = kernel.value(v_add_u32, RegFile::Vgpr, {Operand::imm64(1), Operand::use(kernel.lane)});
  Reg b = kernel.newReg(RegFile::Vgpr);
  kernel.add(makeCopy(b, a));
  kernel.add(v_add_u32, {Operand::def(a), Operand::imm64(2), Operand::use(a)});
  kernel.use(a);
  kernel.use(b);
  AllocationChecker checker(kernel.function);
  ASSERT_FALSE(bool(allocateRegisters(kernel.function)));
  EXPECT_EQ(checked(checker, kernel.function), "");
  std::vector<Inst> &insts = kernel.function.blocks[0].insts;
  const size_t before = insts.size();
  llvm::erase_if(insts, [](const Inst &inst) { return inst.is(v_mov_b32); });
  ASSERT_EQ(insts.size() + 1, before);
  EXPECT_NE(checked(checker, kernel.function).find("doesn't hold"), std::string::npos);
}

TEST(AllocationChecker, FollowsScratch) {
  Kernel kernel = withManyValues(200);
  AllocationChecker checker(kernel.function);
  ASSERT_FALSE(bool(allocateRegisters(kernel.function)));
  ASSERT_GT(kernel.function.vgprSpills, 0u);
  EXPECT_EQ(checked(checker, kernel.function), "");
  for (Inst &inst : kernel.function.blocks[0].insts)
    if (inst.memory == MemoryKind::Spilled && inst.mayLoad) {
      inst.modifiers.offset += 4;
      break;
    }
  EXPECT_NE(checked(checker, kernel.function).find("doesn't hold"), std::string::npos);
}

/// What is no better than another allocation is given up; what is within the limit is as without one.
TEST(RegisterAllocation, StopsAboveAsManySpillsAsAreAllowed) {
  Kernel kernel = withManyValues(200);
  const Function asGiven = kernel.function;
  ASSERT_FALSE(bool(allocateRegisters(kernel.function)));
  const unsigned spills = kernel.function.vgprSpills + kernel.function.sgprSpills;
  ASSERT_GT(spills, 0u);
  Function within = asGiven;
  ASSERT_FALSE(bool(allocateRegisters(within, {.mostSpills = spills})));
  EXPECT_EQ(within.assignment, kernel.function.assignment);
  Function above = asGiven;
  Error error = allocateRegisters(above, {.mostSpills = spills - 1});
  EXPECT_TRUE(error.isA<TooManySpills>());
  consumeError(std::move(error));
}

/// Values of all lanes are reloaded where few are active, for instructions that look at any.
/// Words of pairs that come long before the other words, among values that are live all the time.
TEST(RegisterAllocation, KeepsPairsThatCompleteLateInSingleRegistersUntilThen) {
  Kernel kernel(1024); // lanes: 128 registers each
  constexpr unsigned pairs = 60, others = 30;
  std::vector<Reg> first, live;
  auto number = [&](unsigned i) {
    return kernel.value(v_add_u32, RegFile::Vgpr, {Operand::imm64(i), Operand::use(kernel.lane)});
  };
  for (unsigned i = 0; i < pairs; ++i)
    first.push_back(number(i));
  for (unsigned i = 0; i < others; ++i)
    live.push_back(number(i));
  for (Reg low : first) {
    const Reg high = kernel.value(v_ashrrev_i32, RegFile::Vgpr, {Operand::imm64(31), Operand::use(low)});
    const Reg pair = kernel.newReg(RegFile::Vgpr, 2);
    kernel.add(makeCopy(pair.piece(0), low));
    kernel.add(makeCopy(pair.piece(1), high));
    kernel.add(v_lshrrev_b64, {Operand::def(kernel.newReg(RegFile::Vgpr, 2)), Operand::imm64(1), Operand::use(pair)})
        .hasSideEffects = true;
  }
  for (Reg reg : live)
    kernel.use(reg);
  kernel.add(s_endpgm, {}).hasSideEffects = true;
  if (Error error = allocateRegisters(kernel.function, {.check = true}))
    FAIL() << toString(std::move(error));
  EXPECT_EQ(kernel.function.vgprSpills, 0u);
}

TEST(AllocationChecker, FollowsExec) {
  Kernel kernel = withManyValues(0);
  Function &function = kernel.function;
  function.requiredWorkgroupSize[0] = 1024;
  function.requiredWorkgroupSize[1] = function.requiredWorkgroupSize[2] = 1;
  function.blocks[0].insts.pop_back();
  std::vector<Reg> values;
  for (unsigned i = 0; i < 200; ++i)
    values.push_back(kernel.value(v_add_u32, RegFile::Vgpr, {Operand::imm64(i % 64), Operand::use(kernel.lane)}));
  Inst &narrow = kernel.add(s_and_saveexec_b64, {Operand::def(kernel.newReg(RegFile::Sgpr, 2)), Operand::imm64(15)});
  narrow.hasSideEffects = true;
  narrow.operands.push_back(Operand::specialReg(Special::Exec, true).implicit());
  for (Reg reg : values)
    kernel.add(v_readlane_b32, {Operand::def(kernel.newReg(RegFile::Sgpr)), Operand::use(reg), Operand::imm64(40)})
        .hasSideEffects = true;
  AllocationChecker checker(function);
  ASSERT_FALSE(bool(allocateRegisters(function)));
  ASSERT_GT(function.vgprSpills, 0u);
  EXPECT_EQ(checked(checker, function), "");
  llvm::erase_if(function.blocks[0].insts, [](const Inst &inst) {
    return inst.is(s_mov_b64) && inst.operands[0].is(Special::Exec) && inst.operands[1].isImm();
  });
  EXPECT_NE(checked(checker, function).find("in active lanes only"), std::string::npos);
}

TEST(AllocationChecker, FollowsLanes) {
  Kernel kernel;
  std::vector<Reg> values;
  Reg first = kernel.value(v_readfirstlane_b32, RegFile::Sgpr, {Operand::use(kernel.lane)});
  for (unsigned i = 0; i < 150; ++i)
    values.push_back(kernel.value(s_add_u32, RegFile::Sgpr, {Operand::use(first), Operand::imm64(i % 64)}));
  for (Reg reg : values)
    kernel.use(kernel.value(v_mov_b32, RegFile::Vgpr, {Operand::use(reg)}));
  AllocationChecker checker(kernel.function);
  ASSERT_FALSE(bool(allocateRegisters(kernel.function)));
  ASSERT_GT(kernel.function.sgprSpills, 0u);
  EXPECT_EQ(checked(checker, kernel.function), "");
  for (Inst &inst : kernel.function.blocks[0].insts)
    if (inst.is(v_readlane_b32)) {
      inst.operands[2].imm ^= 1;
      break;
    }
  EXPECT_NE(checked(checker, kernel.function).find("doesn't hold"), std::string::npos);
}

/// Two paths into a block leave a value in different places.
TEST(AllocationChecker, MeetsAtJoins) {
  Kernel kernel;
  Function &function = kernel.function;
  function.blocks.resize(4);
  const Reg merged = kernel.newReg(RegFile::Vgpr);
  auto into = [&](unsigned block, Inst inst) { function.blocks[block].insts.push_back(std::move(inst)); };
  into(0, makeInst(*function.isa, s_cbranch_scc0, {Operand::block(2)}));
  function.blocks[0].insts.back().isTerminator = function.blocks[0].insts.back().hasSideEffects = true;
  function.blocks[0].successors = {1, 2};
  into(1, makeInst(*function.isa, v_add_u32, {Operand::def(merged), Operand::imm64(1), Operand::use(kernel.lane)}));
  function.blocks[1].successors = {3};
  into(2, makeInst(*function.isa, v_add_u32, {Operand::def(merged), Operand::imm64(2), Operand::use(kernel.lane)}));
  function.blocks[2].successors = {3};
  Inst use =
      makeInst(*function.isa, v_readfirstlane_b32, {Operand::def(kernel.newReg(RegFile::Sgpr)), Operand::use(merged)});
  use.hasSideEffects = true;
  into(3, use);
  AllocationChecker checker(function);
  ASSERT_FALSE(bool(allocateRegisters(function)));
  EXPECT_EQ(checked(checker, function), "");
  // The second definition goes elsewhere.
  const RegId other = function.newReg(RegFile::Vgpr);
  function.assignment.push_back(regunit::Vgpr0 + 9);
  function.blocks[2].insts[0].operands[0].reg.id = other;
  EXPECT_NE(checked(checker, function).find("doesn't hold"), std::string::npos);
}

static bool isReload(const Inst &inst) { return inst.memory == MemoryKind::Spilled && inst.mayLoad; }

TEST(EarlyReloads, StandWhereTheirRegistersBecomeFree) {
  Kernel kernel(1024);
  std::vector<Reg> values;
  for (unsigned i = 0; i < 160; ++i)
    values.push_back(kernel.value(v_add_u32, RegFile::Vgpr, {Operand::imm64(i % 64), Operand::use(kernel.lane)}));
  Reg sum = kernel.lane;
  for (Reg reg : values)
    sum = kernel.value(v_add_u32, RegFile::Vgpr, {Operand::use(sum), Operand::use(reg)});
  kernel.use(sum);
  kernel.add(s_endpgm, {}).hasSideEffects = true;
  ASSERT_FALSE(bool(allocateRegisters(kernel.function, {.check = true})));
  ASSERT_GT(kernel.function.vgprSpills, 0u);
  ArrayRef<Inst> insts = kernel.function.blocks[0].insts;
  unsigned early = 0;
  for (size_t i = 0; i + 1 < insts.size(); ++i)
    early += isReload(insts[i]) && none_of(insts[i + 1].operands, [&](const Operand &operand) {
               return operand.isReg() && operand.reg == insts[i].operands[0].reg;
             });
  EXPECT_EQ(early, kernel.function.vgprSpills);
}

TEST(EarlyReloads, PassNoSideEffects) {
  Kernel kernel = withManyValues(200);
  ASSERT_FALSE(bool(allocateRegisters(kernel.function, {.check = true})));
  ArrayRef<Inst> insts = kernel.function.blocks[0].insts;
  unsigned reloads = 0;
  for (size_t i = 0; i + 1 < insts.size(); ++i)
    if (isReload(insts[i])) {
      ++reloads;
      EXPECT_TRUE(insts[i + 1].is(v_readfirstlane_b32));
    }
  EXPECT_GT(reloads, 0u);
}

TEST(Cost, CountsWordsByTheLoopsAroundThem) {
  Kernel kernel = withManyValues(200);
  EXPECT_FALSE(costOf(kernel.function).spills());
  ASSERT_FALSE(bool(allocateRegisters(kernel.function)));
  const Cost outside = costOf(kernel.function);
  EXPECT_TRUE(outside.spills());
  kernel.function.blocks[0].loopDepth = 2;
  EXPECT_EQ(costOf(kernel.function).reloads, 100 * outside.reloads);
}

/// All waves of a workgroup run at once: what one of them hasn't got is spilled, however few waves the order was made
/// for.
TEST(Scheduling, LeavesRoomForAWorkgroup) {
  Kernel kernel(1024);
  std::vector<Reg> values;
  for (unsigned i = 0; i < 200; ++i)
    values.push_back(kernel.value(v_add_u32, RegFile::Vgpr, {Operand::imm64(i % 64), Operand::use(kernel.lane)}));
  for (auto [i, reg] : enumerate(values)) {
    Inst &store = kernel.add(ds_write_b32, {Operand::use(kernel.lane), Operand::use(reg)});
    store.memory = MemoryKind::Lds;
    store.mayStore = true;
    store.modifiers.offset = 4 * i;
  }
  kernel.add(s_endpgm, {}).hasSideEffects = true;
  ASSERT_TRUE(bool(scheduleInstructions(kernel.function)));
  ASSERT_FALSE(bool(allocateRegisters(kernel.function)));
  EXPECT_EQ(kernel.function.vgprSpills, 0u);
}

/// Without bases of their own only what the instruction's offsets reach is read together.
TEST(MergedLds, NeedBasesWhereOffsetsDontReach) {
  for (const bool makesBases : {true, false})
    for (const unsigned offset : {0u, 4096u}) {
      Kernel kernel;
      for (unsigned i = 0; i < 2; ++i) {
        Inst &read = kernel.add(ds_read_b32, {Operand::def(kernel.newReg(RegFile::Vgpr)), Operand::use(kernel.lane)});
        read.memory = MemoryKind::Lds;
        read.mayLoad = true;
        read.modifiers.offset = offset + 4 * i;
      }
      kernel.add(s_endpgm, {}).hasSideEffects = true;
      EXPECT_EQ(mergeLdsAccesses(kernel.function, makesBases), makesBases && offset);
      EXPECT_EQ(any_of(kernel.function.blocks[0].insts, [](const Inst &inst) { return inst.is(ds_read2_b32); }),
                makesBases || !offset);
    }
}
