#include <hip/hip_runtime.h>

// Runge-Kutta with step control for Lorenz and Kepler problems as class templates; complex numbers and Newton fractals.
template <int N> struct State {
  double v[N];
  __device__ State operator+(const State &o) const {
    State r;
    for (int i = 0; i < N; ++i)
      r.v[i] = v[i] + o.v[i];
    return r;
  }
  __device__ State operator*(double s) const {
    State r;
    for (int i = 0; i < N; ++i)
      r.v[i] = v[i] * s;
    return r;
  }
};
struct Kepler {
  static constexpr int Size = 4;
  __device__ State<4> operator()(const State<4> &s) const {
    double r2 = s.v[0] * s.v[0] + s.v[1] * s.v[1], inverse = 1.0 / (r2 * sqrt(r2));
    return {s.v[2], s.v[3], -s.v[0] * inverse, -s.v[1] * inverse};
  }
};
struct Lorenz {
  static constexpr int Size = 3;
  __device__ State<3> operator()(const State<3> &s) const {
    return {10 * (s.v[1] - s.v[0]), s.v[0] * (28 - s.v[2]) - s.v[1], s.v[0] * s.v[1] - 8.0 / 3.0 * s.v[2]};
  }
};
template <class F> __global__ void integrate(double *states, double h, int steps) {
  constexpr int N = F::Size;
  F f;
  State<N> s;
  for (int i = 0; i < N; ++i)
    s.v[i] = states[threadIdx.x * N + i];
  for (int k = 0; k < steps; ++k) {
    State<N> a = f(s), b = f(s + a * (h / 2)), c = f(s + b * (h / 2)), d = f(s + c * h);
    s = s + (a + b * 2 + c * 2 + d) * (h / 6);
  }
  for (int i = 0; i < N; ++i)
    states[threadIdx.x * N + i] = s.v[i];
}
template __global__ void integrate<Kepler>(double *, double, int);
template __global__ void integrate<Lorenz>(double *, double, int);

template <class T> struct Complex {
  T re, im;
  __device__ Complex operator+(Complex o) const { return {re + o.re, im + o.im}; }
  __device__ Complex operator-(Complex o) const { return {re - o.re, im - o.im}; }
  __device__ Complex operator*(Complex o) const { return {re * o.re - im * o.im, re * o.im + im * o.re}; }
  __device__ Complex operator/(Complex o) const {
    T d = o.re * o.re + o.im * o.im;
    return {(re * o.re + im * o.im) / d, (im * o.re - re * o.im) / d};
  }
};
__global__ void newton(unsigned char *roots, int width) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  Complex<double> z{(x + 0.5) * 4 / width - 2, (y + 0.5) * 4 / width - 2}, one{1, 0}, three{3, 0};
  for (int i = 0; i < 40; ++i)
    z = z - (z * z * z - one) / (three * z * z);
  roots[y * width + x] = z.re > 0 ? 0 : z.im > 0 ? 1 : 2;
}
