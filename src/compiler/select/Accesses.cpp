#include "compiler/select/Accesses.h"

#include "compiler/pipeline/Attributes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight::select {

/// The widest access of at most `left` bytes that the address' alignment allows.
static unsigned accessBytes(unsigned space, unsigned left, uint64_t alignment) {
  if (space == ldsSpace) {
    // LDS accesses wider than their alignment are legal but slow; below a dword nothing is gained
    // by splitting, because such data is packed and the hardware is in unaligned mode.
    if (alignment < 4)
      alignment = 16;
    for (unsigned bytes : {16u, 8u, 4u, 2u, 1u})
      if (left >= bytes && (alignment >= bytes || bytes <= 4))
        return bytes;
  }
  for (unsigned bytes : {16u, 12u, 8u, 4u, 2u, 1u})
    if (left >= bytes)
      return bytes;
  return 1;
}

static uint64_t alignmentAt(uint64_t alignment, unsigned offset) {
  return offset ? std::min<uint64_t>(alignment, offset & -offset) : alignment;
}

static lir::MemoryKind memoryKind(unsigned space) {
  return space == ldsSpace       ? lir::MemoryKind::Lds
         : space == privateSpace ? lir::MemoryKind::Scratch
                                 : lir::MemoryKind::Global;
}

namespace {
struct Width {
  unsigned bytes;
  Mnemonic mnemonics[4]; ///< by Fields::Format
};
} // namespace

static Mnemonic find(ArrayRef<Width> widths, unsigned bytes, unsigned format) {
  for (const Width &width : widths)
    if (width.bytes == bytes)
      return width.mnemonics[format];
  return none;
}

Mnemonic Addresses::Fields::load(unsigned bytes) const {
  static constexpr Width widths[] = {
      {16, {ds_read_b128, buffer_load_dwordx4, scratch_load_dwordx4, global_load_dwordx4}},
      {12, {ds_read_b96, buffer_load_dwordx3, scratch_load_dwordx3, global_load_dwordx3}},
      {8, {ds_read_b64, buffer_load_dwordx2, scratch_load_dwordx2, global_load_dwordx2}},
      {4, {ds_read_b32, buffer_load_dword, scratch_load_dword, global_load_dword}},
      {2, {ds_read_u16, buffer_load_ushort, scratch_load_ushort, global_load_ushort}},
      {1, {ds_read_u8, buffer_load_ubyte, scratch_load_ubyte, global_load_ubyte}}};
  return find(widths, bytes, unsigned(format));
}

Mnemonic Addresses::Fields::store(unsigned bytes) const {
  static constexpr Width widths[] = {
      {16, {ds_write_b128, buffer_store_dwordx4, scratch_store_dwordx4, global_store_dwordx4}},
      {12, {ds_write_b96, buffer_store_dwordx3, scratch_store_dwordx3, global_store_dwordx3}},
      {8, {ds_write_b64, buffer_store_dwordx2, scratch_store_dwordx2, global_store_dwordx2}},
      {4, {ds_write_b32, buffer_store_dword, scratch_store_dword, global_store_dword}},
      {2, {ds_write_b16, buffer_store_short, scratch_store_short, global_store_short}},
      {1, {ds_write_b8, buffer_store_byte, scratch_store_byte, global_store_byte}}};
  return find(widths, bytes, unsigned(format));
}

Mnemonic Addresses::Fields::storeUpper(unsigned bytes) const {
  static constexpr Width widths[] = {
      {2, {ds_write_b16_d16_hi, buffer_store_short_d16_hi, scratch_store_short_d16_hi, global_store_short_d16_hi}},
      {1, {ds_write_b8_d16_hi, buffer_store_byte_d16_hi, scratch_store_byte_d16_hi, global_store_byte_d16_hi}}};
  return find(widths, bytes, unsigned(format));
}

namespace {
struct Transfer {
  unsigned bytes;
  Mnemonic buffer, global;
};
constexpr Transfer transfers[] = {{1, buffer_load_ubyte, global_load_lds_ubyte},
                                  {2, buffer_load_ushort, global_load_lds_ushort},
                                  {4, buffer_load_dword, global_load_lds_dword},
                                  {12, buffer_load_dwordx3, global_load_lds_dwordx3},
                                  {16, buffer_load_dwordx4, global_load_lds_dwordx4}};
} // namespace

