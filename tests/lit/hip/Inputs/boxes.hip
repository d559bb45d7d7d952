// Rectangles and boxes of the driver's interface, against loops on the host.
#include <hip/hip_runtime.h>
#include <string.h>

struct Rectangle {
  size_t fromX, fromY;
  int fromType;
  const void *fromHost;
  void *fromDevice, *fromArray;
  size_t fromPitch, toX, toY;
  int toType;
  void *toHost, *toDevice, *toArray;
  size_t toPitch, width, height;
};
struct Box {
  size_t fromX, fromY, fromZ, fromLevel;
  int fromType;
  const void *fromHost;
  void *fromDevice, *fromArray;
  size_t fromPitch, fromHeight, toX, toY, toZ, toLevel;
  int toType;
  void *toHost, *toDevice, *toArray;
  size_t toPitch, toHeight, width, height, depth;
};
struct Pitched {
  void *begin;
  size_t pitch, width, height;
};
struct Extent {
  size_t width, height, depth;
};
extern "C" {
hipError_t hipMalloc3D(Pitched *, Extent);
hipError_t hipMemset3D(Pitched, int, Extent);
hipError_t hipMemset3DAsync(Pitched, int, Extent, hipStream_t);
hipError_t hipMemcpyParam2D(const Rectangle *);
hipError_t hipMemcpyParam2DAsync(const Rectangle *, hipStream_t);
hipError_t hipDrvMemcpy2DUnaligned(const Rectangle *);
hipError_t hipDrvMemcpy3D(const Box *);
hipError_t hipDrvMemcpy3DAsync(const Box *, hipStream_t);
hipError_t hipMemsetD2D8(void *, size_t, unsigned char, size_t, size_t);
hipError_t hipMemsetD2D16(void *, size_t, unsigned short, size_t, size_t);
hipError_t hipMemsetD2D32Async(void *, size_t, unsigned, size_t, size_t, hipStream_t);
}
constexpr int hostMemory = 1, deviceMemory = 2, arrayMemory = 10;
constexpr size_t pitch = 32, rows = 8, slices = 4, all = pitch * rows * slices;

static unsigned char host[all], expected[all], got[all];
static unsigned char *device;

static void begin() {
  for (size_t i = 0; i < all; ++i)
    expected[i] = (unsigned char)(i * 7 + i / 256);
  hipMemcpy(device, expected, all, hipMemcpyHostToDevice);
}
static void end(const char *what, hipError_t error) {
  hipMemcpy(got, device, all, hipMemcpyDeviceToHost);
  printf("%s: %s, %s\n", what, hipGetErrorName(error), memcmp(got, expected, all) ? "wrong" : "right");
}

int main() {
  for (size_t i = 0; i < all; ++i)
    host[i] = (unsigned char)(200 - i * 3);
  hipMalloc((void **)&device, all);

  Rectangle rectangle = {5,       2,      hostMemory, host,  nullptr, nullptr, 40, 3, 1, deviceMemory,
                         nullptr, device, nullptr,    pitch, 11,      6};
  for (int i = 0; i < 3; ++i) {
    begin();
    for (size_t y = 0; y < 6; ++y)
      memcpy(expected + 3 + (1 + y) * pitch, host + 5 + (2 + y) * 40, 11);
    const hipError_t error = i == 0   ? hipMemcpyParam2D(&rectangle)
                             : i == 1 ? hipDrvMemcpy2DUnaligned(&rectangle)
                                      : hipMemcpyParam2DAsync(&rectangle, nullptr);
    end("rectangle", error);
  }

  Box box = {1, 2, 0, 0, deviceMemory, nullptr, device, nullptr, pitch, rows,
             4, 1, 2, 0, deviceMemory, nullptr, device, nullptr, pitch, rows,
             9, 3, 2};
  for (int i = 0; i < 2; ++i) {
    begin();
    for (size_t z = 0; z < 2; ++z)
      for (size_t y = 0; y < 3; ++y)
        memcpy(expected + 4 + (1 + y) * pitch + (2 + z) * pitch * rows,
               expected + 1 + (2 + y) * pitch + z * pitch * rows, 9);
    end("box", i ? hipDrvMemcpy3DAsync(&box, nullptr) : hipDrvMemcpy3D(&box));
  }
  box.toType = arrayMemory;
  begin();
  end("array", hipDrvMemcpy3D(&box));
  rectangle.height = 1000;
  end("too high", hipMemcpyParam2D(&rectangle));

  for (int i = 0; i < 2; ++i) {
    begin();
    for (size_t z = 0; z < 3; ++z)
      for (size_t y = 0; y < 5; ++y)
        memset(expected + z * pitch * rows + y * pitch, 0x5a, 20);
    const Pitched pitched = {device, pitch, pitch, rows};
    end("set box", i ? hipMemset3DAsync(pitched, 0x5a, {20, 5, 3}, nullptr) : hipMemset3D(pitched, 0x5a, {20, 5, 3}));
  }
  begin();
  for (size_t y = 0; y < 4; ++y)
    memset(expected + y * pitch, 0x11, 7);
  end("set bytes", hipMemsetD2D8(device, pitch, 0x11, 7, 4));
  begin();
  for (size_t y = 0; y < 4; ++y)
    for (size_t x = 0; x < 7; ++x)
      memcpy(expected + y * pitch + 2 * x, "\x34\x12", 2);
  end("set shorts", hipMemsetD2D16(device, pitch, 0x1234, 7, 4));
  begin();
  for (size_t y = 0; y < 4; ++y)
    for (size_t x = 0; x < 7; ++x)
      memcpy(expected + y * pitch + 4 * x, "\x78\x56\x34\x12", 4);
  end("set words", hipMemsetD2D32Async(device, pitch, 0x12345678, 7, 4, nullptr));
}
