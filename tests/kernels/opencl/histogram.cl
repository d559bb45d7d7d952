// Counts in local memory with atomics, then into global memory.
kernel void histogram256(global const uchar4 *pixels, uint n4, global uint *bins) {
  local uint counts[256];
  for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
    counts[i] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_global_id(0); i < n4; i += get_global_size(0)) {
    uchar4 p = pixels[i];
    atomic_inc(&counts[p.x]);
    atomic_inc(&counts[p.y]);
    atomic_inc(&counts[p.z]);
    atomic_inc(&counts[p.w]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint i = get_local_id(0); i < 256; i += get_local_size(0))
    if (counts[i])
      atomic_add(&bins[i], counts[i]);
}
kernel void extremes(global const int *data, volatile global int *result) {
  int v = data[get_global_id(0)];
  atomic_min(&result[0], v);
  atomic_max(&result[1], v);
  atomic_xor(&result[2], v);
  atomic_or(&result[3], v);
  atomic_and(&result[4], v);
  atomic_sub(&result[5], v);
}
