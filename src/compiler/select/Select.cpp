#include "compiler/select/Select.h"

#include "compiler/pipeline/Pipeline.h"
#include "compiler/select/Selector.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace inflight {

LogicalResult selectInstructions(const Isa &isa, LLVM::LLVMFuncOp source, lir::Function &function) {
  return select::Selector(isa, source, function).run();
}

namespace select {

LogicalResult Selector::unsupported(Operation *op, const Twine &why) {
  InFlightDiagnostic diagnostic = op->emitError("not supported: '") << op->getName() << "'";
  if (!why.isTriviallyEmpty() && !why.str().empty())
    diagnostic << ": " << why.str();
  return failure();
}

bool Selector::fail(Operation *op, const Twine &why) {
  (void)unsupported(op, why);
  hasFailed = true;
  return true;
}

Elems Selector::get(Value value) {
  auto it = values.find(value);
  if (it != values.end())
    return it->second;
  if (value.getDefiningOp<LLVM::GEPOp>()) {
    Elems elems = pointerElems(addressOf(value));
    return elems;
  }
  // Reported once; the kernel is given up, what follows only must not crash.
  if (!hasFailed) {
    Operation *op = value.getDefiningOp() ? value.getDefiningOp() : source.getOperation();
    (void)unsupported(op, "no value was selected for a result of it");
    hasFailed = true;
  }
  return Elems(std::max(dwords(value.getType()), 5u), Elem::constant(0));
}

/// Of `count` numbers in an LLVM type, those of each innermost vector: it begins in a word of its own.
static size_t rowSize(Type type, size_t count) {
  while (auto array = dyn_cast_or_null<LLVM::LLVMArrayType>(type)) {
    count /= std::max<size_t>(array.getNumElements(), 1);
    type = array.getElementType();
  }
  return std::max<size_t>(count, 1);
}

static APInt packed(ArrayRef<APInt> numbers) {
  const unsigned bits = numbers[0].getBitWidth();
  APInt all(alignTo(uint64_t(bits) * numbers.size(), 32), 0);
  for (auto [i, number] : llvm::enumerate(numbers))
    all.insertBits(number, i * bits);
  return all;
}

/// The bits of a constant attribute as elements.
static bool constantElems(Attribute attribute, Type type, Elems &out) {
  auto bitsOf = [](Attribute value) -> std::optional<APInt> {
    if (auto integer = dyn_cast<IntegerAttr>(value))
      return integer.getValue();
    if (auto number = dyn_cast<FloatAttr>(value))
      return number.getValue().bitcastToAPInt();
    return std::nullopt;
  };
  auto pushWords = [&](const APInt &bits) {
    APInt wide = bits.zextOrTrunc(std::max<unsigned>(32, alignTo(bits.getBitWidth(), 32)));
    for (unsigned i = 0; i < wide.getBitWidth(); i += 32)
      out.push_back(Elem::constant(wide.extractBitsAsZExtValue(32, i)));
  };
  if (auto elements = dyn_cast<DenseElementsAttr>(attribute)) {
    Type element = elements.getElementType();
    SmallVector<APInt> all;
    if (mlir::isa<FloatType>(element)) {
      for (const APFloat &value : elements.getValues<APFloat>())
        all.push_back(value.bitcastToAPInt());
    } else if (element.isIntOrIndex()) {
      for (const APInt &value : elements.getValues<APInt>())
        all.push_back(value);
    } else {
      return false;
    }
    if (element.isInteger(1)) {
      for (const APInt &bit : all)
        for (int half = 0; half < 2; ++half)
          out.push_back(Elem::constant(bit.isZero() ? 0 : ~0u));
      return true;
    }
    for (ArrayRef<APInt> rest = all; !rest.empty();) {
      const size_t row = rowSize(type, all.size());
      pushWords(packed(rest.take_front(row)));
      rest = rest.drop_front(row);
    }
    return true;
  }
  if (auto array = dyn_cast<ArrayAttr>(attribute)) {
    auto structure = dyn_cast_or_null<LLVM::LLVMStructType>(type);
    auto elements = dyn_cast_or_null<LLVM::LLVMArrayType>(type);
    for (auto [i, inner] : llvm::enumerate(array))
      if (!constantElems(inner,
                         structure  ? structure.getBody()[i]
                         : elements ? elements.getElementType()
                                    : Type(),
                         out))
        return false;
    return true;
  }
  std::optional<APInt> bits = bitsOf(attribute);
  if (!bits)
    return false;
  if (type && type.isInteger(1)) {
    out.append(2, Elem::constant(bits->isZero() ? 0 : ~0u));
    return true;
  }
  if (type && type.isIntOrIndex() && !type.isIndex())
    bits = bits->sextOrTrunc(type.getIntOrFloatBitWidth());
  pushWords(*bits);
  return true;
}

/// What a list of 32-bit elements can hold.
static bool isSelectable(Type type) {
  if (auto vector = dyn_cast<VectorType>(type))
    return !vector.isScalable() && vector.getRank() == 1 && vector.getElementType().isIntOrIndexOrFloat() &&
           isSelectable(vector.getElementType());
  if (auto structure = dyn_cast<LLVM::LLVMStructType>(type))
    return !structure.isOpaque() && llvm::all_of(structure.getBody(), isSelectable);
  if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
    return isSelectable(array.getElementType());
  if (auto pointer = dyn_cast<LLVM::LLVMPointerType>(type))
    return pointer.getAddressSpace() <= 9;
  constexpr unsigned widest = 64;
  return type.isIndex() || (type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= widest && !type.isTF32());
}

void Selector::fence(LLVM::AtomicOrdering ordering, StringRef scope) {
  bool releases = ordering != LLVM::AtomicOrdering::acquire;
  // Waits before a barrier come from the wait engine, which knows what is in flight.
  if (scope.starts_with("workgroup") || scope.starts_with("wavefront") || scope.starts_with("singlethread")) {
    if (releases && scope.starts_with("workgroup"))
      emit(Pseudo::FenceLds).hasSideEffects = true;
    return;
  }
  emit(Pseudo::FenceAll).hasSideEffects = true;
  Modifiers caches;
  caches.cache.sc1 = chip.target().hasScopeBits;
  caches.cache.sc0 = chip.target().hasScopeBits && !scope.starts_with("agent");
  if (releases && chip.target().hasScopeBits)
    emit(buffer_wbl2, {}, caches).hasSideEffects = true;
  emit(Pseudo::FenceAll).hasSideEffects = true;
  emit(chip.target().hasScopeBits ? buffer_inv : buffer_wbinvl1_vol, {}, caches).hasSideEffects = true;
  emit(Pseudo::FenceAll).hasSideEffects = true;
}

LogicalResult Selector::selectOp(Operation *op) {
  currentOp = op;
  for (TypeRange types : {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (!isSelectable(type)) {
        InFlightDiagnostic diagnostic = op->emitError("not supported: '") << op->getName() << "' on " << type;
        return failure();
      }
  StringRef name = op->getName().getStringRef();
  if (auto loop = dyn_cast<scf::ForOp>(op))
    return selectFor(loop);
  if (auto conditional = dyn_cast<scf::IfOp>(op))
    return selectIf(conditional);
  if (auto loop = dyn_cast<scf::WhileOp>(op))
    return selectWhile(loop);
  if (mlir::isa<scf::YieldOp, scf::ConditionOp, LLVM::ReturnOp, LLVM::AssumeOp>(op))
    return success();
  if (name == "llvm.mlir.constant" || name == "arith.constant") {
    Elems elems;
    if (!constantElems(op->getAttr("value"), op->getResult(0).getType(), elems))
      return unsupported(op, "this constant");
    set(op->getResult(0), elems);
    return success();
  }
  if (name == "llvm.mlir.poison" || name == "llvm.mlir.undef" || name == "ub.poison") {
    set(op->getResult(0), Elems(dwords(op->getResult(0).getType()), Elem::anything()));
    return success();
  }
  if (name == "llvm.mlir.zero") {
    set(op->getResult(0), Elems(dwords(op->getResult(0).getType()), Elem::constant(0)));
    return success();
  }
  if (auto fenceOp = dyn_cast<LLVM::FenceOp>(op)) {
    fence(fenceOp.getOrdering(), fenceOp.getSyncscope().value_or(""));
    return success();
  }
  bool known = selectVector(op) || selectCast(op) || selectMemory(op);
  if (!known && name.starts_with("rocdl."))
    known = selectRocdl(op);
  if (!known) {
    Type type = op->getNumOperands() ? op->getOperand(0).getType() : Type();
    Type element = type;
    if (auto vector = dyn_cast_or_null<VectorType>(type))
      element = vector.getElementType();
    if (element && (element.isIntOrIndex() || mlir::isa<LLVM::LLVMPointerType>(element)))
      known = selectInteger(op);
    if (!known)
      known = selectFloat(op);
  }
  if (!known)
    return unsupported(op);
  if (hasFailed)
    return failure();
  return success();
}

LogicalResult Selector::selectBlock(Block &block) {
  for (Operation &op : block)
    if (failed(selectOp(&op)))
      return failure();
  return success();
}

Elem Selector::hiddenArgument(unsigned offset, unsigned bytes) {
  if (!hiddenOffset) {
    // The hidden arguments of the code-object ABI, versions 5 and 6, as far as kernels use them.
    hiddenOffset = alignTo(fn.kernargSize, 8);
    static const struct {
      const char *kind;
      unsigned offset, size;
    } hidden[] = {{"hidden_block_count_x", 0, 4}, {"hidden_block_count_y", 4, 4}, {"hidden_block_count_z", 8, 4},
                  {"hidden_group_size_x", 12, 2}, {"hidden_group_size_y", 14, 2}, {"hidden_group_size_z", 16, 2},
                  {"hidden_remainder_x", 18, 2},  {"hidden_remainder_y", 20, 2},  {"hidden_remainder_z", 22, 2}};
    for (const auto &argument : hidden)
      fn.arguments.push_back(
          {argument.kind, argument.kind, "", hiddenOffset + argument.offset, argument.size, argument.size});
    fn.kernargSize = hiddenOffset + 24;
  }
  unsigned at = hiddenOffset + offset;
  Elem word = pureTuple(s_load_dword, 1, {Operand::use(kernargPointer), Operand::imm64(at & ~3u)}, true)[0];
  if (bytes == 4)
    return word;
  return bitAnd(at & 2 ? lshr(word, Elem::constant(16)) : word, Elem::constant(0xffff));
}

void Selector::setUpEntry() {
  fn.blocks.emplace_back();
  fn.name = source.getName().str();
  fn.isa = &chip;
  auto intAttr = [&](StringRef name, int64_t fallback) {
    auto attribute = source->getAttrOfType<IntegerAttr>(name);
    return attribute ? attribute.getInt() : fallback;
  };
  fn.ldsBytes = intAttr(attr::ldsBytes, 0);
  fn.maxWorkgroupSize = intAttr(attr::maxBlock, 256);
  if (auto size = source->getAttrOfType<DenseI32ArrayAttr>(attr::blockSize))
    for (unsigned i = 0; i < 3; ++i)
      fn.requiredWorkgroupSize[i] = size[i];
  bool oneDimensional =
      fn.requiredWorkgroupSize[0] && fn.requiredWorkgroupSize[1] == 1 && fn.requiredWorkgroupSize[2] == 1;
  bool usesY = false, usesZ = false;
  source.walk([&](Operation *op) {
    StringRef name = op->getName().getStringRef();
    usesY |= name == "rocdl.workitem.id.y";
    usesZ |= name == "rocdl.workitem.id.z";
    if (name.consume_front("rocdl.workgroup.id."))
      fn.usesWorkgroupId[name[0] - 'x'] = true;
  });
  fn.workitemIdDims = usesZ ? 3 : usesY || !oneDimensional ? 2 : 1;

  // Initial registers (AMDGPU ABI): user SGPRs, then workgroup ids.
  unsigned nextSgpr = 0;
  auto incoming = [&](unsigned width, RegUnit unit) {
    Reg reg = newReg(unit >= regunit::Vgpr0 ? RegFile::Vgpr : RegFile::Sgpr, width);
    fn.regs[reg.id].fixed = unit;
    regDepth[reg.id] = 0;
    lir::Inst start = lir::makePseudo(Pseudo::ImplicitDef, {Operand::def(reg)});
    start.hasSideEffects = true;
    fn.blocks[0].insts.push_back(std::move(start));
    return reg;
  };
  Reg pointer = incoming(2, nextSgpr);
  nextSgpr += 2;
  if (!chip.target().hasArchitectedFlatScratch)
    nextSgpr += 2; // FLAT_SCRATCH initial value
  Reg ids[3];
  for (unsigned dim = 0; dim < 3; ++dim)
    if (fn.usesWorkgroupId[dim])
      ids[dim] = incoming(1, nextSgpr++);
  Reg lane = incoming(1, regunit::Vgpr0);
  // Copies free the fixed places; where nothing conflicts they vanish.
  auto copied = [&](Reg reg) {
    Reg copy = newReg(fn.regs[reg.id].file, reg.count);
    regDepth[copy.id] = 0;
    emit(Pseudo::Copy, {Operand::def(copy), Operand::use(reg)});
    return copy;
  };
  kernargPointer = copied(pointer);
  for (unsigned dim = 0; dim < 3; ++dim)
    if (ids[dim].valid())
      workgroupIds[dim] = copied(ids[dim]);
  packedIds = copied(lane);

  // Arguments, loaded together.
  SmallVector<std::pair<unsigned, unsigned>> places; // offset, bytes
  for (auto [i, argument] : llvm::enumerate(source.getArguments())) {
    if (mlir::isa<LLVM::LLVMStructType, LLVM::LLVMArrayType>(argument.getType()) || !isSelectable(argument.getType())) {
      hasFailed = true;
      source.emitError("not supported: argument ") << i << " of type " << argument.getType();
      return;
    }
    unsigned bits = argument.getType().isInteger(1) ? 8 : bitWidth(argument.getType());
    if (auto vector = dyn_cast<VectorType>(argument.getType()))
      bits = vector.getNumElements() * bitWidth(vector.getElementType());
    unsigned bytes = divideCeil(bits, 8),
             align = std::min<unsigned>(std::max<unsigned>(llvm::PowerOf2Ceil(bytes), 1), 16);
    fn.kernargSize = alignTo(fn.kernargSize, align);
    places.push_back({fn.kernargSize, bytes});
    lir::ArgumentInfo info;
    auto text = [&, i = i](StringRef name) {
      auto all = source->getAttrOfType<ArrayAttr>(attr::arguments);
      auto one = all && i < all.size() ? dyn_cast<DictionaryAttr>(all[i]) : DictionaryAttr();
      auto attribute = one ? one.getAs<StringAttr>(name) : StringAttr();
      return attribute ? attribute.getValue().str() : std::string();
    };
    info.name = text(attr::argName);
    if (info.name.empty())
      info.name = "arg" + std::to_string(i);
    info.valueKind = text(attr::argKind);
    if (info.valueKind.empty())
      info.valueKind = mlir::isa<LLVM::LLVMPointerType>(argument.getType()) ? "global_buffer" : "by_value";
    info.typeName = text(attr::argType);
    if (info.typeName.empty() && argument.getType().isIntOrFloat())
      llvm::raw_string_ostream(info.typeName) << argument.getType();
    if (StringRef(info.typeName).contains('<'))
      info.typeName.clear();
    info.offset = fn.kernargSize;
    info.size = bytes;
    info.align = align;
    fn.arguments.push_back(info);
    fn.kernargSize += bytes;
    fn.kernargAlign = std::max(fn.kernargAlign, align);
  }
  unsigned words = divideCeil(fn.kernargSize, 4);
  // A pointer that becomes the first half of a descriptor is loaded to that place.
  llvm::BitVector startsLoad(words + 1);
  startsLoad.set(words);
  for (auto [i, argument] : llvm::enumerate(source.getArguments())) {
    auto [offset, bytes] = places[i];
    if (bytes == 8 && llvm::any_of(argument.getUsers(), [](Operation *user) {
          return user->getName().getStringRef() == "rocdl.make.buffer.rsrc";
        })) {
      startsLoad.set(offset / 4);
      startsLoad.set(offset / 4 + 2);
    }
  }
  SmallVector<Elem> kernarg;
  for (unsigned at = 0; at < words;) {
    unsigned left = startsLoad.find_next(at) - at;
    unsigned width = std::min<unsigned>(llvm::bit_floor(left), 16);
    // A load of n dwords may cross anything but wants no more alignment than a dword.
    Reg data = newSgpr(width);
    constexpr Mnemonic loads[] = {s_load_dword, s_load_dwordx2, s_load_dwordx4, s_load_dwordx8, s_load_dwordx16};
    lir::Inst &load =
        emit(loads[Log2_32(width)], {Operand::def(data), Operand::use(kernargPointer), Operand::imm64(4 * at)});
    load.memory = lir::MemoryKind::Constant;
    load.mayLoad = true;
    regDepth[data.id] = 0;
    for (const Elem &piece : pieces(data))
      kernarg.push_back(piece);
    at += width;
  }
  for (auto [i, argument] : llvm::enumerate(source.getArguments())) {
    auto [offset, bytes] = places[i];
    Elems elems;
    for (unsigned k = 0; k < std::max(1u, unsigned(divideCeil(bytes, 4))); ++k)
      elems.push_back(kernarg[offset / 4 + k]);
    if (offset % 4)
      elems[0] = lshr(elems[0], Elem::constant(8 * (offset % 4)));
    if (argument.getType().isInteger(1))
      elems = compare(Predicate::ne, {bitAnd(elems[0], Elem::constant(1))}, {Elem::constant(0)});
    set(argument, elems);
  }
}

LogicalResult Selector::run() {
  fn.isa = &chip;
  regions.clear();
  setUpEntry();
  if (hasFailed)
    return failure();
  regions.emplace_back(); // the function body
  if (!source.getBody().hasOneBlock())
    return source.emitError("control flow was not structured");
  if (failed(selectBlock(source.getBody().front())) || hasFailed)
    return failure();
  lir::Inst &end = emit(s_endpgm, {});
  end.isTerminator = end.hasSideEffects = true;
  return success();
}

} // namespace select
} // namespace inflight
