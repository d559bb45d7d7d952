// CRC-32 by table and by bits, Adler-32 with 64-bit sums, xxHash32 and FNV-1a of blocks.
kernel void make_table(global uint *table) {
  uint c = get_global_id(0);
  for (int i = 0; i < 8; ++i)
    c = c & 1 ? 0xedb88320u ^ (c >> 1) : c >> 1;
  table[get_global_id(0)] = c;
}
uint xx_round(uint acc, uint word) { return rotate(acc + word * 2246822519u, 13u) * 2654435761u; }
uint word_at(global const uchar *p) { return p[0] | (uint)p[1] << 8 | (uint)p[2] << 16 | (uint)p[3] << 24; }
uint xxhash32(global const uchar *p, uint length, uint seed) {
  uint h, i = 0;
  if (length >= 16) {
    uint4 v = (uint4)(seed + 2654435761u + 2246822519u, seed + 2246822519u, seed, seed - 2654435761u);
    for (; i + 16 <= length; i += 16) {
      v.x = xx_round(v.x, word_at(p + i));
      v.y = xx_round(v.y, word_at(p + i + 4));
      v.z = xx_round(v.z, word_at(p + i + 8));
      v.w = xx_round(v.w, word_at(p + i + 12));
    }
    h = rotate(v.x, 1u) + rotate(v.y, 7u) + rotate(v.z, 12u) + rotate(v.w, 18u);
  } else {
    h = seed + 374761393u;
  }
  h += length;
  for (; i + 4 <= length; i += 4)
    h = rotate(h + word_at(p + i) * 3266489917u, 17u) * 668265263u;
  for (; i < length; ++i)
    h = rotate(h + p[i] * 374761393u, 11u) * 2654435761u;
  h ^= h >> 15;
  h *= 2246822519u;
  h ^= h >> 13;
  h *= 3266489917u;
  return h ^ h >> 16;
}
kernel void checksums(global const uchar *text, uint size, global const uint *table, global ulong *out) {
  uint id = get_global_id(0);
  global const uchar *p = text + id * size;
  uint length = size - id % 23, crc = ~0u, slow = ~0u;
  ulong a = 1, b = 0, fnv = 0xcbf29ce484222325ul;
  for (uint i = 0; i < length; ++i) {
    crc = table[(crc ^ p[i]) & 255] ^ crc >> 8;
    slow ^= p[i];
    for (int k = 0; k < 8; ++k)
      slow = slow >> 1 ^ (0xedb88320u & -(slow & 1));
    a += p[i];
    b += a;
    fnv = (fnv ^ p[i]) * 0x100000001b3ul;
  }
  out[4 * id] = (ulong)~crc << 32 | (uint)~slow;
  out[4 * id + 1] = b % 65521 << 16 | a % 65521;
  out[4 * id + 2] = fnv;
  out[4 * id + 3] = xxhash32(p, length, id);
}
