// Jacobi steps of the heat equation with a halo in local memory; borders stay.
#define TILE 16
kernel void heat(global const float *in, global float *out, int width, int height, float k) {
  local float tile[TILE + 2][TILE + 2];
  int x = get_global_id(0), y = get_global_id(1), lx = get_local_id(0) + 1, ly = get_local_id(1) + 1;
  int cx = clamp(x, 0, width - 1), cy = clamp(y, 0, height - 1);
  tile[ly][lx] = in[cy * width + cx];
  if (lx == 1) tile[ly][0] = in[cy * width + max(cx - 1, 0)];
  if (lx == TILE) tile[ly][TILE + 1] = in[cy * width + min(cx + 1, width - 1)];
  if (ly == 1) tile[0][lx] = in[max(cy - 1, 0) * width + cx];
  if (ly == TILE) tile[TILE + 1][lx] = in[min(cy + 1, height - 1) * width + cx];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (x >= width || y >= height)
    return;
  float c = tile[ly][lx];
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
    c += k * (((tile[ly][lx - 1] + tile[ly][lx + 1]) + (tile[ly - 1][lx] + tile[ly + 1][lx])) - 4.0f * c);
  out[y * width + x] = c;
}
