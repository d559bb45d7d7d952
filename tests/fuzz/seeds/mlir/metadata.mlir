1
func.func @k(%a: memref<?xf32>, %x: f32) attributes {translation_info = {workgroup_size = [128, 1, 1], subgroup_size = 64}} {
  %t = gpu.thread_id x
  memref.store %x, %a[%t] : memref<?xf32>
  return
}
