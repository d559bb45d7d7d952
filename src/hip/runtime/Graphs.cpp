// Graphs: what they are made of, copies of them, and how they run.
#include "hip/runtime/Graph.h"

#include "llvm/ADT/STLExtras.h"
#include <algorithm>
#include <cstring>
#include <set>

using namespace llvm;

namespace inflight::hip {

/// Handles that are valid, under the runtime's mutex.
static std::set<const void *> &liveGraphs() {
  static auto *const live = new std::set<const void *>;
  return *live;
}
static std::set<const void *> &liveNodes() {
  static auto *const live = new std::set<const void *>;
  return *live;
}
bool isGraph(const void *handle) { return liveGraphs().count(handle); }
bool isNode(const void *handle) { return liveNodes().count(handle); }

GraphMemory::~GraphMemory() {
  Runtime &runtime = Runtime::get();
  std::lock_guard lock(runtime.mutex);
  auto *held = runtime.find(pointer, 0);
  if (held && held->second.number == number) // the program may have freed it
    (void)runtime.release("hipGraphDestroy", pointer);
}

Graph::Graph() { liveGraphs().insert(this); }

Graph::~Graph() {
  liveGraphs().erase(this);
  for (const auto &node : nodes)
    liveNodes().erase(node.get());
}

GraphNode *Graph::add(Work work, std::vector<GraphNode *> after) {
  auto node = std::make_unique<GraphNode>();
  node->graph = this;
  node->work = std::move(work);
  node->after = std::move(after);
  liveNodes().insert(node.get());
  nodes.push_back(std::move(node));
  return nodes.back().get();
}

void Graph::remove(GraphNode *node) {
  for (const auto &other : nodes)
    std::erase(other->after, node);
  liveNodes().erase(node);
  std::erase_if(nodes, [&](const auto &its) { return its.get() == node; });
}

std::shared_ptr<Graph> Graph::copy() const {
  auto made = std::make_shared<Graph>();
  for (const auto &node : nodes) {
    Work work = node->work;
    if (auto *child = std::get_if<ChildWork>(&work))
      child->graph = child->graph->copy();
    GraphNode *const copied = made->add(std::move(work), {});
    copied->isEnabled = node->isEnabled;
    made->copies[node.get()] = copied;
  }
  for (const auto &node : nodes)
    for (GraphNode *before : node->after)
      made->copies[node.get()]->after.push_back(made->copies[before]);
  return made;
}

std::vector<GraphNode *> runningOrder(const Graph &graph) {
  std::vector<GraphNode *> order;
  std::set<const GraphNode *> done;
  for (bool isProgress = true; isProgress;) {
    isProgress = false;
    for (const auto &node : graph.nodes) {
      if (done.count(node.get()) || !all_of(node->after, [&](GraphNode *before) { return done.count(before); }))
        continue;
      order.push_back(node.get());
      done.insert(node.get());
      isProgress = true;
    }
  }
  return order;
}

int typeOf(const Work &work) {
  // hipGraphNodeType
  enum { Kernel, Copy, Set, Host, Child, Empty, WaitEvent, RecordEvent, Allocate = 10, Free, FromSymbol, ToSymbol };
  struct Visitor {
    int operator()(const EmptyWork &) { return Empty; }
    int operator()(const KernelWork &) { return Kernel; }
    int operator()(const CopyWork &) { return Copy; }
    int operator()(const SymbolWork &of) { return of.isToSymbol ? ToSymbol : FromSymbol; }
    int operator()(const SetWork &) { return Set; }
    int operator()(const HostWork &) { return Host; }
    int operator()(const EventWork &of) { return of.isRecord ? RecordEvent : WaitEvent; }
    int operator()(const MemoryWork &of) { return of.memory ? Allocate : Free; }
    int operator()(const ChildWork &) { return Child; }
  };
  return std::visit(Visitor{}, work);
}

namespace {
/// Runs a node's work on a stream, now.
struct Runner {
  void *stream;
  HipError operator()(const EmptyWork &) { return hipSuccess; }
  HipError operator()(const KernelWork &of) {
    LaunchShape shape{of.grid, of.block, of.dynamicLds};
    shape.segment = of.segment.empty() ? nullptr : of.segment.data();
    shape.segmentBytes = of.segment.size();
    Runtime &runtime = Runtime::get();
    std::lock_guard lock(runtime.mutex);
    Stream *const its = runtime.stream(stream), &others = of.kernel->module->device->nullStream;
    if (!its || its->device == others.device)
      return launch("hipGraphLaunch", *of.kernel, shape, stream);
    // A node of another device, between those before and after it.
    others.now = std::max(others.now, its->now);
    const HipError error = launch("hipGraphLaunch", *of.kernel, shape, &others);
    its->now = others.now;
    return error;
  }
  HipError operator()(const CopyWork &of) { return copyBox("hipGraphLaunch", of, stream); }
  HipError operator()(const SymbolWork &of) { return copySymbol("hipGraphLaunch", of); }
  HipError operator()(const SetWork &of) { return setRect("hipGraphLaunch", of, stream); }
  HipError operator()(const HostWork &of) {
    hostReached(stream);
    of.function(of.data);
    return hipSuccess;
  }
  HipError operator()(const EventWork &of) {
    return of.isRecord ? recordEvent(of.event, stream) : awaitEvent(stream, of.event);
  }
  HipError operator()(const MemoryWork &) { return hipSuccess; } // it keeps its place
  HipError operator()(const ChildWork &of) { return runGraph(runningOrder(*of.graph), stream); }
};
} // namespace

HipError runGraph(const std::vector<GraphNode *> &order, void *stream) {
  for (GraphNode *node : order) {
    if (!node->isEnabled)
      continue;
    if (HipError error = std::visit(Runner{stream}, node->work))
      return error;
  }
  return hipSuccess;
}

HipError allocateForGraph(const char *function, uint64_t bytes, MemoryWork &work) {
  Runtime &runtime = Runtime::get();
  auto memory = std::make_shared<GraphMemory>();
  if (HipError error = runtime.allocate(function, bytes, MemoryKind::Device, 0, &memory->pointer))
    return error;
  memory->bytes = bytes;
  memory->number = runtime.allocated;
  work = {memory, memory->pointer};
  return hipSuccess;
}

HipError kernelWork(const char *function, const void *given, const LaunchShape &shape, KernelWork &work) {
  Runtime &runtime = Runtime::get();
  if (runtime.functions.count(given)) {
    if (HipError error = runtime.functionAt(function, given, runtime.current(), work.kernel))
      return error;
  } else {
    work.kernel = runtime.functionOf(given);
    if (!work.kernel)
      return misuse(hipErrorInvalidDeviceFunction, function,
                    "no kernel of this program is registered with that address");
  }
  work.given = given;
  work.grid = shape.grid;
  work.block = shape.block;
  work.dynamicLds = shape.dynamicLds;
  if (shape.segment) {
    const char *const begin = static_cast<const char *>(shape.segment);
    work.segment.assign(begin, begin + shape.segmentBytes);
    return hipSuccess;
  }
  work.segment.clear();
  for (auto [number, argument] : enumerate(work.kernel->explicitArguments)) {
    if (!shape.arguments || !shape.arguments[number])
      return misuse(hipErrorInvalidValue, function,
                    "kernel '" + work.kernel->name + "': argument " + Twine(number) + " has no value");
    work.segment.resize(std::max<size_t>(work.segment.size(), argument.offset + argument.bytes));
    std::memcpy(work.segment.data() + argument.offset, shape.arguments[number], argument.bytes);
  }
  return hipSuccess;
}

} // namespace inflight::hip
