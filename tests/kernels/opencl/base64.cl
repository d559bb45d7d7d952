// Three bytes to four letters and back; the decoder marks bad input.
constant char alphabet[65] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
kernel void encode(global const uchar *in, uint n, global char *out) {
  uint i = get_global_id(0);
  if (3 * i >= n)
    return;
  uchar3 v = (uchar3)(in[3 * i], 3 * i + 1 < n ? in[3 * i + 1] : 0, 3 * i + 2 < n ? in[3 * i + 2] : 0);
  char4 letters = (char4)(alphabet[v.x >> 2], alphabet[(v.x & 3) << 4 | v.y >> 4], alphabet[(v.y & 15) << 2 | v.z >> 6], alphabet[v.z & 63]);
  if (3 * i + 1 >= n)
    letters.z = '=';
  if (3 * i + 2 >= n)
    letters.w = '=';
  vstore4(letters, i, out);
}
int value(char c) {
  switch (c) {
  case 'A' ... 'Z': return c - 'A';
  case 'a' ... 'z': return c - 'a' + 26;
  case '0' ... '9': return c - '0' + 52;
  case '+': return 62;
  case '/': return 63;
  case '=': return 0;
  default: return -1;
  }
}
kernel void decode(global const char *in, uint quads, global uchar *out, global int *bad) {
  uint i = get_global_id(0);
  if (i >= quads)
    return;
  char4 c = vload4(i, in);
  int4 v = (int4)(value(c.x), value(c.y), value(c.z), value(c.w));
  if (any(v < 0))
    atomic_max(bad, (int)i);
  uint word = v.x << 18 | v.y << 12 | v.z << 6 | v.w;
  vstore3((uchar3)(word >> 16, word >> 8, word), i, out);
}
