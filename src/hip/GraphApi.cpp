// Graphs as programs make, change and launch them.
#include "hip/GraphParams.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>

using namespace llvm;
using namespace inflight::hip;

struct inflight::hip::UserObject {
  void *data;
  void (*destroy)(void *);
  unsigned count;
};

static HipError addNode(GraphNode **node, Graph *graph, GraphNode *const *after, size_t count, Work work) {
  std::lock_guard lock(Runtime::get().mutex);
  if (!node || !isGraph(graph) || (count && !after))
    return give(hipErrorInvalidValue);
  for (GraphNode *before : ArrayRef(after, count))
    if (!isNode(before) || before->graph != graph)
      return give(hipErrorInvalidValue);
  *node = graph->add(std::move(work), {after, after + count});
  return hipSuccess;
}

HIP_EXPORT HipError hipGraphCreate(void **graph, unsigned) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  if (!graph)
    return give(hipErrorInvalidValue);
  auto made = std::make_shared<Graph>();
  *graph = made.get();
  runtime.graphs[*graph] = std::move(made);
  return hipSuccess;
}

HIP_EXPORT HipError hipUserObjectRelease(UserObject *object, unsigned count) {
  if (!object || count > object->count)
    return give(hipErrorInvalidValue);
  object->count -= count;
  if (!object->count) {
    object->destroy(object->data);
    delete object;
  }
  return hipSuccess;
}
HIP_EXPORT HipError hipUserObjectCreate(UserObject **object, void *data, void (*destroy)(void *), unsigned count,
                                        unsigned) {
  if (!object || !destroy || !count)
    return give(hipErrorInvalidValue);
  *object = new UserObject{data, destroy, count};
  return hipSuccess;
}
HIP_EXPORT HipError hipUserObjectRetain(UserObject *object, unsigned count) {
  if (!object)
    return give(hipErrorInvalidValue);
  object->count += count;
  return hipSuccess;
}
HIP_EXPORT HipError hipGraphRetainUserObject(Graph *graph, UserObject *object, unsigned count, unsigned moves) {
  std::lock_guard lock(Runtime::get().mutex);
  if (!isGraph(graph) || !object)
    return give(hipErrorInvalidValue);
  graph->objects[object] += count;
  if (!moves)
    object->count += count;
  return hipSuccess;
}
HIP_EXPORT HipError hipGraphReleaseUserObject(Graph *graph, UserObject *object, unsigned count) {
  std::lock_guard lock(Runtime::get().mutex);
  if (!isGraph(graph) || !graph->objects.count(object) || graph->objects[object] < count)
    return give(hipErrorInvalidValue);
  graph->objects[object] -= count;
  return hipUserObjectRelease(object, count);
}

HIP_EXPORT HipError hipGraphDestroy(void *graph) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  auto found = runtime.graphs.find(graph);
  if (found == runtime.graphs.end())
    return give(hipErrorInvalidValue);
  for (auto [object, count] : found->second->objects)
    (void)hipUserObjectRelease(object, count);
  runtime.graphs.erase(found);
  return hipSuccess;
}

HIP_EXPORT HipError hipGraphClone(void **copy, Graph *graph) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  if (!copy || !isGraph(graph))
    return give(hipErrorInvalidValue);
  std::shared_ptr<Graph> made = graph->copy();
  *copy = made.get();
  runtime.graphs[*copy] = std::move(made);
  return hipSuccess;
}
HIP_EXPORT HipError hipGraphNodeFindInClone(GraphNode **node, GraphNode *original, Graph *copy) {
  std::lock_guard lock(Runtime::get().mutex);
  if (!node || !isGraph(copy))
    return give(hipErrorInvalidValue);
  auto found = copy->copies.find(original);
  if (found == copy->copies.end() || !isNode(found->second))
    return give(hipErrorInvalidValue);
  *node = found->second;
  return hipSuccess;
}

// Nodes.

