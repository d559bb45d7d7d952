// What the nodes of graphs do: questions, changes, and changes in graphs that are instantiated.
#include "hip/GraphParams.h"

using namespace inflight::hip;

HIP_EXPORT HipError hipGraphKernelNodeGetParams(GraphNode *node, KernelNodeParams *params) {
  std::lock_guard lock(Runtime::get().mutex);
  KernelWork *const work = workOf<KernelWork>(node);
  if (!work || !params)
    return give(hipErrorInvalidValue);
  work->pointers.clear();
  for (const Function::Argument &argument : work->kernel->explicitArguments)
    work->pointers.push_back(work->segment.data() + argument.offset);
  *params = {work->block,           nullptr,         const_cast<void *>(work->given), work->grid,
             work->pointers.data(), work->dynamicLds};
  return hipSuccess;
}
HIP_EXPORT HipError hipGraphKernelNodeSetParams(GraphNode *node, const KernelNodeParams *params) {
  return with(params, kernelOf, [&](KernelWork work) { return change(node, std::move(work)); });
}
HIP_EXPORT HipError hipGraphExecKernelNodeSetParams(void *exec, GraphNode *node, const KernelNodeParams *params) {
  return with(params, kernelOf, [&](KernelWork work) { return change(copyIn(exec, node), std::move(work)); });
}
HIP_EXPORT HipError hipGraphMemcpyNodeGetParams(GraphNode *node, Copy3DParams *params) {
  std::lock_guard lock(Runtime::get().mutex);
  const CopyWork *const work = workOf<CopyWork>(node);
  if (!work || !params)
    return give(hipErrorInvalidValue);
  auto rows = [](size_t slice, size_t pitch, size_t height) { return slice && pitch ? slice / pitch : height; };
  *params = {};
  params->from = {const_cast<void *>(work->from), work->fromPitch, work->width,
                  rows(work->fromSlice, work->fromPitch, work->height)};
  params->to = {work->to, work->toPitch, work->width, rows(work->toSlice, work->toPitch, work->height)};
  params->extent = {work->width, work->height, work->depth};
  params->kind = work->kind;
  return hipSuccess;
}
HIP_EXPORT HipError hipGraphMemcpyNodeSetParams(GraphNode *node, const Copy3DParams *params) {
  return with(params, boxOf, [&](const CopyWork &work) { return change(node, work); });
}
HIP_EXPORT HipError hipGraphExecMemcpyNodeSetParams(void *exec, GraphNode *node, const Copy3DParams *params) {
  return with(params, boxOf, [&](const CopyWork &work) { return change(copyIn(exec, node), work); });
}
HIP_EXPORT HipError hipGraphMemcpyNodeSetParams1D(GraphNode *node, void *to, const void *from, size_t bytes,
                                                  CopyKind kind) {
  std::lock_guard lock(Runtime::get().mutex);
  return change(node, rowOf(to, from, bytes, kind));
}
HIP_EXPORT HipError hipGraphExecMemcpyNodeSetParams1D(void *exec, GraphNode *node, void *to, const void *from,
                                                      size_t bytes, CopyKind kind) {
  std::lock_guard lock(Runtime::get().mutex);
  return change(copyIn(exec, node), rowOf(to, from, bytes, kind));
}
HIP_EXPORT HipError hipGraphMemcpyNodeSetParamsFromSymbol(GraphNode *node, void *to, const void *symbol, size_t bytes,
                                                          size_t offset, CopyKind) {
  std::lock_guard lock(Runtime::get().mutex);
  return change(node, SymbolWork{&Runtime::get().current(), symbol, to, bytes, offset, false});
}
HIP_EXPORT HipError hipGraphExecMemcpyNodeSetParamsFromSymbol(void *exec, GraphNode *node, void *to, const void *symbol,
                                                              size_t bytes, size_t offset, CopyKind) {
  std::lock_guard lock(Runtime::get().mutex);
  return change(copyIn(exec, node), SymbolWork{&Runtime::get().current(), symbol, to, bytes, offset, false});
}
HIP_EXPORT HipError hipGraphMemcpyNodeSetParamsToSymbol(GraphNode *node, const void *symbol, const void *from,
                                                        size_t bytes, size_t offset, CopyKind) {
  std::lock_guard lock(Runtime::get().mutex);
  return change(node, SymbolWork{&Runtime::get().current(), symbol, const_cast<void *>(from), bytes, offset, true});
}
HIP_EXPORT HipError hipGraphExecMemcpyNodeSetParamsToSymbol(void *exec, GraphNode *node, const void *symbol,
                                                            const void *from, size_t bytes, size_t offset, CopyKind) {
  std::lock_guard lock(Runtime::get().mutex);
  return change(copyIn(exec, node),
                SymbolWork{&Runtime::get().current(), symbol, const_cast<void *>(from), bytes, offset, true});
}
HIP_EXPORT HipError hipGraphMemsetNodeGetParams(GraphNode *node, SetParams *params) {
  std::lock_guard lock(Runtime::get().mutex);
  const SetWork *const work = workOf<SetWork>(node);
  if (!work || !params)
    return give(hipErrorInvalidValue);
  *params = {work->to, work->elementBytes, work->height, work->pitch, work->value, work->width};
  return hipSuccess;
}
HIP_EXPORT HipError hipGraphMemsetNodeSetParams(GraphNode *node, const SetParams *params) {
  return with(params, setOf, [&](const SetWork &work) { return change(node, work); });
}
HIP_EXPORT HipError hipGraphExecMemsetNodeSetParams(void *exec, GraphNode *node, const SetParams *params) {
  return with(params, setOf, [&](const SetWork &work) { return change(copyIn(exec, node), work); });
}
HIP_EXPORT HipError hipGraphHostNodeGetParams(GraphNode *node, HostWork *params) {
  std::lock_guard lock(Runtime::get().mutex);
  const HostWork *const work = workOf<HostWork>(node);
  if (!work || !params)
    return give(hipErrorInvalidValue);
  *params = *work;
  return hipSuccess;
}
HIP_EXPORT HipError hipGraphHostNodeSetParams(GraphNode *node, const HostWork *params) {
  return with(params, hostOf, [&](const HostWork &work) { return change(node, work); });
}
HIP_EXPORT HipError hipGraphExecHostNodeSetParams(void *exec, GraphNode *node, const HostWork *params) {
  return with(params, hostOf, [&](const HostWork &work) { return change(copyIn(exec, node), work); });
}
HIP_EXPORT HipError hipGraphChildGraphNodeGetGraph(GraphNode *node, Graph **graph) {
  std::lock_guard lock(Runtime::get().mutex);
  const ChildWork *const work = workOf<ChildWork>(node);
  if (!work || !graph)
    return give(hipErrorInvalidValue);
  *graph = work->graph.get();
  return hipSuccess;
}
HIP_EXPORT HipError hipGraphExecChildGraphNodeSetParams(void *exec, GraphNode *node, Graph *child) {
  std::lock_guard lock(Runtime::get().mutex);
  return isGraph(child) ? change(copyIn(exec, node), ChildWork{child->copy()}) : give(hipErrorInvalidValue);
}

