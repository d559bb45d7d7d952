// Half precision: arithmetic in vectors, comparisons, conversions with rounding modes, and functions of the library.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF
kernel void arithmetic(global const half2 *a, global const half2 *b, global half2 *out) {
  uint i = get_global_id(0);
  half2 x = a[i], y = b[i];
  global half2 *o = out + 10 * i;
  o[0] = x + y;
  o[1] = x - y;
  o[2] = x * y;
  o[3] = fma(x, y, x);
  o[4] = fmin(x, y);
  o[5] = fmax(x, -y);
  o[6] = fabs(x) + floor(y);
  o[7] = (half2)(x.x < y.x ? 1 : 0, isgreaterequal(x.y, y.y) ? 1 : 0);
  o[8] = (half2)(x.x / y.x, sqrt(fabs(x.y)));
  o[9] = (half2)(rint(x.x), trunc(y.x) + ceil(y.y));
}
kernel void functions(global const half *x, global float *out) {
  uint i = get_global_id(0);
  half v = x[i];
  global float *o = out + 8 * i;
  o[0] = exp(v);
  o[1] = log(fabs(v));
  o[2] = expm1(v); // no sine: that of the device libraries 5.2 is a NaN for finite numbers
  o[3] = log2(fabs(v));
  o[4] = tanh(v);
  o[5] = pow(fabs(v), (half)1.5f);
  o[6] = rsqrt(fabs(v));
  o[7] = exp2(v);
}
kernel void conversions(global const float *x, global half *out, global int *ints) {
  uint i = get_global_id(0);
  vstore_half_rte(x[i], 5 * i, out);
  vstore_half_rtz(x[i], 5 * i + 1, out);
  vstore_half_rtp(x[i], 5 * i + 2, out);
  vstore_half_rtn(x[i], 5 * i + 3, out);
  out[5 * i + 4] = (half)convert_short_sat_rte(x[i]);
  ints[2 * i] = convert_int_rtn((half)x[i]);
  ints[2 * i + 1] = convert_uchar_sat_rtp((half)x[i]);
}