HIP_EXPORT HipError hipGraphAddEmptyNode(GraphNode **node, Graph *graph, GraphNode *const *after, size_t count) {
  return addNode(node, graph, after, count, EmptyWork{});
}
HIP_EXPORT HipError hipGraphAddKernelNode(GraphNode **node, Graph *graph, GraphNode *const *after, size_t count,
                                          const KernelNodeParams *params) {
  return with(params, kernelOf, [&](KernelWork work) { return addNode(node, graph, after, count, std::move(work)); });
}
HIP_EXPORT HipError hipGraphAddMemcpyNode(GraphNode **node, Graph *graph, GraphNode *const *after, size_t count,
                                          const Copy3DParams *params) {
  return with(params, boxOf, [&](const CopyWork &work) { return addNode(node, graph, after, count, work); });
}
HIP_EXPORT HipError hipGraphAddMemcpyNode1D(GraphNode **node, Graph *graph, GraphNode *const *after, size_t count,
                                            void *to, const void *from, size_t bytes, CopyKind kind) {
  return addNode(node, graph, after, count, rowOf(to, from, bytes, kind));
}
HIP_EXPORT HipError hipGraphAddMemcpyNodeFromSymbol(GraphNode **node, Graph *graph, GraphNode *const *after,
                                                    size_t count, void *to, const void *symbol, size_t bytes,
                                                    size_t offset, CopyKind) {
  return addNode(node, graph, after, count, SymbolWork{&Runtime::get().current(), symbol, to, bytes, offset, false});
}
HIP_EXPORT HipError hipGraphAddMemcpyNodeToSymbol(GraphNode **node, Graph *graph, GraphNode *const *after, size_t count,
                                                  const void *symbol, const void *from, size_t bytes, size_t offset,
                                                  CopyKind) {
  return addNode(node, graph, after, count,
                 SymbolWork{&Runtime::get().current(), symbol, const_cast<void *>(from), bytes, offset, true});
}
HIP_EXPORT HipError hipGraphAddMemsetNode(GraphNode **node, Graph *graph, GraphNode *const *after, size_t count,
                                          const SetParams *params) {
  return with(params, setOf, [&](const SetWork &work) { return addNode(node, graph, after, count, work); });
}
HIP_EXPORT HipError hipGraphAddHostNode(GraphNode **node, Graph *graph, GraphNode *const *after, size_t count,
                                        const HostWork *params) {
  return with(params, hostOf, [&](const HostWork &work) { return addNode(node, graph, after, count, work); });
}
HIP_EXPORT HipError hipGraphAddChildGraphNode(GraphNode **node, Graph *graph, GraphNode *const *after, size_t count,
                                              Graph *child) {
  std::lock_guard lock(Runtime::get().mutex);
  return isGraph(child) ? addNode(node, graph, after, count, ChildWork{child->copy()}) : give(hipErrorInvalidValue);
}
HIP_EXPORT HipError hipGraphAddEventRecordNode(GraphNode **node, Graph *graph, GraphNode *const *after, size_t count,
                                               void *event) {
  return addNode(node, graph, after, count, EventWork{event, true});
}
HIP_EXPORT HipError hipGraphAddEventWaitNode(GraphNode **node, Graph *graph, GraphNode *const *after, size_t count,
                                             void *event) {
  return addNode(node, graph, after, count, EventWork{event, false});
}
HIP_EXPORT HipError hipGraphAddMemAllocNode(GraphNode **node, Graph *graph, GraphNode *const *after, size_t count,
                                            AllocateParams *params) {
  std::lock_guard lock(Runtime::get().mutex);
  MemoryWork work;
  if (!params)
    return give(hipErrorInvalidValue);
  if (HipError error = allocateForGraph("hipGraphAddMemAllocNode", params->bytes, work))
    return error;
  params->pointer = work.pointer;
  return addNode(node, graph, after, count, std::move(work));
}
HIP_EXPORT HipError hipGraphAddMemFreeNode(GraphNode **node, Graph *graph, GraphNode *const *after, size_t count,
                                           void *pointer) {
  return addNode(node, graph, after, count, MemoryWork{nullptr, pointer});
}

