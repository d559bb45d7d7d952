// Philox4x32-10, xorshift and a linear congruential generator; pi by Monte Carlo; normal numbers by Box and Muller.
uint4 philox(uint4 counter, uint2 key) {
  for (int round = 0; round < 10; ++round) {
    uint low0 = counter.x * 0xd2511f53u, high0 = mul_hi(counter.x, 0xd2511f53u);
    uint low1 = counter.z * 0xcd9e8d57u, high1 = mul_hi(counter.z, 0xcd9e8d57u);
    counter = (uint4)(high1 ^ counter.y ^ key.x, low1, high0 ^ counter.w ^ key.y, low0);
    key += (uint2)(0x9e3779b9u, 0xbb67ae85u);
  }
  return counter;
}
kernel void philox_words(global uint4 *out, uint2 key) {
  uint i = get_global_id(0);
  out[i] = philox((uint4)(i, i * 7, 1, 2), key);
}
kernel void pi_hits(global uint *hits, uint tries) {
  ulong state = get_global_id(0) * 0x9e3779b97f4a7c15ul + 1;
  uint count = 0;
  for (uint i = 0; i < tries; ++i) {
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    float x = (uint)(state >> 40) * 0x1p-24f, y = ((uint)state & 0xffffff) * 0x1p-24f;
    count += x * x + y * y < 1.0f;
  }
  hits[get_global_id(0)] = count;
}
kernel void normals(global float2 *out, uint2 key) {
  uint i = get_global_id(0);
  uint4 r = philox((uint4)(i, 0, 0, 0), key);
  float u = (r.x + 0.5f) * 0x1p-32f, radius = native_sqrt(-2.0f * native_log(u)), c, s = sincos(2 * M_PI_F * (r.y >> 8) * 0x1p-24f, &c);
  out[i] = (float2)(radius * c, radius * s);
}
kernel void lcg48(global ulong *states, uint steps) {
  ulong s = states[get_global_id(0)];
  while (steps--)
    s = (s * 0x5deece66dul + 11) & 0xfffffffffffful;
  states[get_global_id(0)] = s;
}
