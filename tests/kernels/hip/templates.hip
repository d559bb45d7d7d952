#include <hip/hip_runtime.h>

// Expression templates, variadic structures, compile-time loops, functors and lambdas.
template <class E> struct Expr {
  __device__ float operator[](int i) const { return static_cast<const E &>(*this)[i]; }
};
struct Array : Expr<Array> {
  const float *data;
  __device__ explicit Array(const float *data) : data(data) {}
  __device__ float operator[](int i) const { return data[i]; }
};
template <class A, class B, class F> struct Binary : Expr<Binary<A, B, F>> {
  A a;
  B b;
  __device__ Binary(A a, B b) : a(a), b(b) {}
  __device__ float operator[](int i) const { return F()(a[i], b[i]); }
};
struct Plus { __device__ float operator()(float a, float b) const { return a + b; } };
struct Times { __device__ float operator()(float a, float b) const { return __builtin_fmaf(a, b, 0.0f); } };
template <class A, class B> __device__ auto operator+(const Expr<A> &a, const Expr<B> &b) {
  return Binary<A, B, Plus>(static_cast<const A &>(a), static_cast<const B &>(b));
}
template <class A, class B> __device__ auto operator*(const Expr<A> &a, const Expr<B> &b) {
  return Binary<A, B, Times>(static_cast<const A &>(a), static_cast<const B &>(b));
}
template <class E> __device__ void evaluate(const Expr<E> &e, float *out, int i) { out[i] = e[i]; }

template <class... T> struct Tuple;
template <> struct Tuple<> {
  template <class F> __device__ void each(F) const {}
};
template <class T, class... Rest> struct Tuple<T, Rest...> {
  T first;
  Tuple<Rest...> rest;
  template <class F> __device__ void each(F f) const {
    f(first);
    rest.each(f);
  }
};
template <class... T> __device__ Tuple<T...> tuple(T... values) {
  if constexpr (sizeof...(T) == 0)
    return {};
  else
    return [](auto first, auto... rest) { return Tuple<decltype(first), decltype(rest)...>{first, tuple(rest...)}; }(values...);
}
template <int N> struct Horner {
  static __device__ double at(const double *c, double x) { return c[0] + x * Horner<N - 1>::at(c + 1, x); }
};
template <> struct Horner<0> {
  static __device__ double at(const double *c, double) { return c[0]; }
};
template <int... I> struct Indices {};
template <int N, int... I> struct MakeIndices : MakeIndices<N - 1, N - 1, I...> {};
template <int... I> struct MakeIndices<0, I...> { using Type = Indices<I...>; };
template <class F, int... I> __device__ int foldOver(F f, Indices<I...>) { return (f(I) + ... + 0); }

struct Polynomial { double c[7]; };

__global__ void generic(const float *a, const float *b, const float *c, float *out, long long *sums, Polynomial p, double *values) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  evaluate(Array(a) * Array(b) + Array(c) * (Array(a) + Array(b)), out, i);
  long long sum = 0;
  tuple(char(i), short(i * 3), 1000000007ll * i, float(i) / 2).each([&](auto v) { sum = sum * 31 + (long long)(v); });
  sums[i] = sum + foldOver([=](int k) { return k * i; }, MakeIndices<10>::Type());
  values[i] = Horner<6>::at(p.c, a[i]);
}
