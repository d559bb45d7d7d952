#include "compiler/select/Entry.h"

#include "compiler/pipeline/Attributes.h"
#include "compiler/select/Layout.h"
#include "mlir/Dialect/LLVMIR/ROCDLDialect.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace inflight::select {

/// Of hidden arguments: the launch's sizes, and all.
static constexpr unsigned hiddenSizes = 24, hiddenBytes = 256;

void Entry::readAttributes() {
  fn.name = state.source.getName().str();
  auto intAttr = [&](StringRef name, int64_t fallback) {
    auto attribute = state.source->getAttrOfType<IntegerAttr>(name);
    return attribute ? attribute.getInt() : fallback;
  };
  fn.flushesSingles = state.source->hasAttr(attr::flushesSingles);
  fn.saturatesHalves = state.source->hasAttr(attr::saturatesHalves);
  fn.ldsBytes = intAttr(attr::ldsBytes, 0);
  fn.maxWorkgroupSize = intAttr(attr::maxBlock, 256);
  if (auto size = state.source->getAttrOfType<DenseI32ArrayAttr>(attr::blockSize))
    for (unsigned i = 0; i < 3; ++i)
      fn.requiredWorkgroupSize[i] = size[i];
  bool oneDimensional =
      fn.requiredWorkgroupSize[0] && fn.requiredWorkgroupSize[1] == 1 && fn.requiredWorkgroupSize[2] == 1;
  bool usesY = false, usesZ = false;
  state.source.walk([&](Operation *op) {
    usesY |= mlir::isa<ROCDL::ThreadIdYOp>(op);
    usesZ |= mlir::isa<ROCDL::ThreadIdZOp>(op);
    fn.usesWorkgroupId[0] |= mlir::isa<ROCDL::BlockIdXOp>(op);
    fn.usesWorkgroupId[1] |= mlir::isa<ROCDL::BlockIdYOp>(op);
    fn.usesWorkgroupId[2] |= mlir::isa<ROCDL::BlockIdZOp>(op);
  });
  fn.workitemIdDims = usesZ ? 3 : usesY || !oneDimensional ? 2 : 1;
}

static bool isWorkgroupSize(Operation *op) {
  return mlir::isa<ROCDL::BlockDimXOp, ROCDL::BlockDimYOp, ROCDL::BlockDimZOp>(op);
}

std::optional<HiddenField> launchSizeOf(Operation *op) {
  unsigned dim = 0;
  if (mlir::isa<ROCDL::GridDimYOp, ROCDL::BlockDimYOp>(op))
    dim = 1;
  else if (mlir::isa<ROCDL::GridDimZOp, ROCDL::BlockDimZOp>(op))
    dim = 2;
  if (isWorkgroupSize(op))
    return HiddenField{12 + 2 * dim, 2};
  if (mlir::isa<ROCDL::GridDimXOp, ROCDL::GridDimYOp, ROCDL::GridDimZOp>(op))
    return HiddenField{4 * dim, 4};
  return std::nullopt;
}

/// Dwords of the first arguments, as many of those that the source marks, or of all, as are used and fit whole into
/// user SGPRs, of which `taken` hold something else. The hardware loads them before the kernel starts (AMDGPUUsage,
/// "Preloaded Kernel Arguments").
unsigned Entry::preloadedWords(ArrayRef<ArgumentPlace> places, unsigned taken) {
  const bool takesAll = state.source->hasAttr(attr::preloads);
  unsigned words = 0;
  for (auto [i, place] : llvm::enumerate(places)) {
    const unsigned end = divideCeil(place.offset + place.bytes, 4);
    if (place.isInPlace || !(takesAll || state.source.getArgAttr(i, LLVM::LLVMDialect::getInRegAttrName())) ||
        taken + end > chip.target().kernargPreloadMax)
      return words;
    if (!state.source.getArgument(i).use_empty())
      words = end;
  }
  // The launch's sizes follow where all arguments are: as the source may mark no more than arguments.
  const bool takesSizes = takesAll || !places.empty();
  state.source.walk([&](Operation *op) {
    const std::optional<HiddenField> size = launchSizeOf(op);
    if (!size || !takesSizes || (fn.requiredWorkgroupSize[0] && isWorkgroupSize(op)))
      return;
    const unsigned end = divideCeil(*selection.hiddenOffset + size->offset + size->bytes, 4);
    if (taken + end <= chip.target().kernargPreloadMax)
      words = std::max(words, end);
  });
  return words;
}

