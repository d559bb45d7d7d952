// Copies and sets of rectangles and boxes as HIP's driver interface describes them; without arrays.
#include "hip/runtime/Graph.h"

using namespace inflight::hip;

namespace {
enum class SideType : int { Host = 1, Array = 10 }; ///< hipMemoryType; all others name the device's pointer

/// hip_Memcpy2D's sides.
struct Side2D {
  size_t x, y;
  SideType type;
  char *host, *device;
  void *array;
  size_t pitch;
};
struct Copy2D {
  Side2D from, to;
  size_t width, height;
};
/// HIP_MEMCPY3D's.
struct Side3D {
  size_t x, y, z, level;
  SideType type;
  char *host, *device;
  void *array;
  size_t pitch, height;
};
struct Copy3D {
  Side3D from, to;
  size_t width, height, depth;
};

template <class Side> bool isArray(const Side &side) { return side.type == SideType::Array || side.array; }
template <class Side> char *beginOf(const Side &side) {
  return (side.type == SideType::Host ? side.host : side.device) + side.x;
}

/// What the program gave, unless it is nothing or names an array.
template <class Copy> HipError check(const char *function, const Copy *copy) {
  if (!copy)
    return give(hipErrorInvalidValue);
  return isArray(copy->from) || isArray(copy->to) ? fail(hipErrorNotSupported, function, whyNoImages) : hipSuccess;
}

CopyWork workOf(const Copy2D &copy) {
  CopyWork work;
  work.to = beginOf(copy.to) + copy.to.y * copy.to.pitch;
  work.from = beginOf(copy.from) + copy.from.y * copy.from.pitch;
  // Without a pitch rows follow each other.
  work.toPitch = copy.to.pitch ? copy.to.pitch : copy.width;
  work.fromPitch = copy.from.pitch ? copy.from.pitch : copy.width;
  work.width = copy.width;
  work.height = copy.height;
  return work;
}

CopyWork workOf(const Copy3D &copy) {
  auto pitchOf = [&](const Side3D &side) { return side.pitch ? side.pitch : copy.width; };
  auto sliceOf = [&](const Side3D &side) { return pitchOf(side) * (side.height ? side.height : copy.height); };
  auto place = [&](const Side3D &side) { return beginOf(side) + side.y * pitchOf(side) + side.z * sliceOf(side); };
  return {place(copy.to),     place(copy.from), pitchOf(copy.to), pitchOf(copy.from), sliceOf(copy.to),
          sliceOf(copy.from), copy.width,       copy.height,      copy.depth};
}

template <class Copy> HipError now(const char *function, const Copy *copy) {
  if (HipError error = check(function, copy))
    return error;
  return copyNow(function, workOf(*copy));
}
template <class Copy> HipError later(const char *function, const Copy *copy, void *stream) {
  if (HipError error = check(function, copy))
    return error;
  return copyOn(function, workOf(*copy), stream);
}
} // namespace

HIP_EXPORT HipError hipMemcpyParam2D(const Copy2D *copy) { return now("hipMemcpyParam2D", copy); }
HIP_EXPORT HipError hipDrvMemcpy2DUnaligned(const Copy2D *copy) { return now("hipDrvMemcpy2DUnaligned", copy); }
HIP_EXPORT HipError hipMemcpyParam2DAsync(const Copy2D *copy, void *stream) {
  return later("hipMemcpyParam2DAsync", copy, stream);
}
HIP_EXPORT HipError hipDrvMemcpy3D(const Copy3D *copy) { return now("hipDrvMemcpy3D", copy); }
HIP_EXPORT HipError hipDrvMemcpy3DAsync(const Copy3D *copy, void *stream) {
  return later("hipDrvMemcpy3DAsync", copy, stream);
}

/// Calls `set` with the rows of each slice.
template <class Set>
static HipError setSlices(const Copy3DParams::Pitched &pitched, int value, const Copy3DParams::Extent &extent,
                          Set set) {
  for (size_t slice = 0; slice < extent.depth; ++slice) {
    void *const begin = static_cast<char *>(pitched.begin) + slice * pitched.pitch * pitched.height;
    if (HipError error = set(SetWork{begin, pitched.pitch, uint32_t(value), 1, extent.width, extent.height}))
      return error;
  }
  return hipSuccess;
}
HIP_EXPORT HipError hipMemset3D(Copy3DParams::Pitched pitched, int value, Copy3DParams::Extent extent) {
  return setSlices(pitched, value, extent, [](const SetWork &work) { return setNow("hipMemset3D", work); });
}
HIP_EXPORT HipError hipMemset3DAsync(Copy3DParams::Pitched pitched, int value, Copy3DParams::Extent extent,
                                     void *stream) {
  return setSlices(pitched, value, extent,
                   [&](const SetWork &work) { return setOn("hipMemset3DAsync", work, stream); });
}

#define SET_RECTANGLE(bits, Type)                                                                                \
  HIP_EXPORT HipError hipMemsetD2D##bits(void *to, size_t pitch, Type value, size_t width, size_t height) {      \
    return setNow("hipMemsetD2D" #bits, {to, pitch, value, bits / 8, width, height});                            \
  }                                                                                                              \
  HIP_EXPORT HipError hipMemsetD2D##bits##Async(void *to, size_t pitch, Type value, size_t width, size_t height, \
                                                void *stream) {                                                  \
    return setOn("hipMemsetD2D" #bits "Async", {to, pitch, value, bits / 8, width, height}, stream);             \
  }
SET_RECTANGLE(8, uint8_t)
SET_RECTANGLE(16, uint16_t)
SET_RECTANGLE(32, uint32_t)
