// Functions of the device library in single and double precision, over ordinary and extreme arguments.
#define ONE(T, name)                                                                                           \
  kernel void name(global const T *x, global T *out, uint n) {                                                 \
    uint i = get_global_id(0);                                                                                 \
    T v = x[i], p = fabs(v);                                                                                   \
    int k = 0;                                                                                                 \
    out[i] = exp(v);                                                                                           \
    out[n + i] = log(p);                                                                                       \
    out[2 * n + i] = sin(v);                                                                                   \
    out[3 * n + i] = cos(v);                                                                                   \
    out[4 * n + i] = tan(v);                                                                                   \
    out[5 * n + i] = atan(v);                                                                                  \
    out[6 * n + i] = sinh(v);                                                                                  \
    out[7 * n + i] = tanh(v);                                                                                  \
    out[8 * n + i] = cbrt(v);                                                                                  \
    out[9 * n + i] = erf(v);                                                                                   \
    out[10 * n + i] = expm1(v);                                                                                \
    out[11 * n + i] = log1p(p);                                                                                \
    out[12 * n + i] = sqrt(p);                                                                                 \
    out[13 * n + i] = pow(p, (T)1.7);                                                                          \
    out[14 * n + i] = log2(p);                                                                                 \
    out[15 * n + i] = exp10(v);                                                                                \
    out[16 * n + i] = asin(v / (1 + p));                                                                       \
    out[17 * n + i] = acosh(1 + p);                                                                            \
    out[18 * n + i] = hypot(v, (T)3);                                                                          \
    out[19 * n + i] = atan2(v, (T)-2);                                                                         \
    out[20 * n + i] = fmod(v, (T)0.7);                                                                         \
    out[21 * n + i] = remainder(v, (T)0.7);                                                                    \
    out[22 * n + i] = ldexp(v, (int)(i % 40) - 20);                                                            \
    out[23 * n + i] = ilogb(v);                                                                                \
    out[24 * n + i] = round(v) + trunc(v) + rint(v);                                                           \
    out[25 * n + i] = nextafter(v, (T)100);                                                                    \
    out[26 * n + i] = copysign(p, (T)-1) / (T)3;                                                               \
    out[27 * n + i] = lgamma(p + 1);                                                                           \
    out[28 * n + i] = pown(v, (int)(i % 7) - 3);                                                               \
    out[29 * n + i] = sinpi(v) + cospi(v);                                                                     \
  }
ONE(float, in_single)
ONE(double, in_double)