/// What an access of this kind adds to its instruction.
static void apply(const AccessKind &kind, lir::Inst &inst) {
  inst.hasSideEffects |= kind.isOrdered;
  if (inst.memory == lir::MemoryKind::Global) {
    inst.modifiers.cache.sc0 |= kind.cache.sc0;
    inst.modifiers.cache.nt |= kind.cache.nt;
    inst.modifiers.cache.sc1 |= kind.cache.sc1;
    if (kind.isUnwritten)
      inst.memory = lir::MemoryKind::Unwritten;
  }
}

Elems Accesses::loadBytes(const Address &address, unsigned bytes, unsigned start, const AccessKind &kind) {
  Elems result;
  for (unsigned done = 0; done < bytes;) {
    unsigned size = accessBytes(address.space, bytes - done, alignmentAt(address.alignment, start + done));
    Fields fields = fieldsFor(address, start + done, size);
    Reg data = newVgpr(divideCeil(size, 4));
    SmallVector<Operand, 5> operands{Operand::def(data)};
    operands.append(fields.operands.begin(), fields.operands.end());
    lir::Inst &inst = emit(fields.load(size), operands, fields.modifiers);
    inst.memory = memoryKind(address.space);
    inst.mayLoad = true;
    inst.lds = address.ldsBytes(start + done, size);
    apply(kind, inst);
    Elems words = pieces(data);
    if (size < 4)
      state.loadedBits[{data.id, words[0].reg.sub}] = maskTrailingOnes<uint32_t>(8 * size);
    if (size < 4 && done % 4) {
      // A tail of a vector of bytes that does not start a word.
      result.back() = bitOr(result.back(), shl(words[0], Elem::constant(8 * (done % 4))));
    } else {
      result.append(words.begin(), words.end());
    }
    done += size;
  }
  return result;
}

Elems Accesses::readBack(LLVM::LoadOp load, Elems words) {
  if (divergence.isReadBack(load))
    for (Elem &word : words)
      word = toSgpr(word);
  return words;
}

Elems Accesses::loadScalars(const Address &address, unsigned bytes, const AccessKind &kind) {
  Elems result;
  Elem offset = address.laneOffset;
  if (!allScalar(address.base) || !isScalar(offset)) {
    for (const Elem &word : loadBytes(address, bytes, 0, {}))
      result.push_back(toSgpr(word));
    return result;
  }
  // The offset field has 21 bits, of which the highest is the sign.
  constexpr int64_t reach = 1 << 20;
  int64_t constant = address.constant;
  Elems base = add64(address.base, {offset, Elem::constant(0)});
  if (constant < 0 || constant + bytes > reach) {
    base = add64(base, constantPair(constant));
    constant = 0;
  }
  for (unsigned done = 0; done < bytes;) {
    constexpr Mnemonic loads[] = {s_load_dword, s_load_dwordx2, s_load_dwordx4, s_load_dwordx8, s_load_dwordx16};
    const unsigned words = std::min<unsigned>(llvm::bit_floor((bytes - done) / 4), 1u << (std::size(loads) - 1));
    Reg data = newSgpr(words);
    lir::Inst &load = emit(loads[Log2_32(words)], {Operand::def(data), Operand::use(tuple(base, RegFile::Sgpr)),
                                                   Operand::imm64(constant + done)});
    load.memory = kind.isUnwritten ? lir::MemoryKind::Unwritten : lir::MemoryKind::Global;
    load.mayLoad = true;
    result.append(pieces(data));
    done += 4 * words;
  }
  return result;
}

