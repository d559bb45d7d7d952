// One work-group sorts a block in local memory; the host merges larger ones with single steps in global memory.
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void sort_block(global float *data, local float *block) {
  uint lid = get_local_id(0), base = get_group_id(0) * 512;
  block[lid] = data[base + lid];
  block[lid + 256] = data[base + lid + 256];
  for (uint size = 2; size <= 512; size <<= 1) {
    bool up = ((lid & (size >> 1)) == 0) ^ (size == 512 && (get_group_id(0) & 1));
    for (uint stride = size >> 1; stride > 0; stride >>= 1) {
      barrier(CLK_LOCAL_MEM_FENCE);
      uint i = 2 * lid - (lid & (stride - 1));
      float a = block[i], b = block[i + stride];
      if ((a > b) == up) {
        block[i] = b;
        block[i + stride] = a;
      }
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  data[base + lid] = block[lid];
  data[base + lid + 256] = block[lid + 256];
}
kernel void merge_step(global float *data, uint size, uint stride) {
  uint t = get_global_id(0), i = 2 * t - (t & (stride - 1));
  bool up = (t & (size >> 1)) == 0;
  float a = data[i], b = data[i + stride];
  data[i] = up ? fmin(a, b) : fmax(a, b);
  data[i + stride] = up ? fmax(a, b) : fmin(a, b);
}
