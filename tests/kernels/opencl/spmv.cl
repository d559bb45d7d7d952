// Sparse matrix times vector: CSR with a row a work-item, CSR with a wave a row, and ELLPACK.
kernel void csr_scalar(global const uint *rows, global const uint *columns, global const float *values, global const float *x,
                       global float *y, uint n) {
  uint row = get_global_id(0);
  if (row >= n)
    return;
  float sum = 0;
  for (uint i = rows[row]; i < rows[row + 1]; ++i)
    sum = fma(values[i], x[columns[i]], sum);
  y[row] = sum;
}
kernel void csr_vector(global const uint *rows, global const uint *columns, global const float *values, global const float *x,
                       global float *y, uint n, local float *partial) {
  uint lid = get_local_id(0), lane = lid & 63, row = get_global_id(0) >> 6;
  float sum = 0;
  if (row < n)
    for (uint i = rows[row] + lane; i < rows[row + 1]; i += 64)
      sum += values[i] * x[columns[i]];
  partial[lid] = sum;
  for (uint step = 32; step; step >>= 1) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (lane < step)
      partial[lid] += partial[lid + step];
  }
  if (lane == 0 && row < n)
    y[row] = partial[lid];
}
kernel void ell(global const int *columns, global const float *values, global const float *x, global float *y, uint n, uint width) {
  uint row = get_global_id(0);
  if (row >= n)
    return;
  float sum = 0;
  for (uint i = 0; i < width; ++i) {
    int column = columns[i * n + row];
    if (column >= 0)
      sum += values[i * n + row] * x[column];
  }
  y[row] = sum;
}