HIP_EXPORT HipError hipGraphAddNode(GraphNode **node, Graph *graph, GraphNode *const *after, size_t count,
                                    NodeParams *params) {
  if (!params)
    return give(hipErrorInvalidValue);
  enum { Kernel, Copy, Set, Host, Child, Empty, WaitEvent, RecordEvent, Allocate = 10, Free };
  switch (params->type) {
  case Kernel: return hipGraphAddKernelNode(node, graph, after, count, &params->kernel);
  case Copy: return hipGraphAddMemcpyNode(node, graph, after, count, &params->copy.copy);
  case Set: return hipGraphAddMemsetNode(node, graph, after, count, &params->set);
  case Host: return hipGraphAddHostNode(node, graph, after, count, &params->host);
  case Child: return hipGraphAddChildGraphNode(node, graph, after, count, params->graph);
  case Empty: return hipGraphAddEmptyNode(node, graph, after, count);
  case WaitEvent: return hipGraphAddEventWaitNode(node, graph, after, count, params->event);
  case RecordEvent: return hipGraphAddEventRecordNode(node, graph, after, count, params->event);
  case Allocate: return hipGraphAddMemAllocNode(node, graph, after, count, &params->allocate);
  case Free: return hipGraphAddMemFreeNode(node, graph, after, count, params->pointer);
  default:
    return fail(hipErrorNotSupported, "hipGraphAddNode",
                "nodes of type " + Twine(params->type) +
                    " (semaphores, conditional nodes, batches of memory operations) are not served");
  }
}

HIP_EXPORT HipError hipGraphDestroyNode(GraphNode *node) {
  std::lock_guard lock(Runtime::get().mutex);
  if (!isNode(node))
    return give(hipErrorInvalidValue);
  node->graph->remove(node);
  return hipSuccess;
}

template <class Use>
static HipError forEachEdge(Graph *graph, GraphNode *const *from, GraphNode *const *to, size_t count, Use use) {
  std::lock_guard lock(Runtime::get().mutex);
  if (!isGraph(graph) || (count && (!from || !to)))
    return give(hipErrorInvalidValue);
  for (size_t i = 0; i < count; ++i) {
    if (!isNode(from[i]) || !isNode(to[i]) || from[i]->graph != graph || to[i]->graph != graph || from[i] == to[i])
      return give(hipErrorInvalidValue);
    if (!use(from[i], to[i]))
      return give(hipErrorInvalidValue);
  }
  return hipSuccess;
}
HIP_EXPORT HipError hipGraphAddDependencies(Graph *graph, GraphNode *const *from, GraphNode *const *to, size_t count) {
  return forEachEdge(graph, from, to, count, [](GraphNode *before, GraphNode *node) {
    const bool isNew = !is_contained(node->after, before);
    if (isNew)
      node->after.push_back(before);
    return isNew;
  });
}
HIP_EXPORT HipError hipGraphRemoveDependencies(Graph *graph, GraphNode *const *from, GraphNode *const *to,
                                               size_t count) {
  return forEachEdge(graph, from, to, count,
                     [](GraphNode *before, GraphNode *node) { return std::erase(node->after, before) != 0; });
}

/// HIP's way to hand out a list: with no place for it, how many there are; else so many, the rest of the places null.
static HipError handOut(const std::vector<GraphNode *> &all, GraphNode **to, size_t *count) {
  if (!count)
    return give(hipErrorInvalidValue);
  if (to)
    for (size_t i = 0; i < *count; ++i)
      to[i] = i < all.size() ? all[i] : nullptr;
  *count = to ? std::min(*count, all.size()) : all.size();
  return hipSuccess;
}
/// Those nodes of a graph that `isWanted` chooses.
template <class Choose> static HipError handOutNodes(Graph *graph, GraphNode **to, size_t *count, Choose isWanted) {
  std::lock_guard lock(Runtime::get().mutex);
  if (!isGraph(graph))
    return give(hipErrorInvalidValue);
  std::vector<GraphNode *> all;
  for (const auto &node : graph->nodes)
    if (isWanted(*node))
      all.push_back(node.get());
  return handOut(all, to, count);
}
HIP_EXPORT HipError hipGraphGetNodes(Graph *graph, GraphNode **nodes, size_t *count) {
  return handOutNodes(graph, nodes, count, [](const GraphNode &) { return true; });
}
HIP_EXPORT HipError hipGraphGetRootNodes(Graph *graph, GraphNode **nodes, size_t *count) {
  return handOutNodes(graph, nodes, count, [](const GraphNode &node) { return node.after.empty(); });
}
HIP_EXPORT HipError hipGraphNodeGetDependentNodes(GraphNode *of, GraphNode **nodes, size_t *count) {
  std::lock_guard lock(Runtime::get().mutex);
  if (!isNode(of))
    return give(hipErrorInvalidValue);
  return handOutNodes(of->graph, nodes, count, [&](const GraphNode &node) { return is_contained(node.after, of); });
}
HIP_EXPORT HipError hipGraphNodeGetDependencies(GraphNode *of, GraphNode **nodes, size_t *count) {
  std::lock_guard lock(Runtime::get().mutex);
  return isNode(of) ? handOut(of->after, nodes, count) : give(hipErrorInvalidValue);
}
HIP_EXPORT HipError hipGraphGetEdges(Graph *graph, GraphNode **from, GraphNode **to, size_t *count) {
  std::lock_guard lock(Runtime::get().mutex);
  if (!isGraph(graph) || !from != !to)
    return give(hipErrorInvalidValue);
  std::vector<GraphNode *> begins, ends;
  for (const auto &node : graph->nodes)
    for (GraphNode *before : node->after) {
      begins.push_back(before);
      ends.push_back(node.get());
    }
  size_t same = count ? *count : 0;
  if (HipError error = handOut(begins, from, count))
    return error;
  return handOut(ends, to, &same);
}
HIP_EXPORT HipError hipGraphNodeGetType(GraphNode *node, int *type) {
  std::lock_guard lock(Runtime::get().mutex);
  if (!isNode(node) || !type)
    return give(hipErrorInvalidValue);
  *type = typeOf(node->work);
  return hipSuccess;
}

