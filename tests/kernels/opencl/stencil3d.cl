// Seven-point Laplacian marching through planes, and an acoustic wave step in double precision.
kernel void laplacian(global const float *in, global float *out, int nx, int ny, int nz) {
  int x = get_global_id(0), y = get_global_id(1), plane = nx * ny;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1)
    return;
  int at = y * nx + x;
  float behind = in[at], here = in[at + plane];
  for (int z = 1; z < nz - 1; ++z) {
    at += plane;
    float ahead = in[at + plane];
    out[at] = ((in[at - 1] + in[at + 1]) + (in[at - nx] + in[at + nx])) + (behind + ahead) - 6.0f * here;
    behind = here;
    here = ahead;
  }
}
kernel void wave_step(global const double *now, global double *before, double c2) {
  int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);
  int nx = get_global_size(0), ny = get_global_size(1), nz = get_global_size(2);
#define AT(X, Y, Z) now[(((Z) + nz) % nz * ny + ((Y) + ny) % ny) * nx + ((X) + nx) % nx]
  double l = AT(x - 1, y, z) + AT(x + 1, y, z) + AT(x, y - 1, z) + AT(x, y + 1, z) + AT(x, y, z - 1) + AT(x, y, z + 1) - 6 * AT(x, y, z);
  int at = (z * ny + y) * nx + x;
  before[at] = 2 * now[at] - before[at] + c2 * l;
}
