// Captures and graphs: what was captured runs when the graph is launched, and not before.
#include <hip/hip_runtime.h>
#include <string.h>

typedef struct ihipGraph *hipGraph_t;
typedef struct hipGraphNode *hipGraphNode_t;
typedef struct hipGraphExec *hipGraphExec_t;
struct hipKernelNodeParams {
  dim3 blockDim;
  void **extra;
  void *func;
  dim3 gridDim;
  void **kernelParams;
  unsigned sharedMemBytes;
};
struct hipMemsetParams {
  void *dst;
  unsigned elementSize;
  size_t height, pitch;
  unsigned value;
  size_t width;
};
struct hipHostNodeParams {
  void (*fn)(void *);
  void *userData;
};
struct hipGraphNodeParams {
  int type, reserved[3];
  long long words[30];
};
extern "C" {
hipError_t hipStreamBeginCapture(hipStream_t, int);
hipError_t hipStreamEndCapture(hipStream_t, hipGraph_t *);
hipError_t hipStreamIsCapturing(hipStream_t, int *);
hipError_t hipGraphCreate(hipGraph_t *, unsigned);
hipError_t hipGraphDestroy(hipGraph_t);
hipError_t hipGraphInstantiate(hipGraphExec_t *, hipGraph_t, hipGraphNode_t *, char *, size_t);
hipError_t hipGraphLaunch(hipGraphExec_t, hipStream_t);
hipError_t hipGraphExecDestroy(hipGraphExec_t);
hipError_t hipGraphGetNodes(hipGraph_t, hipGraphNode_t *, size_t *);
hipError_t hipGraphGetEdges(hipGraph_t, hipGraphNode_t *, hipGraphNode_t *, size_t *);
hipError_t hipGraphNodeGetType(hipGraphNode_t, int *);
hipError_t hipGraphAddKernelNode(hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t,
                                 const hipKernelNodeParams *);
hipError_t hipGraphAddMemsetNode(hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t, const hipMemsetParams *);
hipError_t hipGraphAddMemcpyNode1D(hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t, void *, const void *,
                                   size_t, int);
hipError_t hipGraphAddHostNode(hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t, const hipHostNodeParams *);
hipError_t hipGraphAddChildGraphNode(hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t, hipGraph_t);
hipError_t hipGraphAddDependencies(hipGraph_t, const hipGraphNode_t *, const hipGraphNode_t *, size_t);
hipError_t hipGraphAddNode(hipGraphNode_t *, hipGraph_t, const hipGraphNode_t *, size_t, hipGraphNodeParams *);
hipError_t hipGraphExecKernelNodeSetParams(hipGraphExec_t, hipGraphNode_t, const hipKernelNodeParams *);
hipError_t hipGraphExecUpdate(hipGraphExec_t, hipGraph_t, hipGraphNode_t *, int *);
hipError_t hipGraphNodeSetEnabled(hipGraphExec_t, hipGraphNode_t, unsigned);
hipError_t hipMallocAsync(void **, size_t, hipStream_t);
hipError_t hipFreeAsync(void *, hipStream_t);
}

__global__ void add(int *to, int n) { to[threadIdx.x] += n; }
__global__ void copy(int *to, const int *from) { to[threadIdx.x] = from[threadIdx.x]; }

static void show(const char *what, hipError_t error) { printf("%s: %s\n", what, hipGetErrorName(error)); }
static int first(const int *of) {
  int value;
  hipMemcpy(&value, of, 4, hipMemcpyDeviceToHost);
  return value;
}
static void count(void *number) { ++*(int *)number; }

static int *memory() {
  int *made;
  hipMalloc((void **)&made, 256);
  hipMemset(made, 0, 256);
  return made;
}
static hipGraphExec_t instantiate(hipGraph_t graph) {
  hipGraphExec_t exec;
  hipGraphInstantiate(&exec, graph, nullptr, nullptr, 0);
  return exec;
}

/// A fork and a join: work of two streams in one graph, with memory that the graph has for itself.
static void captured() {
  hipStream_t a, b;
  hipEvent_t fork, join;
  hipGraph_t graph;
  int *to = memory(), *other, calls = 0, status, host[64];
  hipStreamCreate(&a);
  hipStreamCreate(&b);
  hipEventCreate(&fork);
  hipEventCreate(&join);
  hipStreamBeginCapture(a, 0);
  hipStreamIsCapturing(a, &status);
  hipMallocAsync((void **)&other, 256, a);
  hipMemsetAsync(other, 0, 256, a);
  hipEventRecord(fork, a);
  hipStreamWaitEvent(b, fork, 0);
  add<<<dim3(1), dim3(64), 0, a>>>(to, 1);
  add<<<dim3(1), dim3(64), 0, b>>>(other, 10);
  hipEventRecord(join, b);
  hipStreamWaitEvent(a, join, 0);
  add<<<dim3(1), dim3(64), 0, a>>>(to, 100);
  hipMemcpyAsync(host, to, 256, hipMemcpyDeviceToHost, a);
  hipLaunchHostFunc(a, count, &calls);
  hipFreeAsync(other, a);
  show("end", hipStreamEndCapture(a, &graph));
  size_t nodes, edges;
  hipGraphGetNodes(graph, nullptr, &nodes);
  hipGraphGetEdges(graph, nullptr, nullptr, &edges);
  printf("status %d, %zu nodes, %zu edges, nothing done: %d, %d calls\n", status, nodes, edges, first(to), calls);
  hipGraphExec_t exec = instantiate(graph);
  hipGraphDestroy(graph); // what was instantiated lives on
  for (int i = 0; i < 3; ++i)
    hipGraphLaunch(exec, a);
  show("launched", hipStreamSynchronize(a));
  printf("%d and %d, %d calls, %d here\n", first(to), first(other), calls, host[63]);
  hipGraphExecDestroy(exec);
}