/// User SGPRs, then workgroup ids; copies free the fixed places, and vanish where nothing conflicts. Returns the words
/// of preloaded arguments.
Elems Entry::takeInitialRegisters(ArrayRef<ArgumentPlace> places) {
  auto incoming = [&](unsigned width, RegUnit unit) {
    Reg reg = newReg(unit >= regunit::Vgpr0 ? RegFile::Vgpr : RegFile::Sgpr, width);
    fn.regs[reg.id].fixed = unit;
    state.regDepth[reg.id] = 0;
    lir::Inst start = lir::makePseudo(Pseudo::ImplicitDef, {Operand::def(reg)});
    start.hasSideEffects = true;
    fn.blocks[0].insts.push_back(std::move(start));
    return reg;
  };
  Reg pointer = incoming(2, 0);
  unsigned nextSgpr = chip.target().firstPreloadedSgpr();
  selection.hiddenOffset = alignTo(fn.kernargSize, 8);
  fn.preloadedSgprs = preloadedWords(places, nextSgpr);
  fn.kernargSize = std::max(fn.kernargSize, 4 * fn.preloadedSgprs); // whole dwords
  SmallVector<Reg> preloaded;
  for (unsigned at = 0; at < fn.preloadedSgprs;) {
    // Arguments of 8 bytes are pairs that begin at even places.
    const unsigned width = std::min(2u, fn.preloadedSgprs - at);
    preloaded.push_back(incoming(width, nextSgpr + at));
    at += width;
  }
  nextSgpr += fn.preloadedSgprs;
  Reg ids[3];
  for (unsigned dim = 0; dim < 3; ++dim)
    if (fn.usesWorkgroupId[dim])
      ids[dim] = incoming(1, nextSgpr++);
  Reg lane = incoming(1, regunit::Vgpr0);
  auto copied = [&](Reg reg) {
    Reg copy = newReg(fn.regs[reg.id].file, reg.count);
    state.regDepth[copy.id] = 0;
    emit(Pseudo::Copy, {Operand::def(copy), Operand::use(reg)});
    return copy;
  };
  selection.kernargPointer = copied(pointer);
  for (unsigned dim = 0; dim < 3; ++dim)
    if (ids[dim].valid())
      selection.workgroupIds[dim] = copied(ids[dim]);
  selection.packedIds = copied(lane);
  Elems kernarg;
  for (Reg words : preloaded)
    kernarg.append(pieces(copied(words)));
  return kernarg;
}

/// Of an argument that is a pointer to where it lies among the arguments (byref): its type.
Type Entry::passedInPlace(unsigned index) const {
  auto type = state.source.getArgAttrOfType<TypeAttr>(index, LLVM::LLVMDialect::getByRefAttrName());
  return type ? type.getValue() : Type();
}

/// Name, kind and type as the metadata has them.
lir::ArgumentInfo Entry::describeArgument(unsigned index) {
  Type type = state.source.getArgument(index).getType();
  auto text = [&](StringRef name) {
    auto all = state.source->getAttrOfType<ArrayAttr>(attr::arguments);
    auto one = all && index < all.size() ? dyn_cast<DictionaryAttr>(all[index]) : DictionaryAttr();
    auto attribute = one ? one.getAs<StringAttr>(name) : StringAttr();
    return attribute ? attribute.getValue().str() : std::string();
  };
  lir::ArgumentInfo info;
  info.name = text(attr::argName);
  if (info.name.empty())
    info.name = "arg" + std::to_string(index);
  info.valueKind = text(attr::argKind);
  if (info.valueKind.empty())
    info.valueKind = mlir::isa<LLVM::LLVMPointerType>(type) && !passedInPlace(index) ? "global_buffer" : "by_value";
  info.typeName = text(attr::argType);
  if (info.typeName.empty() && type.isIntOrFloat())
    llvm::raw_string_ostream(info.typeName) << type;
  if (StringRef(info.typeName).contains('<'))
    info.typeName.clear();
  return info;
}

