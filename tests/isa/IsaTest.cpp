// What is derived from LLVM's tables, against what the ISA manuals say.
#include "isa/Isa.h"
#include "isa/chip/Occupancy.h"

#include "gtest/gtest.h"

using namespace inflight;

namespace {

const Isa &isa(llvm::StringRef chip) { return **Isa::get(chip); }

const InstrDesc &entry(llvm::StringRef chip, llvm::StringRef mnemonic) {
  llvm::ArrayRef<const InstrDesc *> found = isa(chip).findMnemonic(mnemonic);
  EXPECT_FALSE(found.empty()) << chip.str() << " " << mnemonic.str();
  static const InstrDesc none;
  return found.empty() ? none : *found.front();
}

TEST(Isa, UnknownChipsAreErrorsThatListTheKnown) {
  llvm::Expected<const Isa *> unknown = Isa::get("gfx1103");
  ASSERT_FALSE(bool(unknown));
  EXPECT_EQ(llvm::toString(unknown.takeError()), "unknown chip 'gfx1103'; supported: gfx90a, gfx942, gfx950, gfx1100, "
                                                 "gfx1150, gfx1151, gfx1200, gfx1201, gfx1250");
}

TEST(Isa, RenamedInstructionsAreThoseOfBoth) {
  // What gfx9 has under the older name, and a newer chip under the other.
  struct Row {
    const char *name, *older;
  };
  static constexpr Row rows[] = {
#define RENAMED(name, older) {#name, #older},
#include "isa/instr/Renamed.def"
#undef RENAMED
  };
  for (const auto &[name, older] : rows) {
    EXPECT_TRUE(llvm::any_of(executedChips(), [&](auto chip) { return !isa(chip).findMnemonic(older).empty(); }))
        << older;
    EXPECT_TRUE(llvm::none_of(executedChips(), [&](auto chip) { return !isa(chip).findMnemonic(name).empty(); }))
        << name;
    unsigned found = 0;
    for (llvm::StringRef chip : supportedChips().drop_front(executedChips().size()))
      for (const InstrDesc *desc : isa(chip).findMnemonic(name)) {
        EXPECT_EQ(desc->id, mnemonicOf(older)) << name;
        ++found;
      }
    EXPECT_TRUE(found) << name;
  }
}

TEST(Isa, NewerNamesSayWhatIsAccessed) {
  EXPECT_EQ(entry("gfx1201", "global_load_b96").access.bytes, 12);
  EXPECT_EQ(entry("gfx1201", "s_load_b96").access.bytes, 12);
  EXPECT_EQ(entry("gfx1201", "buffer_load_d16_hi_u8").access.bytes, 1);
  EXPECT_EQ(entry("gfx1201", "buffer_load_d16_hi_u8").access.halves, 2);
  EXPECT_EQ(entry("gfx1201", "ds_load_2addr_stride64_b64").access.places, 2);
  EXPECT_EQ(entry("gfx1201", "ds_load_2addr_stride64_b64").access.offsetUnit, 512);
  EXPECT_EQ(entry("gfx1250", "global_load_async_to_lds_b128").access.bytes, 16);
  EXPECT_TRUE(entry("gfx1250", "global_load_async_to_lds_b128").isLdsDma);
  EXPECT_TRUE(entry("gfx1250", "global_load_async_to_lds_b128").isCountedAsync);
  EXPECT_TRUE(entry("gfx1250", "global_store_async_from_lds_b128").isLdsStore);
  EXPECT_FALSE(entry("gfx1250", "global_store_async_from_lds_b128").isLdsDma);
  EXPECT_TRUE(entry("gfx1250", "tensor_load_to_lds").isLdsDma);
  EXPECT_TRUE(entry("gfx1250", "tensor_load_to_lds").isCountedTensor);
  EXPECT_TRUE(entry("gfx1250", "v_wmma_f32_16x16x32_f16").isWmma);
  EXPECT_TRUE(isa("gfx1250").findMnemonic("v_mfma_f32_16x16x16_f16").empty());
  EXPECT_TRUE(isa("gfx1201").findMnemonic("tensor_load_to_lds").empty());
}

TEST(Isa, RegistersHaveTheAssemblersNames) {
  EXPECT_EQ(registerNamed("v4"), (RegRange{regunit::Vgpr0 + 4, 1}));
  EXPECT_EQ(registerNamed("a255"), (RegRange{regunit::Agpr0 + 255, 1}));
  EXPECT_EQ(registerNamed("s101"), (RegRange{101, 1}));
  EXPECT_EQ(registerNamed("ttmp9"), (RegRange{regunit::Ttmp0 + 9, 1}));
  EXPECT_EQ(registerNamed("vcc"), (RegRange{regunit::VccLo, 2}));
  EXPECT_EQ(registerNamed("exec_hi"), (RegRange{regunit::ExecHi, 1}));
  for (const char *name : {"", "v", "v256", "s102", "ttmp16", "v-1", "v1x", "V1", "v[0:1]", "m1", "vcc_mid"})
    EXPECT_EQ(registerNamed(name), std::nullopt) << name;
}

TEST(Isa, CountersFollowTheKindOfMemory) {
  const CounterSet vm = setOf(Counter::Vm), lgkm = setOf(Counter::Lgkm);
  for (llvm::StringRef chip : executedChips()) {
    auto raisedBy = [&](llvm::StringRef mnemonic) { return isa(chip).counters().raisedBy(entry(chip, mnemonic)); };
    for (const char *mnemonic : {"buffer_load_dword", "buffer_store_dword", "global_load_dword", "buffer_wbl2"})
      EXPECT_EQ(raisedBy(mnemonic), vm) << mnemonic;
    for (const char *mnemonic : {"ds_read_b32", "ds_bpermute_b32", "ds_gws_init", "s_load_dword", "s_sendmsg"})
      EXPECT_EQ(raisedBy(mnemonic), lgkm) << mnemonic;
    EXPECT_EQ(raisedBy("flat_load_dword"), vm | lgkm);
    EXPECT_EQ(raisedBy(chip == "gfx90a" ? "buffer_invl2" : "buffer_inv"), vm);
    EXPECT_EQ(raisedBy("v_add_f32"), 0);
  }
}

TEST(Isa, EncodingsOfOtherFamiliesAreNone) {
  // Their names begin as this family's do.
  for (llvm::StringRef chip : {"gfx90a", "gfx942", "gfx950"}) {
    const Isa &isa = *llvm::cantFail(Isa::get(chip));
    for (llvm::StringRef mnemonic : {"v_fma_f16", "v_div_fixup_f16", "v_mad_i16", "v_mad_u16", "v_add_f16"})
      for (const InstrDesc *desc : isa.findMnemonic(mnemonic)) {
        const llvm::StringRef name = isa.instrInfo().getName(desc->opcode);
        EXPECT_FALSE(name.contains("_gfx1")) << name.str();
      }
  }
}

TEST(Isa, VectorRegistersAreThoseOfTheirNames) {
  for (llvm::StringRef chip : executedChips()) {
    const Isa &isa = ::isa(chip);
    for (unsigned reg = 1; reg < isa.registerInfo().getNumRegs(); ++reg) {
      const llvm::StringRef name = isa.registerInfo().getName(reg);
      const bool isAgpr = name.starts_with("AGPR");
      llvm::StringRef number = name.split('_').first;
      unsigned first;
      if ((!isAgpr && !name.starts_with("VGPR")))
        continue;
      ASSERT_FALSE(number.drop_front(4).getAsInteger(10, first)) << name.str();
      const unsigned all = isAgpr ? isa.target().maxAccVgprs : isa.target().maxArchVgprs;
      const bool isHalf = name.ends_with("_LO16") || name.ends_with("_HI16");
      const RegRange range = isa.regRange(reg);
      if (isHalf || first >= all) {
        EXPECT_EQ(range.count, 0) << name.str();
        continue;
      }
      const unsigned count = name.count("GPR");
      if (first + count > all) // the chip has a part of these
        continue;
      EXPECT_EQ(range.count, count) << name.str();
      EXPECT_EQ(range.first, (isAgpr ? regunit::Agpr0 : regunit::Vgpr0) + first) << name.str();
    }
  }
}

TEST(Isa, OpcodesAreFoundByTheirNames) {
  for (llvm::StringRef chip : executedChips())
    EXPECT_TRUE(isa(chip).findsAllOpcodes()) << chip.str();
}

TEST(Isa, ShortFormsAreThoseOfTheChip) {
  // gfx90a gave the number of this one's to v_fmac_f64.
  for (llvm::StringRef chip : {"gfx90a", "gfx942", "gfx950"}) {
    const Isa &isa = *llvm::cantFail(Isa::get(chip));
    EXPECT_FALSE(isa.findMnemonic("v_mul_legacy_f32").empty());
    for (const InstrDesc *desc : isa.findMnemonic("v_mul_legacy_f32"))
      EXPECT_EQ(isa.instrInfo().get(desc->opcode).getSize(), 8u) << chip.str();
  }
}

TEST(Isa, InstructionsOfOneChipAreNotThoseOfAnother) {
  EXPECT_TRUE(isa("gfx90a").findMnemonic("v_lshl_add_u64").empty());
  EXPECT_FALSE(isa("gfx942").findMnemonic("v_lshl_add_u64").empty());
  EXPECT_TRUE(isa("gfx942").findMnemonic("v_permlane32_swap_b32").empty());
  EXPECT_FALSE(isa("gfx950").findMnemonic("v_permlane32_swap_b32").empty());
  EXPECT_TRUE(isa("gfx942").findMnemonic("s_wait_loadcnt").empty()) << "an instruction of gfx12";
}

TEST(Isa, WaitsRoundTrip) {
  // vmcnt [3:0] and [15:14], expcnt [6:4], lgkmcnt [11:8].
  const WaitEncoding &waits = isa("gfx942").counters().encoding;
  EXPECT_EQ(waits.encode({}), 0xcf7f);
  EXPECT_EQ(waits.decode(0xcf7f), WaitOperands());
  EXPECT_EQ(waits.decode(0x8a35).counts[Counter::Vm], WaitCount(37));
  EXPECT_EQ(waits.decode(0x8a35).exports, WaitCount(3));
  EXPECT_EQ(waits.decode(0x8a35).counts[Counter::Lgkm], WaitCount(10));
  EXPECT_EQ(waits.text(waits.decode(0x8a35)), "s_waitcnt vmcnt(37) expcnt(3) lgkmcnt(10)");
  for (unsigned immediate = 0; immediate <= 0xffff; ++immediate) {
    const WaitOperands wait = waits.decode(immediate);
    ASSERT_EQ(waits.encode(wait), immediate & 0xcf7f);
    const std::string operands = waits.operands(wait);
    llvm::StringRef text = operands;
    ASSERT_EQ(waits.read(text), wait);
    ASSERT_EQ(text, "");
  }
  llvm::StringRef bad = "vmcnt(1";
  EXPECT_EQ(waits.read(bad), std::nullopt);
}

TEST(Isa, CountersThatNoWaitHasAreRefused) {
  std::vector<CounterInfo> counters(2);
  auto errorOf = [&] { return toString(WaitEncoding::make(counters).takeError()); };
  counters[0].name = "loadcnt";
  counters[0].maximum = 64;
  EXPECT_EQ(errorOf(), "s_wait_loadcnt_dscnt has no counter 'loadcnt' up to 64");
  counters[0].maximum = 63;
  counters[1].name = "lgkmcnt";
  EXPECT_EQ(errorOf(), "no instruction waits for 'lgkmcnt'");
  counters[0].name = "vmcnt";
  counters[1].maximum = 63;
  EXPECT_EQ(errorOf(), "s_waitcnt has no counter 'lgkmcnt' up to 63");
  counters.pop_back();
  EXPECT_EQ(errorOf(), "the counters of s_waitcnt are vmcnt and lgkmcnt");
}

TEST(Isa, FormatsAndKinds) {
  EXPECT_EQ(entry("gfx942", "v_add_f32").format, Format::Vop2);
  EXPECT_EQ(entry("gfx942", "v_pk_fma_f32").format, Format::Vop3p);
  EXPECT_EQ(entry("gfx942", "s_add_u32").format, Format::Sop2);
  EXPECT_EQ(entry("gfx942", "ds_write_b64").format, Format::Ds);
  EXPECT_TRUE(entry("gfx942", "v_mfma_f32_32x32x8_f16").isMfma);
  EXPECT_TRUE(entry("gfx942", "v_exp_f32").isTrans);
  EXPECT_TRUE(entry("gfx942", "s_barrier").isBarrier);
  EXPECT_TRUE(entry("gfx942", "s_endpgm").isEndOfProgram);
  EXPECT_TRUE(entry("gfx942", "s_cbranch_scc1").isConditionalBranch);
}

/// LLVM's flags don't say it of DPP and SDWA.
TEST(Isa, ShortEncodingsExtendedByDppAndSdwaHaveTheirFormat) {
  const std::pair<llvm::StringRef, Format> instructions[] = {{"v_mov_b32", Format::Vop1},
                                                             {"v_add_f32", Format::Vop2},
                                                             {"v_cmp_eq_u32", Format::Vopc},
                                                             {"v_cvt_f32_f16", Format::Vop1},
                                                             {"v_fmac_f32", Format::Vop2}};
  for (auto [mnemonic, format] : instructions)
    for (const InstrDesc *desc : isa("gfx942").findMnemonic(mnemonic))
      if (desc->isDpp || desc->isSdwa)
        EXPECT_EQ(desc->format, format) << mnemonic.str() << (desc->isDpp ? " dpp" : " sdwa");
}

TEST(TargetInfo, OccupancyFollowsTheGranule) {
  const TargetInfo &target = isa("gfx942").target();
  const std::pair<unsigned, unsigned> waves[] = {{64, 8},  {65, 7},  {72, 7},  {80, 6}, {96, 5},
                                                 {128, 4}, {168, 3}, {256, 2}, {512, 1}};
  for (auto [registers, expected] : waves)
    EXPECT_EQ(target.wavesForVgprs(registers), expected) << registers;
  EXPECT_EQ(target.vgprsForWaves(3), 168u);
}

TEST(Occupancy, IsTheLeastOfWhatEachResourceAllows) {
  const TargetInfo &target = isa("gfx942").target();
  // Four waves of 128 registers take a quarter of each SIMD, and 20 KiB a third of 64 KiB.
  const Occupancy byLds = Occupancy::of(target, {.waves = 4, .vgprs = 128, .sgprs = 32, .ldsBytes = 20 << 10});
  EXPECT_EQ(byLds.byVgprs, 4u);
  EXPECT_EQ(byLds.byLds, 3u);
  EXPECT_EQ(byLds.workgroups, 3u);
  EXPECT_EQ(byLds.wavesPerSimd, 4u);
  // Eight waves of each SIMD at most; single waves need no barrier.
  const Occupancy small = Occupancy::of(target, {});
  EXPECT_EQ(small.workgroups, 32u);
  EXPECT_EQ(small.byLds, ~0u);
  EXPECT_EQ(small.byBarriers, ~0u);
  // Sixteen barriers.
  EXPECT_EQ(Occupancy::of(target, {.waves = 2}).workgroups, 16u);
  EXPECT_EQ(Occupancy::of(target, {.waves = 16, .vgprs = 512}).workgroups, 0u);
}

} // namespace
