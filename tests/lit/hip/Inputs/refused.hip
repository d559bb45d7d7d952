// What a device without images, and devices of one process alone, refuse.
#include <hip/hip_runtime.h>

struct Format {
  int x, y, z, w, kind;
};
struct Box {
  void *fromArray;
  size_t from[7];
  void *toArray;
  size_t to[7], width, height, depth;
  int kind;
};
typedef struct hipArray *hipArray_t;
typedef struct Texture *hipTextureObject_t;
typedef struct {
  char reserved[64];
} Handle;
extern "C" {
hipError_t hipDeviceGetAttribute(int *, int, int);
Format hipCreateChannelDesc(int, int, int, int, int);
hipError_t hipMallocArray(hipArray_t *, const Format *, size_t, size_t, unsigned);
hipError_t hipFreeArray(hipArray_t);
hipError_t hipMemcpy2DToArray(hipArray_t, size_t, size_t, const void *, size_t, size_t, size_t, int);
hipError_t hipMemcpy3D(const Box *);
hipError_t hipCreateTextureObject(hipTextureObject_t *, const void *, const void *, const void *);
hipError_t hipCreateSurfaceObject(hipTextureObject_t *, const void *);
hipError_t hipIpcGetMemHandle(Handle *, void *);
hipError_t hipIpcOpenMemHandle(void **, Handle, unsigned);
hipError_t hipIpcCloseMemHandle(void *);
hipError_t hipIpcGetEventHandle(Handle *, hipEvent_t);
hipError_t hipIpcOpenEventHandle(hipEvent_t *, Handle);
}

static void show(const char *what, hipError_t error) { printf("%s: %s\n", what, hipGetErrorName(error)); }

int main() {
  int images = -1, host[16] = {};
  const int imageSupport = 10014; // hipDeviceAttributeImageSupport
  hipArray_t array = nullptr;
  hipTextureObject_t object = nullptr;
  hipEvent_t event = nullptr;
  Handle handle = {};
  Box box = {};
  void *memory = nullptr;
  show("attribute", hipDeviceGetAttribute(&images, imageSupport, 0));
  const Format format = hipCreateChannelDesc(32, 0, 0, 0, 2);
  printf("images %d, format of %d bits\n", images, format.x);
  show("array", hipMallocArray(&array, &format, 4, 4, 0));
  show("to the array", hipMemcpy2DToArray(array, 0, 0, host, 16, 16, 4, 1));
  box.toArray = host;
  show("box", hipMemcpy3D(&box));
  show("texture", hipCreateTextureObject(&object, host, host, nullptr));
  show("surface", hipCreateSurfaceObject(&object, host));
  show("free", hipFreeArray(array));
  hipMalloc(&memory, 64);
  hipEventCreate(&event);
  show("memory's handle", hipIpcGetMemHandle(&handle, memory));
  show("memory by handle", hipIpcOpenMemHandle(&memory, handle, 1));
  show("closed", hipIpcCloseMemHandle(memory));
  show("event's handle", hipIpcGetEventHandle(&handle, event));
  show("event by handle", hipIpcOpenEventHandle(&event, handle));
}
