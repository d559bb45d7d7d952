// Reads of LDS by columns: a lane's part of a factor of a matrix instruction, where the factor's tile has K in its
// rows. Where the chip has transposing reads they take their place; elsewhere the tile is stored as its transpose.
#include "compiler/loops/columns/ColumnReads.h"

#include "compiler/lanes/LaneExpression.h"
#include "compiler/lanes/MemorySpaces.h"
#include "compiler/loops/Loops.h"
#include "compiler/loops/copies/CopyRemark.h"
#include "isa/Isa.h"
#include "mlir/Dialect/AMDGPU/IR/AMDGPUDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;

namespace inflight {

namespace loops {

using lanes::LaneExpressions;
using lanes::LaneForm;
using lanes::LaneForms;
using lanes::LaneTable;

void ColumnRead::erase() {
  op.erase();
  for (memref::LoadOp load : loads)
    load.erase();
}

memref::LoadOp ColumnRead::last() const {
  return *llvm::max_element(loads, [](memref::LoadOp a, memref::LoadOp b) { return a->isBeforeInBlock(b); });
}

std::optional<ColumnRead> columnReadOf(vector::FromElementsOp op) {
  ColumnRead read{op, {}};
  for (Value element : op.getElements()) {
    auto load = element.getDefiningOp<memref::LoadOp>();
    if (!load || !load->hasOneUse() || load->getBlock() != op->getBlock() || !isLds(load.getMemRef()) ||
        (!read.loads.empty() && load.getMemRef() != read.memref()))
      return std::nullopt;
    read.loads.push_back(load);
  }
  if (read.loads.size() < 2)
    return std::nullopt;
  Operation *first =
      *llvm::min_element(read.loads, [](memref::LoadOp a, memref::LoadOp b) { return a->isBeforeInBlock(b); });
  for (Operation *each = first; each != read.last(); each = each->getNextNode())
    if (!isMemoryEffectFree(each) && !isa<memref::LoadOp, vector::LoadOp, vector::TransferReadOp>(each))
      return std::nullopt;
  return read;
}

namespace {
/// Columns by transposing reads. Sixteen lanes read eight bytes each, a piece of a row; of `part` rows, lane 4q + r of
/// sixteen gets what is in place r of the q-th piece of each (of bytes there are eight to a piece, and two pieces to a
/// row). So the e-th element of lane `part` q + r has to lie r elements beyond that of lane `part` q, which is where
/// lane `pieces` e + q reads, of `pieces` to a row.
class TransposingReads {
public:
  TransposingReads(gpu::GPUFuncOp kernel, LaneForms &forms) : kernel(kernel), forms(forms) {}
  /// What it takes the place of stays without uses: `forms` knows values by where they are.
  bool replace(ColumnRead &read);

private:
  static constexpr unsigned lanesOfGroup = 16, readBytes = 8;
  bool isWhole(ColumnRead &read, unsigned first, unsigned part);
  SmallVector<Value> indices(OpBuilder &builder, ColumnRead &read, unsigned first, unsigned part);

