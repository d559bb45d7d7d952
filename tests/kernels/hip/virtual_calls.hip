#include <hip/hip_runtime.h>

// Objects with virtual functions built in scratch, function pointers in a table, and pointers to member functions.
struct Shape {
  __device__ virtual float area() const = 0;
  __device__ virtual float scaled(float s) const { return area() * s * s; }
};
struct Circle : Shape {
  float r;
  __device__ explicit Circle(float r) : r(r) {}
  __device__ float area() const override { return 3.0f * r * r; }
};
struct Box : Shape {
  float w, h;
  __device__ Box(float w, float h) : w(w), h(h) {}
  __device__ float area() const override { return w * h; }
  __device__ float scaled(float s) const override { return (w * s) * (h + s); }
};
struct Sum : Shape {
  const Shape *a, *b;
  __device__ Sum(const Shape *a, const Shape *b) : a(a), b(b) {}
  __device__ float area() const override { return a->area() + b->area(); }
};
__device__ __noinline__ float measure(const Shape *shape, float s) { return shape->scaled(s) - shape->area(); }
__global__ void shapes(const float *in, float *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  Circle circle(in[i]);
  Box box(in[i], 2.0f);
  Sum sum(&circle, &box);
  const Shape *choices[] = {&circle, &box, &sum}; // lanes take different ones
  out[i] = measure(choices[i % 3], 2.0f);
}

using Operation = int (*)(int, int);
__device__ int add(int a, int b) { return a + b; }
__device__ int subtract(int a, int b) { return a - b; }
__device__ int multiply(int a, int b) { return a * b; }
__device__ int power(int a, int b) { return b ? a * power(a, b - 1) : 1; }
__device__ Operation table[] = {add, subtract, multiply, power};
__global__ void apply(const int *codes, const int *a, const int *b, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = table[codes[i]](a[i], b[i]);
}
__global__ void applyUniform(const int *code, const int *a, const int *b, int *out) {
  out[threadIdx.x] = table[*code](a[threadIdx.x], b[threadIdx.x]);
}
