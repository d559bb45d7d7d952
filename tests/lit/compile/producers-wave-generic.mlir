// Wave's wrappers in MLIR's generic form, as tools print them that don't know IREE's dialects: the host's function is
// left out all the same.
// RUN: %inflight compile -mcpu=gfx942 --verify-each %s -o %t.hsaco
// RUN: %inflight run %t.hsaco --check=all --arg arange:64:f32 --arg zeros:64:f32 --out 1=%t.npy
// RUN: %python -c "import numpy as n; a = n.load('%t.npy'); assert (a == 2 * n.arange(64)).all(), a"
module attributes {transform.with_named_sequence} {
  "stream.executable"() <{sym_name = "double", sym_visibility = "private"}> ({
    "stream.executable.export"() <{function_ref = @double, sym_name = "double", sym_visibility = "public"}> ({
      %c1 = arith.constant 1 : index
      "stream.return"(%c1, %c1, %c1) : (index, index, index) -> ()
    }) : () -> ()
    builtin.module {
      func.func @double(%arg0: !stream.binding, %arg1: !stream.binding) attributes {translation_info = #iree_codegen.translation_info<pipeline = None workgroup_size = [64, 1, 1] subgroup_size = 64>} {
        %c0 = arith.constant 0 : index
        %t = gpu.thread_id  x upper_bound 64
        %0 = "stream.binding.subspan"(%arg0, %c0) : (!stream.binding, index) -> memref<64xf32, strided<[1], offset: ?>>
        %1 = "stream.binding.subspan"(%arg1, %c0) : (!stream.binding, index) -> memref<64xf32, strided<[1], offset: ?>>
        %2 = memref.load %0[%t] : memref<64xf32, strided<[1], offset: ?>>
        %3 = arith.addf %2, %2 : f32
        memref.store %3, %1[%t] : memref<64xf32, strided<[1], offset: ?>>
        return
      }
    }
    "stream.executable.end"() : () -> ()
  }) : () -> ()
  func.func @isolated_benchmark$async(%arg0: !hal.buffer_view, %arg1: !hal.fence) -> !hal.buffer_view {
    %0 = "hal.tensor.import"(%arg0, %arg1) <{operandSegmentSizes = array<i32: 1, 0, 1>, target_encoding = tensor<64xf32>}> : (!hal.buffer_view, !hal.fence) -> tensor<64xf32>
    %1 = "hal.tensor.export"(%0) <{source_encoding = tensor<64xf32>}> : (tensor<64xf32>) -> !hal.buffer_view
    return %1 : !hal.buffer_view
  }
}
