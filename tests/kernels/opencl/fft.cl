// Radix-4 Stockham transforms of 256 complex numbers, one work-group each.
float2 mul(float2 a, float2 b) { return (float2)(a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x); }
kernel void fft256(global const float2 *in, global float2 *out, float sign) {
  local float2 buffer[2][256];
  uint j = get_local_id(0), base = get_group_id(0) * 256;
  for (uint k = 0; k < 4; ++k)
    buffer[0][j + 64 * k] = in[base + j + 64 * k];
  barrier(CLK_LOCAL_MEM_FENCE);
  uint from = 0;
  for (uint p = 1; p < 256; p *= 4) {
    uint k = j & (p - 1);
    float2 u[4];
    for (uint r = 0; r < 4; ++r) {
      float angle = sign * 2.0f * (float)(k * r) / (float)(4 * p), c;
      float s = sinpi(angle);
      c = cospi(angle);
      u[r] = mul(buffer[from][j + 64 * r], (float2)(c, s));
    }
    float2 a = u[0] + u[2], b = u[0] - u[2], c = u[1] + u[3], d = u[1] - u[3];
    d = (float2)(-sign * d.y, sign * d.x);
    uint place = ((j - k) << 2) + k;
    local float2 *to = buffer[1 - from];
    to[place] = a + c;
    to[place + p] = b + d;
    to[place + 2 * p] = a - c;
    to[place + 3 * p] = b - d;
    from = 1 - from;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (uint k = 0; k < 4; ++k)
    out[base + j + 64 * k] = buffer[from][j + 64 * k];
}
