// RUN: %inflight compile -mcpu=gfx942 --verify-each --emit=asm %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
// RUN: %inflight run %t.hsaco --kernel copy --grid 2 --check=all --arg random:1024:f16:1 --arg zeros:1024:f16 --arg i64:1003 --out 0=%t.in.npy --out 1=%t.npy
// RUN: %python -c "import numpy as np; o = np.load('%t.npy'); x = np.load('%t.in.npy'); e = np.where(np.arange(1024) < 1003, x, 0); assert (o == e).all(), np.nonzero(o != e)"
// RUN: %inflight run %t.hsaco --kernel copy --grid 2 --check=all --arg random:1024:f16:1 --arg zeros:1024:f16 --arg i64:1024 --out 0=%t.in.npy --out 1=%t.npy
// RUN: %python -c "import numpy as np; assert (np.load('%t.npy') == np.load('%t.in.npy')).all()"
// RUN: %inflight run %t.hsaco --kernel bytes --check=all --arg random:256:i8:1 --arg zeros:256:i8 --arg i64:137 --out 0=%t.in.npy --out 1=%t.npy
// RUN: %python -c "import numpy as np; o = np.load('%t.npy'); x = np.load('%t.in.npy'); e = np.where(np.arange(256) < 137, x, 7); assert (o == e).all(), o"
// RUN: %inflight run %t.hsaco --kernel overflow --check=all --arg arange:256:i32 --arg zeros:256:i32 --arg i64:9223372036854775806 --out 1=%t.npy
// RUN: %python -c "import numpy as np; o = np.load('%t.npy'); i = np.arange(256); assert (o == np.where(i %% 4 == 1, -1, i)).all(), o"
// RUN: %inflight run %t.hsaco --kernel doubled --check=all --arg random:50:f32:1 --out 0=%t.npy
// RUN: %inflight run %t.hsaco --kernel plain --arg random:50:f32:1 --out 0=%t.in.npy
// RUN: %python -c "import numpy as np; assert (np.load('%t.npy') == 2 * np.load('%t.in.npy')).all()"

// Lanes with all elements load and store once; most waves have no other and pass by what is for those at the edge. These
// load every element, all of which are in flight together, and then pack them. 3 elements before the end of the memory
// loads go element by element, too.
// CHECK-LABEL: copy:
// CHECK: s_cbranch_execz
// CHECK: s_and_saveexec_b64
// CHECK-NEXT: buffer_load_dwordx2
// CHECK: s_cbranch_execz
// CHECK: s_and_saveexec_b64
// CHECK-NEXT: buffer_load_ushort
// CHECK-NOT: s_waitcnt vmcnt
// CHECK-NOT: s_cbranch
// CHECK: s_and_b64 exec,
// CHECK-NEXT: buffer_load_ushort
// CHECK: s_and_b64 exec,
// CHECK-NEXT: buffer_load_ushort
// CHECK: v_perm_b32
// CHECK: buffer_load_dwordx2
// CHECK: s_and_saveexec_b64
// CHECK-NEXT: s_waitcnt vmcnt(0)
// CHECK-NEXT: buffer_store_dwordx2
// CHECK: s_cbranch_execz
// CHECK: buffer_store_short
// CHECK: buffer_store_short_d16_hi
// CHECK: s_endpgm
gpu.module @m {
  gpu.func @copy(%x: memref<1024xf16>, %o: memref<1024xf16>, %n: index) kernel attributes {gpu.known_block_size = array<i32: 128, 1, 1>} {
    %t = gpu.thread_id x
    %b = gpu.block_id x
    %i = affine.apply affine_map<(t, b) -> (t * 4 + b * 512)>(%t, %b)
    %steps = arith.constant dense<[0, 1, 2, 3]> : vector<4xindex>
    %first = vector.broadcast %i : index to vector<4xindex>
    %places = arith.addi %first, %steps : vector<4xindex>
    %limit = vector.broadcast %n : index to vector<4xindex>
    %mask = arith.cmpi slt, %places, %limit : vector<4xindex>
    %zero = arith.constant dense<0.0> : vector<4xf16>
    %v = vector.maskedload %x[%i], %mask, %zero : memref<1024xf16>, vector<4xi1>, vector<4xf16> into vector<4xf16>
    vector.maskedstore %o[%i], %mask, %v : memref<1024xf16>, vector<4xi1>, vector<4xf16>
    gpu.return
  }
  gpu.func @bytes(%x: memref<256xi8>, %o: memref<256xi8>, %n: index) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(t) -> (t * 4)>(%t)
    %left = arith.subi %n, %i : index
    %mask = vector.create_mask %left : vector<4xi1>
    %sevens = arith.constant dense<7> : vector<4xi8>
    %v = vector.maskedload %x[%i], %mask, %sevens : memref<256xi8>, vector<4xi1>, vector<4xi8> into vector<4xi8>
    vector.store %v, %o[%i] : memref<256xi8>, vector<4xi8>
    gpu.return
  }
  // What the branch of the store computes needs the branch of the load.
  gpu.func @doubled(%x: memref<50xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c50 = arith.constant 50 : index
    %in = arith.cmpi slt, %t, %c50 : index
    %mask = vector.broadcast %in : i1 to vector<1xi1>
    %zero = arith.constant dense<0.0> : vector<1xf32>
    %v = vector.maskedload %x[%t], %mask, %zero : memref<50xf32>, vector<1xi1>, vector<1xf32> into vector<1xf32>
    %d = arith.addf %v, %v : vector<1xf32>
    vector.maskedstore %x[%t], %mask, %d : memref<50xf32>, vector<1xi1>, vector<1xf32>
    gpu.return
  }
  gpu.func @plain(%x: memref<50xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    gpu.return
  }
  // The last sum overflows and is below the limit; the second one isn't.
  gpu.func @overflow(%x: memref<256xi32>, %o: memref<256xi32>, %from: index) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %i = affine.apply affine_map<(t) -> (t * 4)>(%t)
    %steps = arith.constant dense<[0, 1, 2, 3]> : vector<4xindex>
    %first = vector.broadcast %from : index to vector<4xindex>
    %places = arith.addi %first, %steps : vector<4xindex>
    %limit = arith.constant dense<9223372036854775807> : vector<4xindex>
    %mask = arith.cmpi slt, %places, %limit : vector<4xindex>
    %others = arith.constant dense<-1> : vector<4xi32>
    %v = vector.maskedload %x[%i], %mask, %others : memref<256xi32>, vector<4xi1>, vector<4xi32> into vector<4xi32>
    vector.store %v, %o[%i] : memref<256xi32>, vector<4xi32>
    gpu.return
  }
}