HIP_EXPORT HipError hipGraphDebugDotPrint(Graph *graph, const char *path, unsigned) {
  static constexpr const char *names[] = {"kernel",           "copy",          "set", "host", "graph",    "empty",
                                          "wait for event",   "record event",  "",    "",     "allocate", "free",
                                          "copy from symbol", "copy to symbol"};
  std::lock_guard lock(Runtime::get().mutex);
  std::error_code code;
  if (!isGraph(graph) || !path)
    return give(hipErrorInvalidValue);
  raw_fd_ostream os(path, code);
  if (code)
    return fail(hipErrorOperatingSystem, "hipGraphDebugDotPrint", Twine(path) + ": " + code.message());
  std::map<const GraphNode *, size_t> numbers;
  for (const auto &node : graph->nodes)
    numbers[node.get()] = numbers.size();
  os << "digraph {\n";
  for (const auto &node : graph->nodes) {
    const auto *kernel = std::get_if<KernelWork>(&node->work);
    os << "  n" << numbers[node.get()] << " [label=\"" << (kernel ? kernel->kernel->name : names[typeOf(node->work)])
       << "\"];\n";
    for (GraphNode *before : node->after)
      os << "  n" << numbers[before] << " -> n" << numbers[node.get()] << ";\n";
  }
  os << "}\n";
  return hipSuccess;
}

// Instantiated graphs.

HIP_EXPORT HipError hipGraphInstantiateWithFlags(void **exec, Graph *graph, unsigned long long flags) {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  if (!exec || !isGraph(graph))
    return give(hipErrorInvalidValue);
  auto made = std::make_shared<GraphExec>();
  made->graph = graph->copy();
  made->order = runningOrder(*made->graph);
  made->flags = flags;
  if (made->order.size() != made->graph->nodes.size())
    return misuse(hipErrorInvalidValue, "hipGraphInstantiate", "nodes of the graph wait for each other");
  *exec = made.get();
  runtime.execs[*exec] = std::move(made);
  return hipSuccess;
}
HIP_EXPORT HipError hipGraphInstantiate(void **exec, Graph *graph, GraphNode **wrong, char *text, size_t bytes) {
  if (wrong)
    *wrong = nullptr;
  if (text && bytes)
    *text = 0;
  return hipGraphInstantiateWithFlags(exec, graph, 0);
}
/// hipGraphInstantiateParams.
struct InstantiateParams {
  GraphNode *wrong;
  unsigned long long flags;
  int result;
  void *uploadStream;
};
HIP_EXPORT HipError hipGraphInstantiateWithParams(void **exec, Graph *graph, InstantiateParams *params) {
  if (!params)
    return give(hipErrorInvalidValue);
  const HipError error = hipGraphInstantiateWithFlags(exec, graph, params->flags);
  params->wrong = nullptr;
  params->result = error ? 1 : 0;
  return error;
}
HIP_EXPORT HipError hipGraphExecGetFlags(void *exec, unsigned long long *flags) {
  std::lock_guard lock(Runtime::get().mutex);
  const GraphExec *const its = execOf(exec);
  if (!its || !flags)
    return give(hipErrorInvalidValue);
  *flags = its->flags;
  return hipSuccess;
}
HIP_EXPORT HipError hipGraphExecDestroy(void *exec) {
  std::lock_guard lock(Runtime::get().mutex);
  return Runtime::get().execs.erase(exec) ? hipSuccess : give(hipErrorInvalidValue);
}
HIP_EXPORT HipError hipGraphUpload(void *exec, void *) {
  std::lock_guard lock(Runtime::get().mutex);
  return execOf(exec) ? hipSuccess : give(hipErrorInvalidValue);
}

