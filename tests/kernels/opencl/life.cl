// Conway's game of life on bytes, and on 32 cells a word with bit-parallel adders.
kernel void life_bytes(global const uchar *in, global uchar *out) {
  int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1), n = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx)
      if (dx || dy)
        n += in[(y + dy + h) % h * w + (x + dx + w) % w];
  out[y * w + x] = n == 3 || (n == 2 && in[y * w + x]);
}
#define ADD(bit)                       \
  {                                    \
    uint c = ones & (bit);             \
    ones ^= (bit);                     \
    uint d = twos & c;                 \
    twos ^= c;                         \
    fours |= d;                        \
  }
kernel void life_bits(global const uint *in, global uint *out) {
  int x = get_global_id(0), y = get_global_id(1), w = get_global_size(0), h = get_global_size(1);
  uint ones = 0, twos = 0, fours = 0, self = in[y * w + x];
  for (int dy = -1; dy <= 1; ++dy) {
    global const uint *row = in + (y + dy + h) % h * w;
    uint middle = row[x], left = row[(x + w - 1) % w], right = row[(x + 1) % w];
    ADD(middle << 1 | left >> 31);
    ADD(middle >> 1 | right << 31);
    if (dy)
      ADD(middle);
  }
  out[y * w + x] = ~fours & twos & (ones | self);
}
