// The record of one opcode: all that the rest of Inflight knows of an instruction without its operands.
#pragma once

#include "isa/chip/RegUnit.h"
#include "isa/instr/Bitwise.h"
#include "isa/instr/Comparison.h"
#include "isa/instr/MemoryAccess.h"
#include "isa/instr/Mnemonic.h"
#include "isa/instr/Traits.h"
#include "llvm/ADT/SmallVector.h"
#include <string>

namespace inflight {

/// The encoding family (ISA manuals, chapter "Microcode formats").
enum class Format : uint8_t {
  Other,
  Sop1,
  Sop2,
  Sopc,
  Sopk,
  Sopp,
  Vop1,
  Vop2,
  Vopc,
  Vop3,
  Vop3p,
  Smem,
  Ds,
  Mubuf,
  Mtbuf,
  Flat,
  Vopd,  ///< two vector operations in one instruction
  Image, ///< images and tensors, from gfx11 on
};

/// Operations whose completion is counted together and in one order (ISA manuals, S_WAITCNT). Those of one class return
/// in the order of issue, but for Smem and Message.
enum class OrderClass : uint8_t {
  None,      ///< done when the next instruction issues, or nothing can wait for it
  Vmem,      ///< loads, stores and atomics of memory through the vector cache
  LdsDma,    ///< writes LDS from memory
  Flat,      ///< may touch LDS or memory: counted for both
  WriteBack, ///< a cache's dirty lines to memory
  Lds,       ///< DS instructions, the crossbar's exchanges among them
  Smem,      ///< scalar loads and stores, out of order
  Message,   ///< s_sendmsg, GWS, scalar cache control
  // Where a chip's counters make no difference, these are of a class above (CounterTable::classOf).
  Store,       ///< of memory through the vector cache, and atomics without a result
  FlatStore,   ///< the same that may touch LDS
  Sample,      ///< images with a sampler
  Bvh,         ///< intersections of rays
  LdsDmaStore, ///< writes memory from LDS
  Tensor,      ///< tiles from memory to LDS
  TensorStore, ///< tiles from LDS to memory
  // By which an instruction is known to the counters of the ALUs' registers (InstrDesc::registers), beside the above.
  Valu,        ///< vector ALU but for the following
  ValuDouble,  ///< of doubles
  ValuTrans,   ///< transcendental
  ValuMatrix,  ///< WMMA
  ValuAny,     ///< in one of these pipes
  LdsReads,    ///< reads its VGPRs as LDS instructions do
  FlatReads,   ///< as the FLAT encodings do, global and scratch among them
  BufferReads, ///< as buffer and image instructions do
};
inline constexpr unsigned orderClassCount = unsigned(OrderClass::BufferReads) + 1;

constexpr bool isVectorAlu(OrderClass order) { return order >= OrderClass::Valu && order <= OrderClass::ValuAny; }

/// Of generic addresses: may touch LDS as well as memory.
constexpr bool isFlat(OrderClass order) { return order == OrderClass::Flat || order == OrderClass::FlatStore; }
/// Between memory and LDS, with no register for the data.
constexpr bool isLdsDma(OrderClass order) {
  return order == OrderClass::LdsDma || (order >= OrderClass::LdsDmaStore && order <= OrderClass::TensorStore);
}
/// Of memory through the vector cache, to or from registers.
constexpr bool isVectorMemory(OrderClass order) {
  return order == OrderClass::Vmem || order == OrderClass::Store || order == OrderClass::Sample ||
         order == OrderClass::Bvh;
}

/// Properties of one opcode of one chip. Immutable; lives as long as the Isa.
struct InstrDesc : Traits {
  unsigned opcode = 0;
  std::string mnemonic; ///< as assembled, without _e32/_e64/_sdwa/_dpp: "v_add_f32"
  Mnemonic id = Mnemonic::none;
  Format format = Format::Other;
  OrderClass order = OrderClass::None;
  OrderClass registers = OrderClass::None; ///< of its VGPRs: when they are read and written, where software has to know
  MemoryAccess access;
  Bitwise bitwise = Bitwise::None;      ///< of scalar instructions
  std::optional<Comparison> comparison; ///< of integers, into SCC or a mask
  bool is64Bit : 1 = false;             ///< its name ends with _b64
  bool isSdwa : 1 = false, isDpp : 1 = false;
  bool isVop3Encoding : 1 = false;                              ///< 64-bit VOP3 encoding of any VOP instruction
  bool isFlatGlobal : 1 = false;                                ///< global_*: a FLAT encoding that never touches LDS
  bool isFlatScratch : 1 = false;                               ///< scratch_*
  bool isMfma : 1 = false;                                      ///< v_mfma_*, v_smfmac_*
  bool isWmma : 1 = false;                                      ///< v_wmma_*, v_swmmac_*
  bool isTrans : 1 = false;                                     ///< transcendental unit
  bool isLdsDma : 1 = false;                                    ///< writes LDS from memory, no register
  bool isLdsStore : 1 = false;                                  ///< writes memory from LDS, no register
  bool isCountedAsync : 1 = false, isCountedTensor : 1 = false; ///< by ASYNCcnt, TENSORcnt
  bool mayLoad : 1 = false, mayStore : 1 = false;
  bool isAtomicRet : 1 = false, isAtomicNoRet : 1 = false;
  bool isBranch : 1 = false, isConditionalBranch : 1 = false, isCall : 1 = false;
  bool isBarrierWait : 1 = false; ///< s_barrier_wait, the second half; isBarrier is s_barrier and the first
  bool isEndOfProgram : 1 = false, isBarrier : 1 = false, isWaitcnt : 1 = false, isTrap : 1 = false;
  bool isAluWait : 1 = false;   ///< s_wait_alu, where its counters are known
  bool isNop : 1 = false;       ///< s_nop
  uint8_t definitions = 0;      ///< the first operands are written
  uint32_t tiedDefinitions = 0; ///< bits: those of them that are read, too
  llvm::SmallVector<RegRange, 2> implicitReads, implicitWrites;

  /// LLVM's tables don't say which VOP format a DPP or SDWA encoding extends.
  bool isValu() const { return (format >= Format::Vop1 && format <= Format::Vop3p) || format == Format::Vopd; }
  bool isSalu() const { return format >= Format::Sop1 && format <= Format::Sopk; }
  bool isVmem() const { return format == Format::Mubuf || format == Format::Mtbuf || format == Format::Flat; }
  bool isSmem() const { return format == Format::Smem; }
  bool isDs() const { return format == Format::Ds; }
  /// FLAT that may touch LDS as well as memory: both counters, out of order.
  bool isGenericFlat() const { return format == Format::Flat && !isFlatGlobal && !isFlatScratch; }
  /// Raises the counter of exports: these chips have no others.
  bool isExport() const { return isGws; }
  bool isAtomic() const { return isAtomicRet || isAtomicNoRet; }
  /// A lane's result depends on other lanes' registers: EXEC doesn't tell which lanes' registers are read.
  bool exchangesLanes() const { return crossesLanes || isDpp; }
};

} // namespace inflight
