// AES-128 in counter mode: key schedule by one work-group in local memory, S-box computed from its definition.
uchar xtime(uchar a) { return a << 1 ^ (a & 0x80 ? 0x1b : 0); }
uchar multiply(uchar a, uchar b) {
  uchar r = 0;
  for (int i = 0; i < 8; ++i) {
    if (b & 1)
      r ^= a;
    a = xtime(a);
    b >>= 1;
  }
  return r;
}
uchar substitute(uchar x) {
  uchar inverse = 1; // x to the 254th
  for (int bit = 7; bit >= 0; --bit) {
    inverse = multiply(inverse, inverse);
    if (254 >> bit & 1)
      inverse = multiply(inverse, x);
  }
  uchar s = inverse;
  for (int i = 1; i < 5; ++i)
    s ^= rotate(inverse, (uchar)i);
  return s ^ 0x63;
}
kernel void aes_ctr(global const uchar16 *in, global uchar16 *out, global const uchar *key, ulong nonce) {
  local uchar box[256];
  local uchar schedule[176];
  uint lid = get_local_id(0);
  for (uint i = lid; i < 256; i += get_local_size(0))
    box[i] = substitute(i);
  if (lid < 16)
    schedule[lid] = key[lid];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (lid == 0) {
    uchar round = 1;
    for (int i = 16; i < 176; i += 4) {
      uchar4 t = vload4(0, schedule + i - 4);
      if (i % 16 == 0) {
        t = (uchar4)(box[t.y] ^ round, box[t.z], box[t.w], box[t.x]);
        round = xtime(round);
      }
      vstore4(t ^ vload4(0, schedule + i - 16), 0, schedule + i);
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  uchar state[16], next[16];
  ulong counter = get_global_id(0);
  for (int i = 0; i < 8; ++i) {
    state[i] = nonce >> (56 - 8 * i);
    state[8 + i] = counter >> (56 - 8 * i);
  }
  for (int i = 0; i < 16; ++i)
    state[i] ^= schedule[i];
  for (int round = 1; round <= 10; ++round) {
    for (int c = 0; c < 4; ++c) {
      uchar s[4];
      for (int r = 0; r < 4; ++r)
        s[r] = box[state[4 * ((c + r) & 3) + r]];
      uchar all = s[0] ^ s[1] ^ s[2] ^ s[3];
      for (int r = 0; r < 4; ++r)
        next[4 * c + r] = (round < 10 ? s[r] ^ all ^ xtime(s[r] ^ s[(r + 1) & 3]) : s[r]) ^ schedule[16 * round + 4 * c + r];
    }
    for (int i = 0; i < 16; ++i)
      state[i] = next[i];
  }
  out[get_global_id(0)] = in[get_global_id(0)] ^ vload16(0, state);
}
