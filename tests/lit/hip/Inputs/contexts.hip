// Contexts stand for devices.
#include <hip/hip_runtime.h>

typedef struct ihipCtx_t *hipCtx_t;
extern "C" {
hipError_t hipGetDevice(int *);
hipError_t hipSetDevice(int);
hipError_t hipCtxCreate(hipCtx_t *, unsigned, int);
hipError_t hipCtxDestroy(hipCtx_t);
hipError_t hipCtxPushCurrent(hipCtx_t);
hipError_t hipCtxPopCurrent(hipCtx_t *);
hipError_t hipCtxSetCurrent(hipCtx_t);
hipError_t hipCtxGetCurrent(hipCtx_t *);
hipError_t hipCtxGetDevice(int *);
hipError_t hipDevicePrimaryCtxRetain(hipCtx_t *, int);
hipError_t hipDevicePrimaryCtxRelease(int);
hipError_t hipDevicePrimaryCtxReset(int);
hipError_t hipDevicePrimaryCtxSetFlags(int, unsigned);
hipError_t hipDevicePrimaryCtxGetState(int, unsigned *, int *);
}

static void say(const char *what, hipError_t error) { printf("%s: %s\n", what, hipGetErrorName(error)); }

static int current() {
  int device = -1, again = -1;
  hipGetDevice(&device);
  hipCtxGetDevice(&again);
  return device == again ? device : -2;
}

int main() {
  hipCtx_t made, primary, other, now;
  say("popped none", hipCtxPopCurrent(&now));
  say("none", hipCtxPushCurrent(nullptr));
  say("no such device", hipCtxCreate(&made, 0, 2));
  say("retained", hipDevicePrimaryCtxRetain(&other, 0));
  say("no such primary", hipDevicePrimaryCtxRetain(&primary, 7));
  say("made", hipCtxCreate(&made, 0, 1));
  hipDevicePrimaryCtxRetain(&primary, 1);
  printf("the primary one: %d, current %d\n", made == primary, current());
  say("set", hipCtxSetCurrent(made));
  hipCtxGetCurrent(&now);
  printf("current %d: %d\n", current(), now == made);
  say("pushed", hipCtxPushCurrent(other));
  printf("current %d\n", current());
  say("popped", hipCtxPopCurrent(&now));
  printf("the pushed one: %d\n", now == other);
  say("destroyed", hipCtxDestroy(made));
  say("popped none", hipCtxPopCurrent(nullptr));
  say("no context", hipCtxDestroy((hipCtx_t)&now));
  unsigned flags = 7;
  int active[2] = {-1, -1};
  hipSetDevice(1);
  for (int i = 0; i < 2; ++i)
    hipDevicePrimaryCtxGetState(i, &flags, &active[i]);
  printf("active %d %d, flags %u\n", active[0], active[1], flags);
  say("flags", hipDevicePrimaryCtxSetFlags(1, 0));
  say("reset", hipDevicePrimaryCtxReset(1));
  say("released", hipDevicePrimaryCtxRelease(1));
}
