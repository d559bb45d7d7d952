// Iterations until escape, with lanes that leave the loop at different times; single and double precision.
#define ESCAPE(T, name)                                                              \
  kernel void name(global ushort *out, T left, T top, T step, int limit) {           \
    size_t x = get_global_id(0), y = get_global_id(1);                               \
    T cr = left + (T)x * step, ci = top - (T)y * step, zr = 0, zi = 0;               \
    int n = 0;                                                                       \
    while (n < limit && zr * zr + zi * zi <= (T)4) {                                 \
      T t = zr * zr - zi * zi + cr;                                                  \
      zi = 2 * zr * zi + ci;                                                         \
      zr = t;                                                                        \
      ++n;                                                                           \
    }                                                                                \
    out[y * get_global_size(0) + x] = n;                                             \
  }
#pragma OPENCL FP_CONTRACT OFF
ESCAPE(float, mandelbrot32)
ESCAPE(double, mandelbrot64)