  gpu::GPUFuncOp kernel;
  LaneForms &forms;
  SmallVector<SmallVector<LaneForm>> places; ///< by element and dimension
};
} // namespace

/// The same sum in all lanes beside a constant of each lane.
static bool isTableAndUniform(const LaneForm &form) {
  return llvm::all_of(form.terms, [](const LaneForm::Term &term) { return !term.varies && term.factor.isSame(); });
}

/// Whether the elements from `first` on are those that a transposing read brings.
bool TransposingReads::isWhole(ColumnRead &read, unsigned first, unsigned part) {
  const MemRefType type = read.loads.front().getMemRefType();
  const int64_t size = elementBytes(type.getElementType());
  std::optional<LaneForm> start;
  for (unsigned e = first; e < first + part; ++e) {
    const std::optional<LaneForm> byte = forms.byteOf(type, read.loads[e].getIndices());
    if (!byte || !isTableAndUniform(*byte))
      return false;
    if (!start)
      start = byte;
    if (!byte->haveSameTerms(0, *start, 0))
      return false;
    for (const LaneForm::Term &term : byte->terms)
      if (term.factor[0] % readBytes && !forms.isMultiple(term.value, readBytes))
        return false;
    for (unsigned lane = 0; lane < forms.lanes(); ++lane) {
      const int64_t piece = byte->constant[lane / part * part];
      if (piece % readBytes || byte->constant[lane] != piece + lane % part * size)
        return false;
    }
  }
  return true;
}

/// Where each lane reads, by dimension.
SmallVector<Value> TransposingReads::indices(OpBuilder &builder, ColumnRead &read, unsigned first, unsigned part) {
  const unsigned pieces = lanesOfGroup / part;
  OpBuilder entry = OpBuilder::atBlockBegin(&kernel.getBody().front());
  const Location loc = read.op.getLoc();
  LaneExpressions expressions(entry, loc, lanes::emitFlatId(entry, loc, kernel), forms.lanes());
  SmallVector<Value> indices;
  for (unsigned dim = 0; dim < places.front().size(); ++dim) {
    std::vector<int64_t> ofLanes;
    for (unsigned lane = 0; lane < forms.lanes(); ++lane) {
      const unsigned group = lane / lanesOfGroup * lanesOfGroup, inGroup = lane % lanesOfGroup;
      ofLanes.push_back(places[first + inGroup / pieces][dim].constant[group + inGroup % pieces * part]);
    }
    const LaneTable table(std::move(ofLanes));
    if (!LaneExpressions::canEmit(table, forms.lanes()))
      return {};
    Value sum = expressions.emit(table);
    for (const LaneForm::Term &term : places[first][dim].terms) {
      Value factor = arith::ConstantIndexOp::create(builder, loc, term.factor[0]);
      sum = arith::AddIOp::create(builder, loc, sum, arith::MulIOp::create(builder, loc, term.value, factor));
    }
    indices.push_back(sum);
  }
  return indices;
}

bool TransposingReads::replace(ColumnRead &read) {
  const MemRefType type = read.loads.front().getMemRefType();
  const unsigned size = elementBytes(type.getElementType());
  if (size == 0 || size > 2 || type.getElementType().getIntOrFloatBitWidth() != 8 * size ||
      !isa_and_nonnull<memref::AllocOp, memref::AllocaOp, memref::GetGlobalOp>(read.memref().getDefiningOp()))
    return false;
  const unsigned part = readBytes / size, count = read.loads.size();
  if (count % part || !forms.hasWholeWaves() || !forms.isReachedByAll(read.op))
    return false;
  places.clear();
  for (memref::LoadOp load : read.loads) {
    places.emplace_back();
    for (Value index : load.getIndices()) {
      std::optional<LaneForm> form = forms.of(index);
      if (!form || !isTableAndUniform(*form) ||
          (places.size() > 1 && !form->haveSameTerms(0, places.front()[places.back().size()], 0)))
        return false;
      places.back().push_back(std::move(*form));
    }
  }
  for (unsigned first = 0; first < count; first += part)
    if (!isWhole(read, first, part))
      return false;
  OpBuilder builder(read.last());
  const Location loc = read.op.getLoc();
  SmallVector<SmallVector<Value>> where;
  for (unsigned first = 0; first < count; first += part) {
    where.push_back(indices(builder, read, first, part));
    if (where.back().empty())
      return false;
  }
  Value all;
  auto vector = VectorType::get(part, type.getElementType());
  for (const SmallVector<Value> &at : where) {
    Value one = amdgpu::TransposeLoadOp::create(builder, loc, vector, read.memref(), at);
    if (!all) {
      all = one;
      continue;
    }
    // Vectors of one length are joined by a shuffle.
    const int64_t before = cast<VectorType>(all.getType()).getNumElements();
    SmallVector<int64_t> order = llvm::to_vector(llvm::seq<int64_t>(before + part));
    all = vector::ShuffleOp::create(builder, loc, all, one, order);
  }
  auto wanted = cast<VectorType>(read.op.getType());
  if (wanted != all.getType())
    all = vector::ShapeCastOp::create(builder, loc, wanted, all);
  read.op.replaceAllUsesWith(all);
  return true;
}

} // namespace loops

namespace {
class ColumnReads : public PassWrapper<ColumnReads, OperationPass<ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(ColumnReads)
  explicit ColumnReads(const Isa &isa)
      : reads16(!isa.encodings(Mnemonic::ds_read_b64_tr_b16).empty()),
        reads8(!isa.encodings(Mnemonic::ds_read_b64_tr_b8).empty()) {}
  StringRef getArgument() const override { return "inflight-column-reads"; }
  void runOnOperation() override {
    for (auto module : getOperation().getOps<gpu::GPUModuleOp>())
      for (auto kernel : module.getOps<gpu::GPUFuncOp>())
        if (kernel.getKnownBlockSize())
          runOnKernel(kernel);
  }

private:
  void runOnKernel(gpu::GPUFuncOp kernel);
  const bool reads16, reads8; ///< there are transposing reads of elements of so many bits
};
} // namespace

void ColumnReads::runOnKernel(gpu::GPUFuncOp kernel) {
  llvm::MapVector<scf::ForOp, SmallVector<loops::ColumnRead>> found;
  kernel.walk([&](vector::FromElementsOp op) {
    auto loop = dyn_cast<scf::ForOp>(op->getParentOp());
    if (std::optional<loops::ColumnRead> read = loop ? loops::columnReadOf(op) : std::nullopt)
      found[loop].push_back(std::move(*read));
  });
  for (auto &[loop, reads] : found) {
    SmallVector<loops::ColumnRead> replaced, left;
    {
      lanes::LaneForms forms(kernel);
      for (loops::ColumnRead &read : reads) {
        const uint64_t size = elementBytes(read.loads.front().getMemRefType().getElementType());
        const bool mayRead = size == 2 ? reads16 : size == 1 && reads8;
        (mayRead && loops::TransposingReads(kernel, forms).replace(read) ? replaced : left).push_back(std::move(read));
      }
    }
    if (!replaced.empty())
      loops::remark(kernel, replaced.front().op, false, "TransposingReads",
                    {{"String", "columns are read by transposing reads"}});
    for (loops::ColumnRead &read : replaced)
      read.erase();
    if (!left.empty())
      loops::transposeTiles(kernel, loop, left);
  }
}

std::unique_ptr<Pass> createColumnReadsPass(const Isa &isa) { return std::make_unique<ColumnReads>(isa); }

} // namespace inflight