/// Event nodes wait or record; a change keeps which.
static HipError changeEvent(GraphNode *node, void *event, bool isRecord) {
  EventWork *const work = workOf<EventWork>(node);
  if (!work || work->isRecord != isRecord)
    return give(hipErrorInvalidValue);
  work->event = event;
  return hipSuccess;
}
static HipError eventOf(GraphNode *node, void **event, bool isRecord) {
  std::lock_guard lock(Runtime::get().mutex);
  const EventWork *const work = workOf<EventWork>(node);
  if (!work || work->isRecord != isRecord || !event)
    return give(hipErrorInvalidValue);
  *event = work->event;
  return hipSuccess;
}
HIP_EXPORT HipError hipGraphEventRecordNodeGetEvent(GraphNode *node, void **event) {
  return eventOf(node, event, true);
}
HIP_EXPORT HipError hipGraphEventWaitNodeGetEvent(GraphNode *node, void **event) { return eventOf(node, event, false); }
HIP_EXPORT HipError hipGraphEventRecordNodeSetEvent(GraphNode *node, void *event) {
  std::lock_guard lock(Runtime::get().mutex);
  return changeEvent(node, event, true);
}
HIP_EXPORT HipError hipGraphEventWaitNodeSetEvent(GraphNode *node, void *event) {
  std::lock_guard lock(Runtime::get().mutex);
  return changeEvent(node, event, false);
}
HIP_EXPORT HipError hipGraphExecEventRecordNodeSetEvent(void *exec, GraphNode *node, void *event) {
  std::lock_guard lock(Runtime::get().mutex);
  return changeEvent(copyIn(exec, node), event, true);
}
HIP_EXPORT HipError hipGraphExecEventWaitNodeSetEvent(void *exec, GraphNode *node, void *event) {
  std::lock_guard lock(Runtime::get().mutex);
  return changeEvent(copyIn(exec, node), event, false);
}
HIP_EXPORT HipError hipGraphMemAllocNodeGetParams(GraphNode *node, AllocateParams *params) {
  std::lock_guard lock(Runtime::get().mutex);
  const MemoryWork *const work = workOf<MemoryWork>(node);
  if (!work || !work->memory || !params)
    return give(hipErrorInvalidValue);
  *params = {};
  params->bytes = work->memory->bytes;
  params->pointer = work->pointer;
  return hipSuccess;
}
HIP_EXPORT HipError hipGraphMemFreeNodeGetParams(GraphNode *node, void **pointer) {
  std::lock_guard lock(Runtime::get().mutex);
  const MemoryWork *const work = workOf<MemoryWork>(node);
  if (!work || work->memory || !pointer)
    return give(hipErrorInvalidValue);
  *pointer = work->pointer;
  return hipSuccess;
}

