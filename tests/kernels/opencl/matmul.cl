// Tiled products in float, double and half, any sizes; and one in registers with vectors.
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#define T 16
#define MATMUL(name, E, A)                                                                                        \
  kernel void name(global const E *a, global const E *b, global A *c, int m, int n, int k) {                      \
    local E ta[T][T], tb[T][T];                                                                                   \
    int lx = get_local_id(0), ly = get_local_id(1), x = get_global_id(0), y = get_global_id(1);                   \
    A sum = 0;                                                                                                    \
    for (int t = 0; t < k; t += T) {                                                                              \
      ta[ly][lx] = y < m && t + lx < k ? a[y * k + t + lx] : (E)0;                                                \
      tb[ly][lx] = x < n && t + ly < k ? b[(t + ly) * n + x] : (E)0;                                              \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                               \
      for (int i = 0; i < T; ++i)                                                                                 \
        sum += (A)ta[ly][i] * (A)tb[i][lx];                                                                       \
      barrier(CLK_LOCAL_MEM_FENCE);                                                                               \
    }                                                                                                             \
    if (x < n && y < m)                                                                                           \
      c[y * n + x] = sum;                                                                                         \
  }
MATMUL(matmul_float, float, float)
MATMUL(matmul_double, double, double)
MATMUL(matmul_half, half, float)
MATMUL(matmul_int, int, long)
kernel void matmul_4x4(global const float4 *a, global const float4 *b, global float4 *c, int n4, int k4) {
  int x = get_global_id(0), y = get_global_id(1);
  float4 r[4] = {0, 0, 0, 0};
  for (int t = 0; t < k4; ++t) {
    float4 rows[4];
    for (int i = 0; i < 4; ++i)
      rows[i] = b[(4 * t + i) * n4 + x];
    for (int i = 0; i < 4; ++i) {
      float4 v = a[(4 * y + i) * k4 + t];
      r[i] += v.x * rows[0] + v.y * rows[1] + v.z * rows[2] + v.w * rows[3];
    }
  }
  for (int i = 0; i < 4; ++i)
    c[(4 * y + i) * n4 + x] = r[i];
}
