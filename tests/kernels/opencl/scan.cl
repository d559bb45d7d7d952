// Exclusive prefix sum (Blelloch) in work-groups, then of their sums, then added back.
#define GROUP 256
kernel void scan_groups(global const uint *in, global uint *out, global uint *sums, uint n) {
  local uint tree[2 * GROUP];
  uint lid = get_local_id(0), base = get_group_id(0) * 2 * GROUP;
  for (uint k = lid; k < 2 * GROUP; k += GROUP)
    tree[k] = base + k < n ? in[base + k] : 0;
  uint offset = 1;
  for (uint d = GROUP; d > 0; d >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < d)
      tree[offset * (2 * lid + 2) - 1] += tree[offset * (2 * lid + 1) - 1];
    offset *= 2;
  }
  if (lid == 0) {
    sums[get_group_id(0)] = tree[2 * GROUP - 1];
    tree[2 * GROUP - 1] = 0;
  }
  for (uint d = 1; d <= GROUP; d *= 2) {
    offset >>= 1;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < d) {
      uint left = offset * (2 * lid + 1) - 1, right = offset * (2 * lid + 2) - 1;
      uint t = tree[left];
      tree[left] = tree[right];
      tree[right] += t;
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  for (uint k = lid; k < 2 * GROUP; k += GROUP)
    if (base + k < n)
      out[base + k] = tree[k];
}
kernel void add_sums(global uint *out, global const uint *sums, uint n) {
  uint i = get_global_id(0);
  if (i < n)
    out[i] += sums[i / (2 * GROUP)];
}
kernel void scan_builtin(global const int *in, global int *out) {
  // The device library's own scan of a work-group.
  out[get_global_id(0)] = work_group_scan_inclusive_add(in[get_global_id(0)]);
}
