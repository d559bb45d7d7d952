// RUN: %inflight compile %s -o %t.hsaco && llvm-readobj --notes %t.hsaco | FileCheck %s
// CHECK: .name: {{ *}}arg0
// CHECK: .value_kind: {{ *}}global_buffer
// CHECK: .name: {{ *}}arg0.size0
// CHECK: .max_flat_workgroup_size: 128
// CHECK: .reqd_workgroup_size:
// CHECK: amdhsa.target: {{ *}}amdgcn-amd-amdhsa--gfx942
func.func @k(%a: memref<?xf32>, %x: f32) attributes {translation_info = {workgroup_size = [128, 1, 1], subgroup_size = 64}} {
  %t = gpu.thread_id x
  memref.store %x, %a[%t] : memref<?xf32>
  return
}
