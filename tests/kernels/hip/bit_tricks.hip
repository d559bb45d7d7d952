#include <hip/hip_runtime.h>

// Lane exchanges and bit instructions by builtins: DPP rows, swizzles, permutes, readlane, byte permutes, bit fields.
template <int Control, int RowMask = 15, int BankMask = 15, bool Zero = true> __device__ int dpp(int value, int old = -1) {
  return __builtin_amdgcn_update_dpp(old, value, Control, RowMask, BankMask, Zero);
}
__global__ void moves(const int *in, int *out) {
  int lane = threadIdx.x, v = in[lane], at = 0;
  auto put = [&](int x) { out[64 * at++ + lane] = x; };
  put(dpp<0x1b>(v));                         // quad_perm:[3,2,1,0]
  put(dpp<0x103, 15, 15, false>(v));         // row_shl:3, lanes without a source keep -1
  put(dpp<0x112>(v));                        // row_shr:2, zero
  put(dpp<0x125>(v));                        // row_ror:5
  put(dpp<0x140>(v));                        // row_mirror
  put(dpp<0x141>(v));                        // row_half_mirror
  put(dpp<0x142, 0xa, 15, false>(v));        // row_bcast:15 into rows 1 and 3
  put(dpp<0x143, 0xc, 15, false>(v));        // row_bcast:31 into rows 2 and 3
  put(dpp<0x138, 15, 15, false>(v));         // wave_shr:1
  put(dpp<0x134>(v));                        // wave_rol:1
  put(dpp<0x1b, 0x5, 0x3, false>(v));        // only rows 0 and 2, banks 0 and 1
  put(__builtin_amdgcn_ds_swizzle(v, 0x8000 | 0x4e));       // quad permute 2,3,0,1
  put(__builtin_amdgcn_ds_swizzle(v, 0x1f | 0x10 << 10)); // xor 16
  put(__builtin_amdgcn_ds_swizzle(v, 0x18 | 0x3 << 5));   // and 0x18, or 3
  put(__builtin_amdgcn_ds_permute(((lane * 5 + 3) & 63) << 2, v));
  put(__builtin_amdgcn_ds_bpermute(((lane * 5 + 3) & 63) << 2, v));
  put(__builtin_amdgcn_readlane(v, 13) + __builtin_amdgcn_readfirstlane(v));
}
__global__ void bits(const unsigned *in, unsigned *out) {
  int i = threadIdx.x;
  unsigned x = in[2 * i], y = in[2 * i + 1], *o = out + 12 * i;
  o[0] = __popc(x);
  o[1] = __clz(x);
  o[2] = __ffs(x);
  o[3] = __brev(x);
  o[4] = __byte_perm(x, y, 0x5140);
  o[5] = __builtin_amdgcn_perm(x, y, 0x0c060d01);
  o[6] = __builtin_amdgcn_ubfe(x, y & 31, 7);
  o[7] = __builtin_amdgcn_sbfe(x, 5, 9);
  o[8] = __builtin_amdgcn_alignbit(x, y, 11);
  o[9] = __builtin_amdgcn_alignbyte(x, y, 3);
  o[10] = __builtin_amdgcn_sad_u8(x, y, 100);
  o[11] = __builtin_amdgcn_lerp(x, y, 0x01010101);
}
__global__ void masks(unsigned *out) {
  int lane = threadIdx.x;
  uint64_t odd = __ballot(lane & 1), low;
  if (lane < 20)
    low = __ballot(lane % 3 == 0);
  else
    low = __ballot(lane % 5 == 0);
  out[lane] = __builtin_amdgcn_mbcnt_hi(odd >> 32, __builtin_amdgcn_mbcnt_lo(odd, 100));
  out[64 + lane] = low;
  out[128 + lane] = low >> 32;
}
