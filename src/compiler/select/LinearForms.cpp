#include "compiler/select/LinearForms.h"

#include "compiler/select/Layout.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;

namespace inflight::select {

void LinearForms::add(Value value, int64_t scale, LinearForm &form, bool wide) {
  if (std::optional<APInt> constant = values.constantInt(value)) {
    form.constant += constant->getSExtValue() * scale;
    return;
  }
  Operation *op = value.getDefiningOp();
  if (op) {
    bool full = wide ? bitWidth(value.getType()) == 64 : bitWidth(value.getType()) >= 32;
    if (mlir::isa<UnrealizedConversionCastOp>(op) && op->getNumOperands() == 1 && bitWidth(op->getOperand(0).getType()))
      return add(op->getOperand(0), scale, form, wide);
    if (full) {
      auto disjoint = dyn_cast<LLVM::OrOp>(op);
      if (mlir::isa<LLVM::AddOp>(op) || (disjoint && disjoint.getIsDisjoint())) {
        add(op->getOperand(0), scale, form, wide);
        return add(op->getOperand(1), scale, form, wide);
      }
      if (mlir::isa<LLVM::SubOp>(op)) {
        add(op->getOperand(0), scale, form, wide);
        return add(op->getOperand(1), -scale, form, wide);
      }
      for (unsigned i : {0u, 1u})
        if (mlir::isa<LLVM::MulOp>(op))
          if (std::optional<APInt> factor = values.constantInt(op->getOperand(i)))
            return add(op->getOperand(1 - i), scale * factor->getSExtValue(), form, wide);
      if (mlir::isa<LLVM::ShlOp>(op))
        if (std::optional<APInt> amount = values.constantInt(op->getOperand(1)); amount && amount->ult(32))
          return add(op->getOperand(0), scale << amount->getZExtValue(), form, wide);
      // The low 32 bits don't see an extension or truncation above them.
      if (!wide && mlir::isa<LLVM::SExtOp, LLVM::ZExtOp, LLVM::TruncOp>(op) &&
          bitWidth(op->getOperand(0).getType()) >= 32)
        return add(op->getOperand(0), scale, form, wide);
    }
  }
  addTerm(value, scale, form);
}

void LinearForms::addTerm(Value value, int64_t scale, LinearForm &form) {
  unsigned &number = numbering[value];
  if (!number)
    number = numbering.size();
  auto &term = form.terms[{number, value.getAsOpaquePointer()}];
  term.first = value;
  term.second += scale;
}

/// Whether a 64-bit index is computed for something else as well, and one instruction adds it to a
/// base. Taken apart, its uniform part would cost two additions for each base.
bool LinearForms::addsInOneStep(Value index, unsigned bytes) {
  constexpr unsigned largestScale = 16;
  if (divergence.isUniform(index) || bitWidth(index.getType()) != 64 || bytes > largestScale || !isPowerOf2_32(bytes) ||
      chip.encodings(v_lshl_add_u64).empty())
    return false;
  if (llvm::all_of(index.getUsers(), [](Operation *user) {
        return mlir::isa<LLVM::GEPOp, LLVM::AddOp, LLVM::SubOp, LLVM::MulOp, LLVM::ShlOp>(user);
      }))
    return false;
  LinearForm parts;
  add(index, 1, parts, true);
  return llvm::any_of(parts.terms, [&](const auto &entry) { return divergence.isUniform(entry.second.first); });
}

namespace {
/// A quotient or a remainder: of `of` by a constant.
struct Part {
  Value of;
  uint64_t divisor = 0; ///< 0: neither
  bool isRemainder = false;
};
} // namespace

void LinearForms::joinQuotients(LinearForm &form, bool wide) {
  auto partOf = [&](Value value) -> Part {
    Operation *op = value.getDefiningOp();
    if (!op || !mlir::isa<LLVM::UDivOp, LLVM::URemOp, LLVM::LShrOp, LLVM::AndOp>(op))
      return {};
    std::optional<APInt> constant = values.constantInt(op->getOperand(1));
    if (!constant || !constant->isIntN(32))
      return {};
    const uint64_t number = constant->getZExtValue();
    if (mlir::isa<LLVM::UDivOp, LLVM::URemOp>(op))
      return {op->getOperand(0), number, mlir::isa<LLVM::URemOp>(op)};
    if (mlir::isa<LLVM::LShrOp>(op))
      return {op->getOperand(0), number < 32 ? uint64_t(1) << number : 0, false};
    return {op->getOperand(0), isPowerOf2_64(number + 1) ? number + 1 : 0, true};
  };
  auto joinOne = [&] {
    for (auto quotient = form.terms.begin(); quotient != form.terms.end(); ++quotient) {
      const Part q = partOf(quotient->second.first);
      if (!q.divisor || q.isRemainder)
        continue;
      for (auto rest = form.terms.begin(); rest != form.terms.end(); ++rest) {
        const Part r = partOf(rest->second.first);
        if (!r.isRemainder || r.of != q.of || r.divisor != q.divisor ||
            quotient->second.second != rest->second.second * int64_t(q.divisor))
          continue;
        const int64_t scale = rest->second.second;
        form.terms.erase(quotient);
        form.terms.erase(rest);
        add(q.of, scale, form, wide);
        return true;
      }
    }
    return false;
  };
  while (joinOne()) {
  }
}

lir::ByteRange LinearForms::rangeOf(const LinearForm &form, int64_t start) {
  uint64_t end = start;
  for (const auto &[key, term] : form.terms) {
    const uint64_t bound = bounds.upperBound(term.first);
    bool overflow = false;
    const uint64_t reach = SaturatingMultiply<uint64_t>(bound, std::max<int64_t>(term.second, 0), &overflow);
    if (term.second < 0 || bound == Bounds::unbounded || overflow || !bounds.isNonNegative(term.first))
      return {};
    end = SaturatingAdd<uint64_t>(end, reach);
  }
  // Sums beyond 32 bits would wrap.
  constexpr uint64_t limit = uint64_t(1) << 31;
  if (start < 0 || end >= limit)
    return {};
  return {uint32_t(start), uint32_t(end)};
}

Value LinearForms::addPointer(Value pointer, LinearForm &form, bool narrow) {
  Value root = pointer;
  while (Operation *op = root.getDefiningOp()) {
    if (auto gep = dyn_cast<LLVM::GEPOp>(op)) {
      if (!addIndices(gep, form, !narrow))
        break;
      root = gep.getBase();
    } else if (mlir::isa<LLVM::AddrSpaceCastOp>(op) && !narrow) {
      if (!isGlobal(op->getOperand(0), Global::ByAddress))
        break;
      root = op->getOperand(0);
    } else if (mlir::isa<UnrealizedConversionCastOp>(op) && op->getNumOperands() == 1) {
      if (!mlir::isa<LLVM::LLVMPointerType>(op->getOperand(0).getType()))
        break;
      root = op->getOperand(0);
    } else {
      break;
    }
  }
  joinQuotients(form, !narrow);
  return root;
}

bool LinearForms::addIndices(LLVM::GEPOp gep, LinearForm &form, bool wide) {
  Type type = gep.getElemType();
  bool first = true;
  for (auto index : gep.getIndices()) {
    auto structure = first ? LLVM::LLVMStructType() : dyn_cast<LLVM::LLVMStructType>(type);
    auto constant = dyn_cast<IntegerAttr>(index);
    if (structure) {
      // A field, whose place is known.
      std::optional<APInt> field = constant ? constant.getValue() : values.constantInt(cast<Value>(index));
      if (!field || field->uge(structure.getBody().size()))
        return false;
      uint64_t bytes = 0;
      for (auto [i, inner] : llvm::enumerate(structure.getBody())) {
        bytes = structure.isPacked() ? bytes : alignTo(bytes, naturalAlignment(inner));
        type = inner;
        if (i == field->getZExtValue())
          break;
        bytes += allocatedBytes(inner);
      }
      form.constant += bytes;
      continue;
    }
    if (!first) {
      if (auto array = dyn_cast<LLVM::LLVMArrayType>(type))
        type = array.getElementType();
      else if (auto vector = dyn_cast<VectorType>(type))
        type = vector.getElementType();
      else
        return false;
    }
    first = false;
    int64_t bytes = allocatedBytes(type);
    if (constant)
      form.constant += constant.getInt() * bytes;
    else if (wide && addsInOneStep(cast<Value>(index), bytes))
      addTerm(cast<Value>(index), bytes, form);
    else
      add(cast<Value>(index), bytes, form, wide);
  }
  return true;
}

int64_t LinearForms::beyondOffsetField(int64_t constant) {
  // The offset field is signed 13 bits.
  constexpr int64_t reach = 2048;
  return constant < -reach || constant >= reach ? constant & ~(2 * reach - 1) : 0;
}

bool LinearForms::fitsLaneOffset(const LinearForm &form) {
  const int64_t high = beyondOffsetField(form.constant);
  uint64_t sum = std::max<int64_t>(high, 0);
  for (const auto &[key, term] : form.terms) {
    const auto &[value, scale] = term;
    if (!scale)
      continue;
    const uint64_t bound = scale > 0 && bounds.isNonNegative(value) ? bounds.upperBound(value) : Bounds::unbounded;
    bool overflow = false;
    sum = SaturatingMultiplyAdd<uint64_t>(bound, scale, sum, &overflow);
    if (bound == Bounds::unbounded || overflow)
      return false;
  }
  return high >= 0 && sum <= maskTrailingOnes<uint64_t>(32);
}

} // namespace inflight::select
