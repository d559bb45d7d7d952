// Sum, minimum with index and dot product by trees in local memory and by the device library.
kernel void sum_tree(global const float *in, global float *out, uint n, local float *scratch) {
  uint lid = get_local_id(0), size = get_local_size(0);
  float sum = 0;
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    sum += in[i];
  scratch[lid] = sum;
  for (uint step = size / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < step)
      scratch[lid] += scratch[lid + step];
  }
  if (lid == 0)
    out[get_group_id(0)] = scratch[0];
}
typedef struct { float value; uint index; } Candidate;
kernel void argmin(global const float *in, global Candidate *out, uint n) {
  local Candidate best[128];
  uint lid = get_local_id(0);
  Candidate mine = {INFINITY, 0xffffffffu};
  for (uint i = get_global_id(0); i < n; i += get_global_size(0))
    if (in[i] < mine.value) {
      mine.value = in[i];
      mine.index = i;
    }
  best[lid] = mine;
  for (uint step = 64; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lid < step && (best[lid + step].value < best[lid].value ||
                       (best[lid + step].value == best[lid].value && best[lid + step].index < best[lid].index)))
      best[lid] = best[lid + step];
  }
  if (lid == 0)
    out[get_group_id(0)] = best[0];
}
kernel void builtin(global const int *in, global int *out) {
  int v = in[get_global_id(0)];
  int sum = work_group_reduce_add(v), low = work_group_reduce_min(v), any = work_group_any(v == 7), all = work_group_all(v < 1000);
  int other = work_group_broadcast(v, 5);
  if (get_local_id(0) == 0) {
    global int *o = out + 5 * get_group_id(0);
    o[0] = sum; o[1] = low; o[2] = any != 0; o[3] = all != 0; o[4] = other;
  }
}
