// Least significant digit first, four bits a pass: counts, offsets, stable scatter.
#define GROUP 64
#define RADIX 16
kernel void count_digits(global const uint *keys, global uint *counts, uint n, uint shift, uint per_item) {
  local uint bins[RADIX][GROUP];
  uint lid = get_local_id(0), first = get_global_id(0) * per_item;
  for (uint r = 0; r < RADIX; ++r)
    bins[r][lid] = 0;
  for (uint i = first; i < min(first + per_item, n); ++i)
    bins[(keys[i] >> shift) & (RADIX - 1)][lid]++;
  for (uint r = 0; r < RADIX; ++r)
    counts[r * get_global_size(0) + get_global_id(0)] = bins[r][lid];
}
kernel void scan_counts(global uint *counts, uint n) {
  local uint partial[GROUP];
  uint lid = get_local_id(0), per = n / GROUP, sum = 0;
  for (uint i = 0; i < per; ++i)
    sum += counts[lid * per + i];
  partial[lid] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  uint before = 0;
  for (uint i = 0; i < lid; ++i)
    before += partial[i];
  for (uint i = 0; i < per; ++i) {
    uint c = counts[lid * per + i];
    counts[lid * per + i] = before;
    before += c;
  }
}
kernel void scatter(global const uint *keys, global const uint *values, global uint *keys_out, global uint *values_out,
                    global const uint *counts, uint n, uint shift, uint per_item) {
  local uint next[RADIX][GROUP];
  uint lid = get_local_id(0), first = get_global_id(0) * per_item;
  for (uint r = 0; r < RADIX; ++r)
    next[r][lid] = counts[r * get_global_size(0) + get_global_id(0)];
  for (uint i = first; i < min(first + per_item, n); ++i) {
    uint place = next[(keys[i] >> shift) & (RADIX - 1)][lid]++;
    keys_out[place] = keys[i];
    values_out[place] = values[i];
  }
}
