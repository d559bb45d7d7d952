// Assignment to the nearest centre with counts and sums by local and global atomics.
kernel void assign(global const float *points, global const float *centres, global int *labels, uint n, uint k, uint dims) {
  uint i = get_global_id(0);
  if (i >= n)
    return;
  float best = MAXFLOAT;
  int label = -1;
  for (uint c = 0; c < k; ++c) {
    float d = 0;
    for (uint j = 0; j < dims; ++j) {
      float t = points[j * n + i] - centres[c * dims + j];
      d = mad(t, t, d);
    }
    if (d < best) {
      best = d;
      label = c;
    }
  }
  labels[i] = label;
}
// Fixed-point sums, so that the order of the additions doesn't matter.
kernel void accumulate(global const float *points, global const int *labels, global int *sums, global int *counts, uint n, uint k, uint dims,
                       local int *partial) {
  uint i = get_global_id(0), size = get_local_size(0), cells = k * (dims + 1);
  for (uint c = get_local_id(0); c < cells; c += size)
    partial[c] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) {
    local int *mine = partial + labels[i] * (dims + 1);
    for (uint j = 0; j < dims; ++j)
      atomic_add(&mine[j], convert_int_rte(points[j * n + i] * 1024.0f));
    atomic_inc(&mine[dims]);
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint c = get_local_id(0); c < cells; c += size)
    if (c % (dims + 1) == dims)
      atomic_add(&counts[c / (dims + 1)], partial[c]);
    else
      atomic_add(&sums[c / (dims + 1) * dims + c % (dims + 1)], partial[c]);
}
