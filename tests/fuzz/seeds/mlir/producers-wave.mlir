0
#map = affine_map<()[s0, s1] -> (s0 + s1 * 128)>
#translation = #iree_codegen.translation_info<pipeline = None workgroup_size = [128, 1, 1] subgroup_size = 64, {llvm_func_attrs = {"amdgpu-waves-per-eu" = "2"}}>
module attributes {transform.with_named_sequence} {
  stream.executable private @scale {
    stream.executable.export public @scale workgroups(%arg0: index) -> (index, index, index) {
      %c2 = arith.constant 2 : index
      %c1 = arith.constant 1 : index
      stream.return %c2, %c1, %c1 : index, index, index
    }
    builtin.module {
      func.func @scale(%arg0: !stream.binding, %arg1: !stream.binding, %arg2: !stream.binding, %arg3: index) attributes {translation_info = #translation} {
        %c0 = arith.constant 0 : index
        %c1 = arith.constant 1 : index
        %c2 = arith.constant 2 : index
        %c256 = arith.constant 256 : index
        %block_id_x = gpu.block_id  x upper_bound 2
        %thread_id_x = gpu.thread_id  x upper_bound 128
        %0 = affine.apply #map()[%thread_id_x, %block_id_x]
        %1 = stream.binding.subspan %arg0[%c0] : !stream.binding -> memref<f16>
        %2 = memref.reinterpret_cast %1 to offset: [0], sizes: [256], strides: [1] : memref<f16> to memref<256xf16, strided<[1], offset: ?>>
        %3 = memref.load %2[%0] : memref<256xf16, strided<[1], offset: ?>>
        %4 = stream.binding.subspan %arg1[%c0] : !stream.binding -> memref<128x2xi32, strided<[2, 1], offset: ?>>
        %5 = arith.divui %0, %c2 : index
        %6 = memref.load %4[%5, %c1] : memref<128x2xi32, strided<[2, 1], offset: ?>>
        %7 = arith.index_cast %arg3 : index to i32
        %8 = arith.sitofp %7 : i32 to f16
        %9 = arith.mulf %3, %8 : f16
        %10 = arith.sitofp %6 : i32 to f16
        %11 = arith.addf %9, %10 : f16
        %12 = stream.binding.subspan %arg2[%c0] : !stream.binding -> memref<?xf16>{%c256}
        memref.store %11, %12[%0] : memref<?xf16>
        return
      }
    }
  }
  func.func @isolated_benchmark$async(%arg0: !hal.buffer_view, %arg1: !hal.fence, %arg2: !hal.fence) -> !hal.buffer_view {
    %0 = hal.tensor.import wait(%arg1) => %arg0 : !hal.buffer_view -> tensor<256xf16>
    %1 = flow.dispatch @scale::@scale(%0) : (tensor<256xf16>) -> %0
    %2 = hal.tensor.barrier join(%1 : tensor<256xf16>) => %arg2 : !hal.fence
    %3 = hal.tensor.export %2 : tensor<256xf16> -> !hal.buffer_view
    return %3 : !hal.buffer_view
  }
}
