// Images: 5x5 convolution with a constant filter, Sobel on bytes, max pooling, and bilinear resizing.
constant float gauss[5] = {0.0625f, 0.25f, 0.375f, 0.25f, 0.0625f};
kernel void blur5(global const float *in, global float *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h)
    return;
  float sum = 0;
  for (int dy = -2; dy <= 2; ++dy)
    for (int dx = -2; dx <= 2; ++dx)
      sum += gauss[dy + 2] * gauss[dx + 2] * in[clamp(y + dy, 0, h - 1) * w + clamp(x + dx, 0, w - 1)];
  out[y * w + x] = sum;
}
kernel void sobel(global const uchar *in, global uchar *out, int w, int h) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= w || y >= h)
    return;
  short p[3][3];
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      p[i][j] = in[clamp(y + i - 1, 0, h - 1) * w + clamp(x + j - 1, 0, w - 1)];
  short gx = p[0][2] - p[0][0] + 2 * (p[1][2] - p[1][0]) + p[2][2] - p[2][0], gy = p[2][0] - p[0][0] + 2 * (p[2][1] - p[0][1]) + p[2][2] - p[0][2];
  out[y * w + x] = convert_uchar_sat((abs(gx) + abs(gy)) / 2);
}
kernel void max_pool(global const char *in, global char *out, global uchar *where, int w) {
  int x = get_global_id(0), y = get_global_id(1);
  char best = CHAR_MIN;
  uchar place = 0;
  for (uchar i = 0; i < 4; ++i) {
    char v = in[(2 * y + i / 2) * w + 2 * x + i % 2];
    if (v > best) {
      best = v;
      place = i;
    }
  }
  out[y * get_global_size(0) + x] = best;
  where[y * get_global_size(0) + x] = place;
}
kernel void resize(global const uchar4 *in, int w, int h, global uchar4 *out, int ow, int oh) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= ow || y >= oh)
    return;
  float fx = fmax((x + 0.5f) * w / ow - 0.5f, 0.0f), fy = fmax((y + 0.5f) * h / oh - 0.5f, 0.0f);
  int x0 = fx, y0 = fy, x1 = min(x0 + 1, w - 1), y1 = min(y0 + 1, h - 1);
  float4 top = mix(convert_float4(in[y0 * w + x0]), convert_float4(in[y0 * w + x1]), fx - x0);
  float4 bottom = mix(convert_float4(in[y1 * w + x0]), convert_float4(in[y1 * w + x1]), fx - x0);
  out[y * ow + x] = convert_uchar4_sat_rte(mix(top, bottom, fy - y0));
}
