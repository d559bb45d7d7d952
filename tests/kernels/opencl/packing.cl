// Bytes and shorts: saturating and widening arithmetic, vectors of every width, shuffles, planar and packed colours.
kernel void saturating(global const uchar8 *a, global const uchar8 *b, global uchar8 *out) {
  uint i = get_global_id(0);
  uchar8 x = a[i], y = b[i];
  global uchar8 *o = out + 8 * i;
  o[0] = add_sat(x, y);
  o[1] = sub_sat(x, y);
  o[2] = abs_diff(x, y);
  o[3] = hadd(x, y);
  o[4] = rhadd(x, y);
  o[5] = mul_hi(x, y);
  o[6] = max(x, y) - min(x, (uchar8)(3));
  o[7] = as_uchar8(add_sat(as_char8(x), as_char8(y)));
}
kernel void shorts(global const short4 *a, global const short4 *b, global int4 *wide, global short4 *out) {
  uint i = get_global_id(0);
  wide[i] = convert_int4(a[i]) * convert_int4(b[i]) + convert_int4(upsample(as_char4(convert_uchar4(as_ushort4(a[i]) & (ushort)255)), convert_uchar4(as_ushort4(b[i]) & (ushort)255)));
  out[3 * i] = add_sat(a[i], b[i]);
  out[3 * i + 1] = a[i].wzyx + b[i].xxyy;
  out[3 * i + 2] = (a[i] << (short4)(3)) ^ (b[i] >> (short4)(2));
}
kernel void luma(global const uchar *rgb, global uchar *y, global ushort *rgb565) {
  uint i = get_global_id(0);
  uchar3 c = vload3(i, rgb);
  y[i] = (77 * c.x + 150 * c.y + 29 * c.z + 128) >> 8;
  rgb565[i] = (c.x >> 3) << 11 | (c.y >> 2) << 5 | c.z >> 3;
}
kernel void shuffles(global const ushort8 *in, global ushort8 *out, ushort8 mask) {
  uint i = get_global_id(0);
  out[2 * i] = shuffle(in[i], mask);
  ushort8 v = in[i];
  out[2 * i + 1] = (ushort8)(v.odd, v.even);
}
struct __attribute__((packed)) Odd { uchar tag; uint value; ushort tail; };
kernel void unaligned(global const struct Odd *in, global ulong *out) {
  uint i = get_global_id(0);
  out[i] = (ulong)in[i].value << 24 | (uint)in[i].tail << 8 | in[i].tag;
}
