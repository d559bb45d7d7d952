// What passes tell each other, and selection: names of attributes and intrinsics.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace inflight {

/// LLVM's intrinsics, by name, that lowering leaves for selection.
namespace intrinsic {
inline constexpr llvm::StringLiteral fdot2 = "llvm.amdgcn.fdot2"; ///< of two halves each, added to a single
inline constexpr llvm::StringLiteral implicitArguments = "llvm.amdgcn.implicitarg.ptr";
inline constexpr llvm::StringLiteral isShared = "llvm.amdgcn.is.shared", isPrivate = "llvm.amdgcn.is.private";
} // namespace intrinsic

/// Attribute names that lowering leaves for selection.
namespace attr {
inline constexpr llvm::StringLiteral arguments = "inflight.arguments";         ///< array of dictionaries
inline constexpr llvm::StringLiteral argName = "name";                         ///< in each: StringAttr
inline constexpr llvm::StringLiteral argKind = "kind";                         ///< in each: value kind of the metadata
inline constexpr llvm::StringLiteral argType = "type";                         ///< in each: element type
inline constexpr llvm::StringLiteral ldsBytes = "inflight.lds_bytes";          ///< on functions: i64
inline constexpr llvm::StringLiteral blockSize = "inflight.block_size";        ///< array<i32> of 3
inline constexpr llvm::StringLiteral maxBlock = "inflight.max_workgroup_size"; ///< i64
/// On source functions: every dynamic memref spans less than 4 GiB, so descriptors may reach it.
inline constexpr llvm::StringLiteral dynamicBuffers = "inflight.dynamic_buffers";
/// On allocations in workgroup memory: i64, a number that several may share. On an llvm.fence of the workgroup: it
/// orders transfers to those allocations alone; the allocations have become their bytes, array<i64: begin, end>, when
/// selection sees it.
inline constexpr llvm::StringLiteral ldsStage = "inflight.lds_stage";
/// On such a fence and on a rocdl.s.barrier: only accesses to workgroup memory are ordered.
inline constexpr llvm::StringLiteral ldsOnly = "inflight.lds_only";
/// On kernels: nothing that the kernel stores is what its LDS DMA copies.
inline constexpr llvm::StringLiteral constantCopies = "inflight.constant_copies";
/// On an llvm.fence: LDS DMA before it is a group, or belongs to older ones. On another: all groups are done there but
/// so many of the youngest, i64. Nothing else waits for LDS DMA in kernels that have any.
inline constexpr llvm::StringLiteral commitGroup = "inflight.commit_group";
inline constexpr llvm::StringLiteral waitGroup = "inflight.wait_group";
/// On copies to workgroup memory by LDS DMA: only waits for their group wait for them.
inline constexpr llvm::StringLiteral asynchronous = "inflight.async";
/// On kernels: an array of dictionaries, each a remark of a pass before selection: "at", a location; "missed", whether
/// something wasn't done; "name"; "parts", keys and values of its arguments in turn. "pass" is its pass.
inline constexpr llvm::StringLiteral remarks = "inflight.remarks";
/// On amdgpu.fat_raw_buffer_cast: the descriptor ends where the memref does.
inline constexpr llvm::StringLiteral endsWithMemRef = "inflight.ends_with_memref";
/// On kernels: tiles of some loop are copied by LDS DMA, iterations ahead; halves of the waves alternate in some loop.
inline constexpr llvm::StringLiteral copiesAhead = "inflight.copies_ahead";
inline constexpr llvm::StringLiteral pingPongs = "inflight.ping_pongs";
/// On kernels, of which RotateLoops has rotated a loop.
inline constexpr llvm::StringLiteral rotated = "inflight.rotated";
/// On source functions or a module around them: sums of floats may be added in another order.
inline constexpr llvm::StringLiteral reassociate = "inflight.reassociate";
/// On kernels: denormals of 32 bits are zeros, as operands and as results.
inline constexpr llvm::StringLiteral flushesSingles = "inflight.flushes_singles";
/// On kernels: halves that are too large become the largest one instead of infinite.
inline constexpr llvm::StringLiteral saturatesHalves = "inflight.saturates_halves";
/// On a kernel: as many arguments as fit are in SGPRs from the start, not only those that are marked.
inline constexpr llvm::StringLiteral preloads = "inflight.preloads";
/// On a module: text, directives of the assembler for its globals. On those of them whose data is there: unit.
inline constexpr llvm::StringLiteral data = "inflight.data";
} // namespace attr

} // namespace inflight