HIP_EXPORT HipError hipGraphLaunch(void *exec, void *stream) {
  std::shared_ptr<GraphExec> its;
  {
    Runtime &runtime = Runtime::get();
    std::lock_guard lock(runtime.mutex);
    auto found = runtime.execs.find(exec);
    if (found == runtime.execs.end())
      return misuse(hipErrorInvalidValue, "hipGraphLaunch", "there is no such instantiated graph");
    if (!runtime.stream(stream))
      return misuse(hipErrorInvalidHandle, "hipGraphLaunch", "there is no such stream");
    its = found->second;
    if (isCapturing(stream))
      return capture("hipGraphLaunch", stream, ChildWork{its->graph->copy()});
  }
  if (HipError error = deviceError(stream))
    return error;
  return runGraph(its->order, stream); // without the lock: a host node may do anything
}

/// hipGraphExecUpdateResult.
enum UpdateResult : int { Updated, UpdateError, TopologyChanged, TypeChanged };

/// Nodes correspond by the order in which they were added.
static UpdateResult compare(const Graph &old, const Graph &other, GraphNode *&wrong) {
  if (old.nodes.size() != other.nodes.size())
    return TopologyChanged;
  std::map<const GraphNode *, const GraphNode *> same;
  for (size_t i = 0; i < old.nodes.size(); ++i)
    same[old.nodes[i].get()] = other.nodes[i].get();
  for (size_t i = 0; i < old.nodes.size(); ++i) {
    const GraphNode &mine = *old.nodes[i], &theirs = *other.nodes[i];
    wrong = other.nodes[i].get();
    if (typeOf(mine.work) != typeOf(theirs.work))
      return TypeChanged;
    if (mine.after.size() != theirs.after.size() ||
        !all_of(mine.after, [&](const GraphNode *before) { return is_contained(theirs.after, same[before]); }))
      return TopologyChanged;
    if (const auto *child = std::get_if<ChildWork>(&mine.work))
      if (UpdateResult result = compare(*child->graph, *std::get<ChildWork>(theirs.work).graph, wrong))
        return result;
  }
  wrong = nullptr;
  return Updated;
}

HIP_EXPORT HipError hipGraphExecUpdate(void *exec, Graph *graph, GraphNode **wrong, int *result) {
  std::lock_guard lock(Runtime::get().mutex);
  GraphExec *const its = execOf(exec);
  if (!its || !isGraph(graph) || !result)
    return give(hipErrorInvalidValue);
  GraphNode *node = nullptr;
  *result = compare(*its->graph, *graph, node);
  if (wrong)
    *wrong = node;
  if (*result != Updated)
    return give(hipErrorGraphExecUpdateFailure);
  for (size_t i = 0; i < graph->nodes.size(); ++i) {
    Work work = graph->nodes[i]->work;
    if (auto *child = std::get_if<ChildWork>(&work))
      child->graph = child->graph->copy();
    its->graph->nodes[i]->work = std::move(work);
  }
  return hipSuccess;
}

// Attributes of kernels say how caches and clusters are to be used, which results don't depend on.
HIP_EXPORT HipError hipGraphKernelNodeSetAttribute(GraphNode *node, int, const void *) {
  std::lock_guard lock(Runtime::get().mutex);
  return workOf<KernelWork>(node) ? hipSuccess : give(hipErrorInvalidValue);
}
HIP_EXPORT HipError hipGraphKernelNodeCopyAttributes(GraphNode *from, GraphNode *to) {
  std::lock_guard lock(Runtime::get().mutex);
  return workOf<KernelWork>(from) && workOf<KernelWork>(to) ? hipSuccess : give(hipErrorInvalidValue);
}