void Accesses::storeBytes(const Address &address, ArrayRef<Elem> value, unsigned bytes, unsigned start,
                          const AccessKind &kind) {
  for (unsigned done = 0; done < bytes;) {
    unsigned size = accessBytes(address.space, bytes - done, alignmentAt(address.alignment, start + done));
    Fields fields = fieldsFor(address, start + done, size);
    Operand data;
    bool storesUpper = false;
    if (size >= 4) {
      data = Operand::use(tuple(value.slice(done / 4, size / 4), RegFile::Vgpr));
    } else {
      Elem word = value[done / 4];
      auto source =
          word.isImm || done % 4 ? state.highHalfOf.end() : state.highHalfOf.find({word.reg.id, word.reg.sub});
      storesUpper = !word.isImm && (done % 4 == 2 || source != state.highHalfOf.end());
      if (source != state.highHalfOf.end())
        word = source->second;
      data = operand(toVgpr(done % 4 && !storesUpper ? lshr(word, Elem::constant(8 * (done % 4))) : word));
    }
    SmallVector<Operand, 5> operands(fields.operands.begin(), fields.operands.end());
    operands.insert(operands.begin() + (fields.format != Fields::Format::Buffer), data);
    lir::Inst &inst = emit(storesUpper ? fields.storeUpper(size) : fields.store(size), operands, fields.modifiers);
    inst.memory = memoryKind(address.space);
    inst.mayStore = true;
    inst.lds = address.ldsBytes(start + done, size);
    apply(kind, inst);
    done += size;
  }
}

LogicalResult Accesses::ldsDma(Operation *op, Address from, Address to, unsigned bytes, int64_t immediate,
                               CachePolicy cache) {
  const Transfer *transfer = llvm::find_if(transfers, [&](const Transfer &t) { return t.bytes == bytes; });
  if (transfer == std::end(transfers) || bytes > chip.target().maxLdsDmaBytes)
    return unsupported(op, "a transfer of " + Twine(bytes) + " bytes per lane on " + chip.target().chip);
  // The wave's destination is M0 plus the offset field, then the lanes in order. The immediate moves both sides.
  // Its constant is added on the way into M0, so that many transfers take no register each.
  // No pointer, which is all ones, stands for what the program's own assembly has put into M0.
  const Elem place = add(to.laneOffset, to.uniformOffset);
  const bool isPlaced = place.isImm && uint32_t(place.imm + to.constant) == ~0u;
  if (!isPlaced) {
    to.constant += immediate;
    from.constant += immediate;
    const Elem base = toSgpr(place), constant = Elem::constant(static_cast<uint32_t>(to.constant));
    const Operand m0 = Operand::specialReg(Special::M0, true);
    if (base.isImm || !to.constant)
      emit(s_mov_b32, {m0, operand(base.isImm ? add(base, constant) : base)});
    else
      emit(s_add_i32, {m0, operand(base), operand(constant)});
  }
  // gfx90a has the transfer for buffers alone: a descriptor without bounds stands for the address.
  if ((from.space == flatSpace || from.space == globalSpace) && !has(transfer->global)) {
    if (!allScalar(from.base))
      return unsupported(op,
                         "from an address that differs between lanes by more than 32 bits, on " + chip.target().chip);
    constexpr uint32_t descriptorFormat = 0x27000; // 32-bit data, as MLIR's fat_raw_buffer_cast has it
    Elems words = from.base;
    words.push_back(Elem::constant(~0u));
    words.push_back(Elem::constant(descriptorFormat));
    from.base = pieces(tuple(words, RegFile::Sgpr));
    from.space = bufferSpace;
  }
  Fields fields = fieldsFor(from, 0, bytes);
  // The offset field moves both sides, so it stays empty. Transfers whose addresses differ by constants share the
  // register of the lanes' offsets: what a loop adds goes there, and the constants are scalar.
  if (fields.modifiers.offset) {
    Address moved = from;
    const Elem constant = Elem::constant(static_cast<uint32_t>(from.constant));
    if (from.space == flatSpace || from.space == globalSpace)
      moved.base = add64(moved.base, constantPair(from.constant));
    else if (from.nonNegative) {
      moved.laneOffset = add(moved.laneOffset, moved.uniformOffset);
      moved.uniformOffset = constant;
    } else
      moved.laneOffset = add(moved.laneOffset, constant);
    moved.constant = 0;
    fields = fieldsFor(moved, 0, bytes);
  }
  const bool isBuffer = fields.format == Fields::Format::Buffer;
  Modifiers modifiers = fields.modifiers;
  modifiers.cache = cache;
  modifiers.lds = isBuffer;
  if (isPlaced)
    modifiers.offset = immediate;
  lir::Inst &inst = emit(isBuffer ? transfer->buffer : transfer->global, fields.operands, modifiers);
  inst.operands.push_back(Operand::specialReg(Special::M0).implicit());
  inst.memory = state.source->hasAttr(attr::constantCopies) ? lir::MemoryKind::Constant : lir::MemoryKind::Lds;
  inst.mayLoad = inst.mayStore = true;
  // Three dwords per lane leave a hole of one (ISA manuals, LDS DMA).
  if (!isPlaced)
    inst.lds = to.ldsBytes(0, chip.target().lanesPerWave * (bytes == 12 ? 16 : bytes));
  return success();
}