FailureOr<SmallVector<Entry::ArgumentPlace>> Entry::placeArguments() {
  SmallVector<ArgumentPlace> places;
  for (auto [i, argument] : llvm::enumerate(state.source.getArguments())) {
    Type type = argument.getType();
    const Type inPlace = passedInPlace(i);
    if (mlir::isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(type) || !isSelectable(type) ||
        (isMask(type) && !type.isInteger(1)))
      return state.source.emitError("not supported: argument ") << i << " of type " << type;
    // By the target's data layout vectors of any size, too, take what the next power of two does.
    unsigned bytes = divideCeil(storageBits(type), 8);
    unsigned align = std::max<unsigned>(llvm::PowerOf2Ceil(bytes), 1), taken = align;
    if (inPlace) {
      auto given = state.source.getArgAttrOfType<IntegerAttr>(i, LLVM::LLVMDialect::getAlignAttrName());
      bytes = taken = allocatedBytes(inPlace);
      align = given ? given.getInt() : naturalAlignment(inPlace);
    }
    fn.kernargSize = alignTo(fn.kernargSize, align);
    places.push_back({fn.kernargSize, bytes, inPlace != Type()});
    lir::ArgumentInfo info = describeArgument(i);
    info.offset = fn.kernargSize;
    info.size = taken;
    info.align = align;
    fn.arguments.push_back(info);
    fn.kernargSize += taken;
    fn.kernargAlign = std::max(fn.kernargAlign, align);
  }
  return places;
}

/// All words of the arguments that are used, those that `kernarg` lacks in loads as wide as they can be.
Elems Entry::loadKernarg(ArrayRef<ArgumentPlace> places, Elems kernarg) {
  const unsigned words = divideCeil(fn.kernargSize, 4);
  // A pointer that becomes the first half of a descriptor is loaded to that place.
  llvm::BitVector startsLoad(words + 1);
  startsLoad.set(words);
  for (auto [place, argument] : llvm::zip(places, state.source.getArguments()))
    if (place.bytes == 8 && llvm::any_of(argument.getUsers(), llvm::IsaPred<ROCDL::MakeBufferRsrcOp>)) {
      startsLoad.set(place.offset / 4);
      startsLoad.set(place.offset / 4 + 2);
    }
  llvm::BitVector isInPlace(words);
  for (const ArgumentPlace &place : places)
    // Others may begin in its last word.
    if (const unsigned begin = divideCeil(place.offset, 4), end = (place.offset + place.bytes) / 4;
        place.isInPlace && begin < end) {
      isInPlace.set(begin, end);
      startsLoad.set(begin);
      startsLoad.set(end);
    }
  llvm::BitVector isUsed(words);
  for (auto [place, argument] : llvm::zip(places, state.source.getArguments()))
    if (!argument.use_empty())
      isUsed.set(place.offset / 4, divideCeil(place.offset + place.bytes, 4));
  for (unsigned at = kernarg.size(); at < words;) {
    if (isInPlace.test(at) || !isUsed.test(at)) {
      kernarg.push_back(Elem::anything());
      ++at;
      continue;
    }
    constexpr Mnemonic loads[] = {s_load_dword, s_load_dwordx2, s_load_dwordx4, s_load_dwordx8, s_load_dwordx16};
    const unsigned left = isUsed.find_prev(startsLoad.find_next(at)) + 1 - at;
    const unsigned width = std::min<unsigned>(llvm::bit_floor(left), 1u << (std::size(loads) - 1));
    // A load of n dwords may cross anything but wants no more alignment than a dword.
    Reg data = newSgpr(width);
    lir::Inst &load = emit(loads[Log2_32(width)], {Operand::def(data), Operand::use(selection.kernargPointer),
                                                   Operand::imm64(int64_t(4) * at)});
    load.memory = lir::MemoryKind::Constant;
    load.mayLoad = true;
    state.regDepth[data.id] = 0;
    kernarg.append(pieces(data));
    at += width;
  }
  return kernarg;
}

LogicalResult Entry::setUp() {
  fn.blocks.emplace_back();
  fn.isa = &chip;
  readAttributes();
  FailureOr<SmallVector<ArgumentPlace>> places = placeArguments();
  if (failed(places))
    return failure();
  selection.preloadedArguments = takeInitialRegisters(*places);
  Elems kernarg = loadKernarg(*places, selection.preloadedArguments);
  for (auto [place, argument] : llvm::zip(*places, state.source.getArguments())) {
    if (place.isInPlace) {
      set(argument, behindKernarg(place.offset));
      continue;
    }
    const unsigned words = std::max(1u, unsigned(divideCeil(place.bytes, 4)));
    Elems elems(ArrayRef<Elem>(kernarg).slice(place.offset / 4, words));
    if (place.offset % 4)
      elems[0] = lshr(elems[0], Elem::constant(8 * (place.offset % 4)));
    if (argument.getType().isInteger(1))
      elems = compare(Predicate::ne, {bitAnd(elems[0], Elem::constant(1))}, {Elem::constant(0)});
    set(argument, elems);
  }
  return success();
}