/// Nodes by hand; changes of what was instantiated.
static void made() {
  int *to = memory(), *from = memory(), n = 5, calls = 0;
  hipGraph_t graph, child;
  hipGraphNode_t set, kernel, copied, host, whole, node;
  hipGraphCreate(&child, 0);
  hipMemsetParams seven = {from, 4, 1, 0, 7, 64};
  hipGraphAddMemsetNode(&set, child, nullptr, 0, &seven);
  hipGraphCreate(&graph, 0);
  void *arguments[] = {&from, &n};
  hipKernelNodeParams params = {dim3(64), nullptr, (void *)add, dim3(1), arguments, 0};
  // The kernel was added first and comes last but one.
  hipGraphAddKernelNode(&kernel, graph, nullptr, 0, &params);
  n = 1000; // its value was taken
  hipGraphAddChildGraphNode(&whole, graph, nullptr, 0, child);
  hipGraphAddMemcpyNode1D(&copied, graph, &kernel, 1, to, from, 256, 3);
  hipHostNodeParams counts = {count, &calls};
  hipGraphAddHostNode(&host, graph, &copied, 1, &counts);
  hipGraphAddDependencies(graph, &whole, &kernel, 1);
  hipGraphExec_t exec = instantiate(graph);
  hipGraphLaunch(exec, nullptr);
  printf("made: %d, %d calls\n", first(to), calls);
  n = 20;
  show("change", hipGraphExecKernelNodeSetParams(exec, kernel, &params));
  hipGraphNodeSetEnabled(exec, host, 0);
  hipGraphLaunch(exec, nullptr);
  printf("changed: %d, %d calls\n", first(to), calls);
  // The same graph anew, with other values; and one with a node more.
  hipGraph_t other;
  int result;
  hipGraphCreate(&other, 0);
  n = 30;
  hipGraphAddKernelNode(&kernel, other, nullptr, 0, &params);
  hipGraphAddChildGraphNode(&whole, other, nullptr, 0, child);
  hipGraphAddMemcpyNode1D(&copied, other, &kernel, 1, to, from, 256, 3);
  hipGraphAddHostNode(&host, other, &copied, 1, &counts);
  hipGraphAddDependencies(other, &whole, &kernel, 1);
  show("update", hipGraphExecUpdate(exec, other, &node, &result));
  hipGraphLaunch(exec, nullptr);
  printf("updated: %d\n", first(to));
  hipGraphAddHostNode(&host, other, nullptr, 0, &counts);
  show("other shape", hipGraphExecUpdate(exec, other, &node, &result));
  printf("result %d\n", result);
  hipGraphNodeParams conditional = {13 + 1, {}, {}};
  show("conditional", hipGraphAddNode(&node, graph, nullptr, 0, &conditional));
  hipGraphAddDependencies(graph, &copied, &whole, 0);
  hipGraph_t circle;
  hipGraphNode_t nodes[2];
  hipGraphCreate(&circle, 0);
  hipGraphAddHostNode(&nodes[0], circle, nullptr, 0, &counts);
  hipGraphAddHostNode(&nodes[1], circle, &nodes[0], 1, &counts);
  hipGraphAddDependencies(circle, &nodes[1], &nodes[0], 1);
  show("circle", hipGraphInstantiate(&exec, circle, nullptr, nullptr, 0));
}

/// What a capture doesn't allow.
static void wrong() {
  hipStream_t a, b;
  hipEvent_t event;
  hipGraph_t graph;
  int *to = memory(), *more;
  hipStreamCreate(&a);
  hipStreamCreate(&b);
  hipEventCreate(&event);
  show("default stream", hipStreamBeginCapture(nullptr, 0));
  hipStreamBeginCapture(a, 0);
  show("twice", hipStreamBeginCapture(a, 0));
  show("wait", hipStreamSynchronize(a));
  show("end after wait", hipStreamEndCapture(a, &graph));
  hipStreamBeginCapture(a, 0);
  show("allocate", hipMalloc((void **)&more, 4));
  show("end after allocate", hipStreamEndCapture(a, &graph));
  hipStreamBeginCapture(a, 2);
  show("allocate, relaxed", hipMalloc((void **)&more, 4));
  hipEventRecord(event, a);
  hipStreamWaitEvent(b, event, 0);
  add<<<dim3(1), dim3(64), 0, b>>>(to, 1);
  show("other stream", hipStreamEndCapture(b, &graph));
  show("event", hipEventSynchronize(event));
  show("not joined", hipStreamEndCapture(a, &graph));
  show("not begun", hipStreamEndCapture(a, &graph));
}

int main(int count, char **arguments) {
  if (count > 1)
    wrong();
  else {
    captured();
    made();
  }
}
