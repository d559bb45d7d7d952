// y = a x + y over a global size that is no multiple of the work-group.
kernel void saxpy(float a, global const float *restrict x, global float *restrict y) {
  size_t i = get_global_id(0);
  y[i] = fma(a, x[i], y[i]);
}
// What a work-item is told about the launch.
kernel void sizes(global uint *out) {
  size_t i = get_global_linear_id();
  uint value = get_global_size(0) + 1000 * get_local_size(0) + 100000 * get_num_groups(0) + 10000000 * get_work_dim();
  out[4 * i] = value;
  out[4 * i + 1] = get_group_id(0) | get_group_id(1) << 8 | get_group_id(2) << 16;
  out[4 * i + 2] = get_local_id(0) | get_local_id(1) << 8 | get_local_id(2) << 16;
  out[4 * i + 3] = get_local_size(1) | get_enqueued_local_size(0) << 8 | get_global_size(2) << 16;
}
