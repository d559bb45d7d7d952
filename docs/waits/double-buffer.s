// Two buffers in LDS: while one is read, LDS DMA fills the other. The wait before the barrier is right,
// the one behind it, which compilers add, empties the queue.
	.amdgcn_target "amdgcn-amd-amdhsa--gfx950"
	.text
	.globl	tiles
	.p2align	8
	.type	tiles,@function
tiles:
	s_load_dwordx4 s[0:3], s[4:5], 0x0
	s_load_dwordx2 s[12:13], s[4:5], 0x10
	s_load_dword s8, s[4:5], 0x18
	v_lshlrev_b32_e32 v0, 4, v0
	s_mov_b32 s9, 0
	s_waitcnt lgkmcnt(0)
	s_mov_b32 m0, s9
	buffer_load_dwordx4 v0, s[0:3], 0 offen lds
	buffer_load_dwordx4 v0, s[0:3], 0 offen offset:1024 lds
.Lloop:
	s_xor_b32 s10, s9, 0x1000
	s_mov_b32 m0, s10
	buffer_load_dwordx4 v0, s[0:3], 0 offen lds
	buffer_load_dwordx4 v0, s[0:3], 0 offen offset:1024 lds
	s_waitcnt vmcnt(2)
	s_barrier
	v_add_u32_e32 v1, s9, v0
	s_waitcnt vmcnt(0)
	ds_read_b128 v[4:7], v1
	ds_read_b128 v[8:11], v1 offset:1024
	s_waitcnt lgkmcnt(0)
	s_barrier
	v_mfma_f32_16x16x16_f16 v[12:15], v[4:5], v[8:9], v[12:15]
	v_mfma_f32_16x16x16_f16 v[12:15], v[6:7], v[10:11], v[12:15]
	s_mov_b32 s9, s10
	s_sub_u32 s8, s8, 1
	s_cmp_lg_u32 s8, 0
	s_cbranch_scc1 .Lloop
	s_nop 15
	global_store_dwordx4 v0, v[12:15], s[12:13]
	s_endpgm
	.size	tiles, .-tiles
	.section .rodata,"a",@progbits
	.p2align 6
	.amdhsa_kernel tiles
	.amdhsa_group_segment_fixed_size 8192
	.amdhsa_next_free_vgpr 16
	.amdhsa_next_free_sgpr 16
	.amdhsa_accum_offset 16
	.end_amdhsa_kernel
	.amdgpu_metadata
amdhsa.version: [1, 2]
amdhsa.kernels:
  - .name: tiles
    .symbol: tiles.kd
    .kernarg_segment_size: 28
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 8192
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 16
    .vgpr_count: 16
    .max_flat_workgroup_size: 64
    .reqd_workgroup_size: [64, 1, 1]
	.end_amdgpu_metadata
