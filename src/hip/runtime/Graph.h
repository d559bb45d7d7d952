// Graphs: operations that are kept and run later, those that a stream captured among them.
#pragma once

#include "hip/runtime/Runtime.h"
#include <variant>

namespace inflight::hip {

struct Graph;
struct GraphNode;

/// A kernel with the values that its arguments had.
struct KernelWork {
  const void *given = nullptr; ///< what the program named it by
  Function *kernel = nullptr;
  Dim3 grid = {}, block = {};
  uint32_t dynamicLds = 0;
  std::vector<char> segment;
  std::vector<void *> pointers; ///< to the values, for who asks
};
/// A box of bytes; rows and slices as far apart as the pitches say.
struct CopyWork {
  void *to = nullptr;
  const void *from = nullptr;
  size_t toPitch = 0, fromPitch = 0, toSlice = 0, fromSlice = 0;
  size_t width = 0, height = 1, depth = 1;
  CopyKind kind = CopyKind::Default;
};
struct SymbolWork {
  Device *device = nullptr; ///< whose variable it is
  const void *symbol = nullptr;
  void *host = nullptr;
  size_t bytes = 0, offset = 0;
  bool isToSymbol = false;
};
struct SetWork {
  void *to = nullptr;
  size_t pitch = 0;
  uint32_t value = 0, elementBytes = 1;
  size_t width = 0, height = 1; ///< elements, rows
};
struct HostWork {
  void (*function)(void *) = nullptr;
  void *data = nullptr;
};
struct EventWork {
  void *event = nullptr;
  bool isRecord = false;
};
/// Memory that a node allocates or frees has its place from when the node is made until its graphs are gone.
struct GraphMemory {
  void *pointer = nullptr;
  uint64_t bytes = 0, number = 0;
  ~GraphMemory();
};
struct MemoryWork {
  std::shared_ptr<GraphMemory> memory; ///< null: freed is what is at `pointer`
  void *pointer = nullptr;
};
struct ChildWork {
  std::shared_ptr<Graph> graph;
};
struct EmptyWork {};

using Work =
    std::variant<EmptyWork, KernelWork, CopyWork, SymbolWork, SetWork, HostWork, EventWork, MemoryWork, ChildWork>;

/// hipGraphNode_t points to one.
struct GraphNode {
  Graph *graph = nullptr;
  Work work;
  std::vector<GraphNode *> after; ///< runs when these have
  bool isEnabled = true;          ///< of graphs that are instantiated
};

/// hipGraph_t points to one.
struct Graph {
  std::vector<std::unique_ptr<GraphNode>> nodes;   ///< in the order they were added
  std::map<const GraphNode *, GraphNode *> copies; ///< of a copy: its nodes by those of what it was copied from
  std::map<struct UserObject *, unsigned> objects; ///< references that it holds
  Graph();
  ~Graph();
  Graph(const Graph &) = delete;
  Graph &operator=(const Graph &) = delete;
  GraphNode *add(Work work, std::vector<GraphNode *> after);
  void remove(GraphNode *node); ///< others no longer come after it
  std::shared_ptr<Graph> copy() const;
};

/// hipGraphExec_t points to one.
struct GraphExec {
  std::shared_ptr<Graph> graph; ///< a copy
  std::vector<GraphNode *> order;
  uint64_t flags = 0;
};

/// A capture that some streams take part in.
struct Capture {
  std::shared_ptr<Graph> graph;
  void *origin = nullptr; ///< the stream's handle
  int mode = 0;           ///< hipStreamCaptureMode
  uint64_t number = 0;
  bool isInvalid = false;
  bool isOver = false;
};

/// Handles of graphs and nodes that there are; null or an error where there is no such one.
bool isGraph(const void *handle);
bool isNode(const void *handle);
/// Its nodes in an order that their dependencies allow; fewer than it has if these are circular.
std::vector<GraphNode *> runningOrder(const Graph &graph);
/// Runs the nodes now.
HipError runGraph(const std::vector<GraphNode *> &order, void *stream);
/// hipGraphNodeType.
int typeOf(const Work &work);

/// A kernel's work from what a launch is given. `given`: the host's address of the kernel, or a hipFunction_t.
HipError kernelWork(const char *function, const void *given, const LaunchShape &shape, KernelWork &work);

HipError copyBox(const char *function, const CopyWork &work, void *stream);
HipError copySymbol(const char *function, const SymbolWork &work);
HipError setRect(const char *function, const SetWork &work, void *stream);
/// The program goes on when they are done.
HipError copyNow(const char *function, const CopyWork &work);
HipError setNow(const char *function, const SetWork &work);
/// The stream does them, or captures them.
HipError copyOn(const char *function, const CopyWork &work, void *stream);
HipError setOn(const char *function, const SetWork &work, void *stream);
/// Memory that a graph's node allocates.
HipError allocateForGraph(const char *function, uint64_t bytes, MemoryWork &work);

/// hipMemcpy3DParms.
struct Copy3DParams {
  void *fromArray;
  size_t fromX, fromY, fromZ;
  struct Pitched {
    void *begin;
    size_t pitch, width, height;
  } from;
  void *toArray;
  size_t toX, toY, toZ;
  Pitched to;
  struct Extent {
    size_t width, height, depth;
  } extent;
  CopyKind kind;
};
HipError boxWork(const char *function, const Copy3DParams &params, CopyWork &work);

/// Whether what is enqueued on the stream is captured. An error if its capture has become invalid.
bool isCapturing(void *stream);
/// Adds work to what the stream captures.
HipError capture(const char *function, void *stream, Work work);
/// Ends a capture on all streams that take part in it.
void finishCapture(const std::shared_ptr<Capture> &capture);
/// Calls that no capture allows to be made: an error, and the captures of the kind are invalid from then on.
HipError prohibitedInCapture(const char *function);
/// The same of waiting for a stream that captures.
HipError waitsForCapture(const char *function, void *stream);

} // namespace inflight::hip
