#include <hip/hip_runtime.h>

// A small ray tracer: structures by value in constant memory, nearest hit, reflections in a loop, shadows.
struct Vec3 {
  float x, y, z;
  __device__ Vec3 operator+(Vec3 o) const { return {x + o.x, y + o.y, z + o.z}; }
  __device__ Vec3 operator-(Vec3 o) const { return {x - o.x, y - o.y, z - o.z}; }
  __device__ Vec3 operator*(float s) const { return {x * s, y * s, z * s}; }
};
__device__ float dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ Vec3 unit(Vec3 a) { return a * (1.0f / sqrtf(dot(a, a))); }
struct Sphere {
  Vec3 centre;
  float radius, mirror;
  unsigned char id;
};
__constant__ Sphere spheres[] = {{{0, 0, 5}, 1, 0.5f, 1}, {{1.5f, 0.3f, 4}, 0.7f, 0.0f, 2}, {{-1.6f, -0.2f, 4.5f}, 0.9f, 0.8f, 3}, {{0, -101.2f, 5}, 100, 0.1f, 4}};
__constant__ float3 light = {5, 8, -3};

__device__ float hit(const Sphere &s, Vec3 from, Vec3 along) {
  Vec3 d = s.centre - from;
  float b = dot(d, along), c = dot(d, d) - s.radius * s.radius, root = b * b - c;
  if (root < 0)
    return INFINITY;
  root = sqrtf(root);
  return b - root > 1e-3f ? b - root : b + root > 1e-3f ? b + root : INFINITY;
}
__device__ int nearest(Vec3 from, Vec3 along, float &distance) {
  int best = -1;
  distance = INFINITY;
  for (int i = 0; i < 4; ++i) {
    float t = hit(spheres[i], from, along);
    if (t < distance) {
      distance = t;
      best = i;
    }
  }
  return best;
}
__global__ void trace(float *image, unsigned char *ids, int width, int height) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height)
    return;
  Vec3 from{0, 0, 0}, along = unit({(x + 0.5f) / width * 2 - 1, 1 - (y + 0.5f) / height * 2, 1.5f});
  float colour = 0, weight = 1;
  ids[y * width + x] = 0;
  for (int bounce = 0; bounce < 3 && weight > 0.01f; ++bounce) {
    float t;
    int s = nearest(from, along, t);
    if (s < 0) {
      colour += weight * 0.2f;
      break;
    }
    if (bounce == 0)
      ids[y * width + x] = spheres[s].id;
    Vec3 p = from + along * t, n = unit(p - spheres[s].centre), toLight = unit(Vec3{light.x, light.y, light.z} - p);
    float ignored, shade = dot(n, toLight);
    bool shadow = nearest(p, toLight, ignored) >= 0;
    colour += weight * (1 - spheres[s].mirror) * (shadow || shade < 0 ? 0.1f : 0.1f + shade);
    weight *= spheres[s].mirror;
    from = p;
    along = along - n * (2 * dot(n, along));
  }
  image[y * width + x] = colour;
}