/// By the kind that the parameters say; `node` is null where an instantiated graph hasn't it.
static HipError changeAny(GraphNode *node, const NodeParams *params) {
  enum { Kernel, Copy, Set, Host, Child, WaitEvent = 6, RecordEvent };
  std::lock_guard lock(Runtime::get().mutex);
  if (!params || !isNode(node))
    return give(hipErrorInvalidValue);
  switch (params->type) {
  case Kernel: return hipGraphKernelNodeSetParams(node, &params->kernel);
  case Copy: return hipGraphMemcpyNodeSetParams(node, &params->copy.copy);
  case Set: return hipGraphMemsetNodeSetParams(node, &params->set);
  case Host: return hipGraphHostNodeSetParams(node, &params->host);
  case Child:
    return isGraph(params->graph) ? change(node, ChildWork{params->graph->copy()}) : give(hipErrorInvalidValue);
  case WaitEvent: return changeEvent(node, params->event, false);
  case RecordEvent: return changeEvent(node, params->event, true);
  default: return give(hipErrorInvalidValue);
  }
}
HIP_EXPORT HipError hipGraphNodeSetParams(GraphNode *node, const NodeParams *params) { return changeAny(node, params); }
HIP_EXPORT HipError hipGraphExecNodeSetParams(void *exec, GraphNode *node, const NodeParams *params) {
  std::lock_guard lock(Runtime::get().mutex);
  return changeAny(copyIn(exec, node), params);
}

HIP_EXPORT HipError hipGraphNodeSetEnabled(void *exec, GraphNode *node, unsigned isEnabled) {
  std::lock_guard lock(Runtime::get().mutex);
  GraphNode *const copy = copyIn(exec, node);
  if (!copy)
    return give(hipErrorInvalidValue);
  copy->isEnabled = isEnabled != 0;
  return hipSuccess;
}
HIP_EXPORT HipError hipGraphNodeGetEnabled(void *exec, GraphNode *node, unsigned *isEnabled) {
  std::lock_guard lock(Runtime::get().mutex);
  const GraphNode *const copy = copyIn(exec, node);
  if (!copy || !isEnabled)
    return give(hipErrorInvalidValue);
  *isEnabled = copy->isEnabled;
  return hipSuccess;
}