Elems Entry::behindKernarg(unsigned offset) {
  return add64(pieces(selection.kernargPointer), {Elem::constant(offset), Elem::constant(0)});
}

/// The hidden arguments of the code-object ABI, versions 5 and 6, whose bytes `isRead` (AMDGPUUsage, "Code Object V5
/// Kernel Argument Metadata").
void Entry::declareHidden(const llvm::BitVector &isRead) {
  static const struct {
    const char *kind;
    unsigned offset, size;
  } hidden[] = {
      {"hidden_block_count_x", 0, 4},       {"hidden_block_count_y", 4, 4},      {"hidden_block_count_z", 8, 4},
      {"hidden_group_size_x", 12, 2},       {"hidden_group_size_y", 14, 2},      {"hidden_group_size_z", 16, 2},
      {"hidden_remainder_x", 18, 2},        {"hidden_remainder_y", 20, 2},       {"hidden_remainder_z", 22, 2},
      {"hidden_global_offset_x", 40, 8},    {"hidden_global_offset_y", 48, 8},   {"hidden_global_offset_z", 56, 8},
      {"hidden_grid_dims", 64, 2},          {"hidden_printf_buffer", 72, 8},     {"hidden_hostcall_buffer", 80, 8},
      {"hidden_multigrid_sync_arg", 88, 8}, {"hidden_heap_v1", 96, 8},           {"hidden_default_queue", 104, 8},
      {"hidden_completion_action", 112, 8}, {"hidden_dynamic_lds_size", 120, 4}, {"hidden_private_base", 192, 4},
      {"hidden_shared_base", 196, 4},       {"hidden_queue_ptr", 200, 8}};
  // Bytes that have no argument yet are read, too.
  fn.kernargSize = std::max(fn.kernargSize, unsigned(*selection.hiddenOffset + isRead.find_last() + 1));
  for (const auto &argument : hidden) {
    const unsigned at = *selection.hiddenOffset + argument.offset, end = argument.offset + argument.size;
    auto has = [&](const lir::ArgumentInfo &known) { return known.valueKind == argument.kind; };
    if (isRead.find_first_in(argument.offset, end) < 0 || llvm::any_of(fn.arguments, has))
      continue;
    fn.arguments.push_back({argument.kind, argument.kind, "", at, argument.size, argument.size});
    // The runtime writes all sizes.
    fn.kernargSize = std::max(fn.kernargSize, *selection.hiddenOffset + std::max(end, hiddenSizes));
  }
}

Elem Entry::hiddenArgument(HiddenField field) {
  llvm::BitVector areSizes(hiddenBytes);
  areSizes.set(0, hiddenSizes);
  declareHidden(areSizes);
  const unsigned at = *selection.hiddenOffset + field.offset;
  const Elems &known = selection.preloadedArguments;
  const Elem word =
      at / 4 < known.size()
          ? known[at / 4]
          : pureTuple(s_load_dword, 1, {Operand::use(selection.kernargPointer), Operand::imm64(at & ~3u)}, true)[0];
  if (field.bytes == 4)
    return word;
  return bitAnd(at & 2 ? lshr(word, Elem::constant(16)) : word, Elem::constant(0xffff));
}

/// Marks the bytes that are read behind the pointer, or all if something else is done with it.
static void findReads(Value pointer, int64_t offset, llvm::BitVector &isRead) {
  for (Operation *user : pointer.getUsers()) {
    auto load = dyn_cast<LLVM::LoadOp>(user);
    const unsigned bytes = load ? divideCeil(storageBits(load.getType()), 8) : 0;
    auto gep = dyn_cast<LLVM::GEPOp>(user);
    ArrayRef<int32_t> indices = gep ? gep.getRawConstantIndices() : ArrayRef<int32_t>();
    if (load && offset >= 0 && offset + bytes <= isRead.size())
      isRead.set(offset, offset + bytes);
    else if (gep && gep.getElemType().isInteger(8) && indices.size() == 1 && gep.getDynamicIndices().empty())
      findReads(gep.getResult(), offset + indices[0], isRead);
    else if (mlir::isa<LLVM::AddrSpaceCastOp>(user))
      findReads(user->getResult(0), offset, isRead);
    else
      isRead.set();
  }
}

Elems Entry::hiddenArguments(Value pointer) {
  llvm::BitVector isRead(hiddenBytes);
  findReads(pointer, 0, isRead);
  declareHidden(isRead);
  return behindKernarg(*selection.hiddenOffset);
}

} // namespace inflight::select
