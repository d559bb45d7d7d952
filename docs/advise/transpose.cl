// out = transpose of in, 1024 x 1024 floats. Tiles of 32 x 32 go through LDS, so that global memory is read and written
// by rows.
kernel __attribute__((reqd_work_group_size(256, 1, 1))) void transpose(global const float *in, global float *out) {
  local float tile[32][32];
  const uint x = __builtin_amdgcn_workitem_id_x() % 32, y = __builtin_amdgcn_workitem_id_x() / 32;
  const uint column = __builtin_amdgcn_workgroup_id_x() * 32, row = __builtin_amdgcn_workgroup_id_y() * 32;
  for (uint k = 0; k < 32; k += 8)
    tile[y + k][x] = in[(row + y + k) * 1024 + column + x];
  __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, "workgroup");
  __builtin_amdgcn_s_barrier();
  for (uint k = 0; k < 32; k += 8)
    out[(column + y + k) * 1024 + row + x] = tile[x][y + k];
}
