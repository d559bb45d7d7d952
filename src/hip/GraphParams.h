// Parameters of graph nodes as programs give them, and the work that they become.
#pragma once

#include "hip/runtime/Graph.h"

namespace inflight::hip {

/// hipKernelNodeParams.
struct KernelNodeParams {
  Dim3 block;
  void **extra;
  void *function;
  Dim3 grid;
  void **arguments;
  uint32_t dynamicLds;
};
/// hipMemsetParams.
struct SetParams {
  void *to;
  uint32_t elementBytes;
  size_t height, pitch;
  uint32_t value;
  size_t width;
};
/// hipMemAllocNodeParams: the pool's properties, who may access it, and then.
struct AllocateParams {
  char pool[88];
  const void *access;
  size_t accesses, bytes;
  void *pointer;
};
/// hipGraphNodeParams.
struct NodeParams {
  int type, reserved[3];
  union {
    long long words[29];
    KernelNodeParams kernel;
    struct {
      int flags, reserved[3];
      Copy3DParams copy;
    } copy;
    SetParams set;
    HostWork host;
    Graph *graph;
    void *event;
    AllocateParams allocate;
    void *pointer;
  };
};

inline GraphExec *execOf(void *handle) {
  auto found = Runtime::get().execs.find(handle);
  return found == Runtime::get().execs.end() ? nullptr : found->second.get();
}

/// The node's work where it is of that kind.
template <class Kind> Kind *workOf(GraphNode *node) { return isNode(node) ? std::get_if<Kind>(&node->work) : nullptr; }

/// An instantiated graph's copy of a node.
inline GraphNode *copyIn(void *exec, GraphNode *node) {
  GraphExec *const its = execOf(exec);
  if (!its)
    return nullptr;
  auto found = its->graph->copies.find(node);
  return found == its->graph->copies.end() ? nullptr : found->second;
}

/// Gives a node other work of the kind that it has.
template <class Kind> HipError change(GraphNode *node, Kind work) {
  Kind *const its = workOf<Kind>(node);
  if (!its)
    return give(hipErrorInvalidValue);
  *its = std::move(work);
  return hipSuccess;
}

/// Calls `use` with what `make` makes of the parameters, under the lock.
template <class Params, class Make, class Use> HipError with(const Params *params, Make make, Use use) {
  std::lock_guard lock(Runtime::get().mutex);
  if (!params)
    return give(hipErrorInvalidValue);
  auto work = decltype(make(*params, std::declval<HipError &>()))();
  HipError error = hipSuccess;
  work = make(*params, error);
  return error ? error : use(std::move(work));
}

inline KernelWork kernelOf(const KernelNodeParams &params, HipError &error) {
  KernelWork work;
  LaunchShape shape{params.grid, params.block, params.dynamicLds, params.arguments};
  if (!params.arguments)
    readExtra(params.extra, shape);
  error = kernelWork("hipGraphAddKernelNode", params.function, shape, work);
  return work;
}

inline CopyWork boxOf(const Copy3DParams &params, HipError &error) {
  CopyWork work;
  error = boxWork("hipGraphAddMemcpyNode", params, work);
  return work;
}

inline SetWork setOf(const SetParams &params, HipError &error) {
  if (params.elementBytes != 1 && params.elementBytes != 2 && params.elementBytes != 4)
    error = misuse(hipErrorInvalidValue, "hipGraphAddMemsetNode", "elements have 1, 2 or 4 bytes");
  return {params.to, params.pitch, params.value, params.elementBytes, params.width, params.height};
}

inline HostWork hostOf(const HostWork &params, HipError &error) {
  if (!params.function)
    error = give(hipErrorInvalidValue);
  return params;
}

inline CopyWork rowOf(void *to, const void *from, size_t bytes, CopyKind kind) {
  CopyWork work;
  work.to = to;
  work.from = from;
  work.width = work.toPitch = work.fromPitch = bytes;
  work.kind = kind;
  return work;
}

} // namespace inflight::hip
