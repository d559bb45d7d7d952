0
#executable_target = #hal.executable.target<"rocm", "rocm-hsaco-fb", {abi = "hip", iree_codegen.target_info = #iree_gpu.target<arch = "gfx942", features = "", wgp = <compute =  fp64|fp32, mma = [<MFMA_F32_16x16x16_BF16>], max_workgroup_counts = [2147483647, 1, 1]>>}>
#pipeline_layout = #hal.pipeline.layout<constants = 2, bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>
module attributes {stream.affinity.default = #hal.device.affinity<@__device_0>} {
  util.global private @__device_0 = #executable_target
  hal.executable private @copy {
    hal.executable.variant public @rocm_hsaco_fb target(#executable_target) {
      hal.executable.export public @copy_dispatch_0 ordinal(0) layout(#pipeline_layout) count(%arg0: !hal.device, %arg1: index) -> (index, index, index) {
        %x, %y, %z = iree_tensor_ext.dispatch.workgroup_count_from_slice(%arg1)
        hal.return %x, %y, %z : index, index, index
      } attributes {subgroup_size = 64 : index, workgroup_size = [64 : index, 1 : index, 1 : index]}
      builtin.module {
        func.func @copy_dispatch_0() {
          %c0 = arith.constant 0 : index
          %c4 = arith.constant 4 : index
          %c8 = arith.constant 8 : index
          %c16 = arith.constant 16 : index
          %c32_i64 = arith.constant 32 : i64
          %thread_id_x = gpu.thread_id  x upper_bound 64
          %0 = hal.interface.constant.load layout(#pipeline_layout) ordinal(0) : i32
          %1 = hal.interface.constant.load layout(<constants = 2, bindings = [#hal.pipeline.binding<storage_buffer, "ReadOnly|Indirect">, #hal.pipeline.binding<storage_buffer, ReadOnly>, #hal.pipeline.binding<storage_buffer, Indirect>], flags = Indirect>) ordinal(1) : i32
          %2 = arith.extui %0 : i32 to i64
          %3 = arith.extui %1 : i32 to i64
          %4 = arith.shli %3, %c32_i64 : i64
          %5 = arith.ori %2, %4 : i64
          %6 = arith.index_castui %5 : i64 to index
          %7 = util.assume.int %6[<umin = 0, umax = 1024>, <umin = 128, umax = 128, udiv = 128>] : index
          %workgroup_id_x = hal.interface.workgroup.id[0] upper_bound 2147483647 : index
          %workgroup_size_x = hal.interface.workgroup.size[0] : index
          %workgroup_count_x = hal.interface.workgroup.count[0] upper_bound 2 : index
          %8 = arith.muli %workgroup_id_x, %workgroup_size_x : index
          %9 = arith.addi %8, %thread_id_x : index
          %10 = hal.interface.binding.subspan layout(#pipeline_layout) binding(0) alignment(64) offset(%c0) flags("ReadOnly|Indirect") {iree_gpu.use_rocdl_buffer_instructions} : memref<?xi32, #hal.descriptor_type<storage_buffer>>{%7}
          %11 = hal.interface.binding.subspan layout(#pipeline_layout) binding(1) alignment(64) offset(%c16) flags(ReadOnly) : memref<4xf32, strided<[1], offset: ?>, #hal.descriptor_type<storage_buffer>>
          %12 = hal.interface.binding.subspan layout(#pipeline_layout) binding(1) offset(%c8) : memref<f32, #hal.descriptor_type<storage_buffer>>
          %13 = hal.interface.binding.subspan layout(#pipeline_layout) binding(2) alignment(64) offset(%c0) flags(Indirect) : memref<128xf32, #hal.descriptor_type<storage_buffer>>
          %14 = memref.load %10[%9] : memref<?xi32, #hal.descriptor_type<storage_buffer>>
          %15 = arith.remui %9, %c4 : index
          %16 = memref.load %11[%15] : memref<4xf32, strided<[1], offset: ?>, #hal.descriptor_type<storage_buffer>>
          %17 = memref.load %12[] : memref<f32, #hal.descriptor_type<storage_buffer>>
          %18 = arith.sitofp %14 : i32 to f32
          %19 = arith.addf %18, %16 : f32
          %20 = arith.addf %19, %17 : f32
          memref.store %20, %13[%9] : memref<128xf32, #hal.descriptor_type<storage_buffer>>
          return
        }
        iree_codegen.dispatch_config @copy_dispatch_0 workgroup_size = [64, 1, 1] subgroup_size = 64 {
        ^bb0(%arg0: !hal.device):
          %c2 = arith.constant 2 : index
          %c1 = arith.constant 1 : index
          iree_codegen.yield %c2, %c1, %c1 : index, index, index
        }
      }
    }
  }
  util.func public @copy(%arg0: !hal.buffer_view) -> !hal.buffer_view attributes {iree.abi.stub} {
    %0 = stream.tensor.import on(#hal.device.affinity<@__device_0>) %arg0 : !hal.buffer_view -> tensor<128xi32> in !stream.resource<external>{%c512}
    util.return %0 : !hal.buffer_view
  }
}
