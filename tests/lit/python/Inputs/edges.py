"""Accesses at the edges of arrays: what a buffer's range check drops, dwords of which an array has a part, loads behind an array's end."""
import numpy

import inflight

HEAD = """
.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
.text
.globl kernel
.p2align 8
.type kernel,@function
kernel:
  s_load_dwordx4 s[4:7], s[0:1], 0x0
  v_lshlrev_b32 v1, 2, v0
  s_waitcnt lgkmcnt(0)
"""
TAIL = """
  s_endpgm
.Lend:
.size kernel, .Lend-kernel
.rodata
.p2align 6
.amdhsa_kernel kernel
  .amdhsa_user_sgpr_kernarg_segment_ptr 1
  .amdhsa_next_free_vgpr 16
  .amdhsa_next_free_sgpr 24
  .amdhsa_accum_offset 16
.end_amdhsa_kernel
.amdgpu_metadata
---
amdhsa.version: [1, 2]
amdhsa.target: amdgcn-amd-amdhsa--gfx942
amdhsa.kernels:
  - .name: kernel
    .symbol: kernel.kd
    .kernarg_segment_size: 16
    .kernarg_segment_align: 8
    .group_segment_fixed_size: 0
    .private_segment_fixed_size: 0
    .wavefront_size: 64
    .sgpr_count: 24
    .vgpr_count: 16
    .max_flat_workgroup_size: 64
    .args:
      - {.name: data, .offset: 0, .size: 8, .value_kind: global_buffer, .address_space: global}
      - {.name: offsets, .offset: 8, .size: 8, .value_kind: global_buffer, .address_space: global}
.end_amdgpu_metadata
"""


def kernel(body):
    return inflight.load(inflight.assemble(HEAD + body + TAIL))["kernel"]


def places(findings):
    return [f"{finding.rule} {finding.message}" for finding in findings] or "nothing"


def checked(kernel, *arguments, **options):
    with inflight.check(raises=False) as found:
        kernel[1, 64](*arguments, **options)
    return found.findings


# A buffer that ends where Triton's compiler has all of them end, each lane's offset from an array; s20 is an offset for all lanes.
BUFFER = """
  global_load_dword v2, v1, s[6:7]
  s_mov_b32 s8, s4
  s_and_b32 s9, s5, 0xffff
  s_mov_b32 s10, 0x7ffffffe
  s_mov_b32 s11, 0x27000
  s_mov_b32 s20, 16
  s_waitcnt vmcnt(0)
"""
MASKED = 0x80000000


def gather(access, *changed, records="0x7ffffffe"):
    """What an access finds where some lanes have other offsets than their own dword's."""
    offsets = numpy.arange(0, 256, 4, dtype=numpy.uint32)
    for lane, offset in changed:
        offsets[lane] = offset & 0xffffffff
    code = BUFFER.replace("0x7ffffffe", records) + access + "\n  s_waitcnt vmcnt(0)"
    data = numpy.zeros(80, numpy.uint32)
    found = checked(kernel(code), data, offsets)
    return places(found)


load, store, atomic = "buffer_load_dword v3, v2, s[8:11], 0 offen", "buffer_store_dword v2, v2, s[8:11], 0 offen", "buffer_atomic_add v0, v2, s[8:11], 0 offen"
for name, access in ("load", load), ("store", store), ("atomic", atomic):
    print(name, "masked:", gather(access, (3, MASKED), (9, MASKED)))
    print(name, "negative:", gather(access, (3, -4), (9, MASKED)))
print("far:", gather(load, (5, -(1 << 30))))
print("far beyond:", gather(load, (5, 0x7fffffff - 3)))
print("masked before a constant is added:", gather(load + " offset:12", (3, MASKED)))
print("masked after a constant is added:", gather(load + " offset:12", (3, MASKED - 12)))
print("masked before a scalar is added:", gather(load.replace(", 0 offen", ", s20 offen"), (3, MASKED)))
print("negative, with a scalar:", gather(load.replace(", 0 offen", ", s20 offen"), (3, -60)))
print("a buffer with bounds:", gather(load, (3, -4), (9, 600), records="0x100"))

# Atomics on halves: the dword around each is loaded, changed and exchanged.
HALVES = """
  v_lshlrev_b32 v1, 1, v0
  v_mov_b32 v3, s5
  v_add_co_u32 v2, vcc, s4, v1
  v_addc_co_u32 v3, vcc, 0, v3, vcc
  v_and_b32 v4, 3, v2
  v_and_b32 v2, -4, v2
  v_lshlrev_b32 v4, 3, v4
  v_mov_b32 v5, 1
  v_lshlrev_b32 v4, v4, v5
  s_mov_b64 exec, EXEC
  global_load_dword v9, v[2:3], off
  s_waitcnt vmcnt(0)
.Lloop:
  ADDED
  global_atomic_cmpswap v8, v[2:3], v[8:9], off sc0
  s_waitcnt vmcnt(0)
  v_cmp_ne_u32 vcc, v8, v9
  v_mov_b32 v9, v8
  s_and_b64 exec, exec, vcc
  s_cbranch_execnz .Lloop
"""


def halves(first, count, added="v_add_u32 v8, v9, v4", **options):
    """Each of `count` halves from number `first` of an array on is raised by 1."""
    room = numpy.full(16, 7, numpy.uint16)
    room = room[room.ctypes.data % 4 // 2:]
    found = checked(kernel(HALVES.replace("EXEC", str((1 << count) - 1)).replace("ADDED", added)), room[first:first + count], room[:0], **options)
    return room[:8].tolist(), places(found)


print("an odd number of halves:", *halves(0, 5))
print("beginning and end within dwords:", *halves(1, 5))
print("a change outside:", *halves(0, 5, "v_add_u32 v8, 0x10001, v9"))
plain = HALVES.replace("EXEC", "0x1f").replace("ADDED", "s_endpgm").replace("cmpswap v8, v[2:3], v[8:9]", "add v8, v[2:3], v8")
print("without the exchange:", places(checked(kernel(plain), numpy.zeros(5, numpy.uint16), numpy.zeros(0, numpy.uint16))))

# Loads behind an array's end, by memory that an allocator's granule has there.
BEHIND = """
  global_load_dword v3, v1, s[4:5] offset:OFFSET
  s_load_dword s12, s[4:5], OFFSET
  s_waitcnt vmcnt(0) lgkmcnt(0)
"""
STORED = "\n  global_store_dword v1, v3, s[4:5] offset:4\n"


def behind(code, offset, **options):
    room = numpy.zeros(4096, numpy.uint8)
    begin = -room.ctypes.data % 512
    try:
        kernel(code.replace("OFFSET", str(offset)))[1, 1](room[begin:begin + 4], room[:0], **options)
        return "runs"
    except inflight.KernelFault as fault:
        return str(fault).splitlines()[0]


print("granule 0:", behind(BEHIND, 4))
print("granule 512:", behind(BEHIND, 4, granule=512), behind(BEHIND, 508, granule=512))
print("behind the granule:", behind(BEHIND, 512, granule=512))
print("a store:", behind(BEHIND + STORED, 4, granule=512))
print("checked:", places(checked(kernel(BEHIND.replace("OFFSET", "4")), numpy.zeros(64, numpy.uint32), numpy.zeros(0, numpy.uint32), granule=512)))
