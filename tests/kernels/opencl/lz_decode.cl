// An LZ77 decoder in the style of LZ4: lengths in nibbles with runs of 255, matches that overlap themselves.
kernel void lz_decode(global const uchar *in, global const uint *starts, global uchar *out, uint capacity, global uint *sizes) {
  uint id = get_global_id(0);
  global const uchar *p = in + starts[id], *end = in + starts[id + 1];
  global uchar *o = out + id * capacity, *begin = o;
  while (p < end) {
    uint token = *p++, literals = token >> 4, match = (token & 15) + 4;
    if (literals == 15) {
      uchar more;
      do {
        more = *p++;
        literals += more;
      } while (more == 255);
    }
    for (uint i = 0; i < literals; ++i)
      *o++ = *p++;
    if (p >= end)
      break;
    uint distance = p[0] | p[1] << 8;
    p += 2;
    if (match == 19) {
      uchar more;
      do {
        more = *p++;
        match += more;
      } while (more == 255);
    }
    for (uint i = 0; i < match; ++i, ++o)
      *o = o[-(int)distance];
  }
  sizes[id] = o - begin;
}