Elems Accesses::exchangeWords(const Address &address, ArrayRef<Elem> expected, ArrayRef<Elem> wanted) {
  const unsigned words = expected.size();
  Fields fields = fieldsFor(address, 0, 4 * words);
  lir::Inst *inst;
  Reg result;
  if (fields.format == Fields::Format::Lds) {
    result = newVgpr(words);
    inst = &emit(words == 2 ? ds_cmpst_rtn_b64 : ds_cmpst_rtn_b32,
                 {Operand::def(result), fields.operands[0], Operand::use(tuple(expected, RegFile::Vgpr)),
                  Operand::use(tuple(wanted, RegFile::Vgpr))},
                 fields.modifiers);
    inst->memory = lir::MemoryKind::Lds;
  } else {
    // The new value, then the one to compare with.
    Elems both(wanted);
    both.append(expected.begin(), expected.end());
    Operand data = Operand::use(tuple(both, RegFile::Vgpr));
    const bool isBuffer = fields.format == Fields::Format::Buffer;
    const Mnemonic name = isBuffer     ? (words == 2 ? buffer_atomic_cmpswap_x2 : buffer_atomic_cmpswap)
                          : words == 2 ? global_atomic_cmpswap_x2
                                       : global_atomic_cmpswap;
    fields.modifiers.cache.sc0 = true;
    SmallVector<Operand, 6> operands;
    if (isBuffer) {
      result = newVgpr(2 * words);
      emit(Pseudo::Copy, {Operand::def(result), data});
      operands = {Operand::def(result)};
      operands.append(fields.operands.begin(), fields.operands.end());
      operands.push_back(Operand::use(result).implicit());
    } else {
      result = newVgpr(words);
      operands = {Operand::def(result), fields.operands[0], data};
      operands.append(fields.operands.begin() + 1, fields.operands.end());
    }
    inst = &emit(name, operands, fields.modifiers);
    inst->memory = lir::MemoryKind::Global;
  }
  inst->mayLoad = inst->mayStore = true;
  Elems found = pieces(result);
  found.resize(words);
  return found;
}

void Accesses::fence(LLVM::AtomicOrdering ordering, StringRef scope) {
  bool releases = ordering != LLVM::AtomicOrdering::acquire;
  // Waits before a barrier come from the wait engine, which knows what is in flight.
  if (scope.starts_with("workgroup") || scope.starts_with("wavefront") || scope.starts_with("singlethread")) {
    if (releases && scope.starts_with("workgroup"))
      emit(Pseudo::FenceLds).hasSideEffects = true;
    else if (scope.starts_with("wavefront"))
      emit(Pseudo::SchedBarrier).hasSideEffects = true; // a wave's lanes see each other's accesses in their order
    return;
  }
  emit(Pseudo::FenceAll).hasSideEffects = true;
  Modifiers caches;
  caches.cache.sc1 = chip.target().hasScopeBits;
  caches.cache.sc0 = chip.target().hasScopeBits && !scope.starts_with("agent");
  if (releases && chip.target().hasScopeBits)
    emit(buffer_wbl2, {}, caches).hasSideEffects = true;
  emit(Pseudo::FenceAll).hasSideEffects = true;
  if (ordering == LLVM::AtomicOrdering::release)
    return;
  emit(chip.target().hasScopeBits ? buffer_inv : buffer_wbinvl1_vol, {}, caches).hasSideEffects = true;
  emit(Pseudo::FenceAll).hasSideEffects = true;
}

} // namespace inflight::select
