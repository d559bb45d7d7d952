// RUN: %inflight compile -mcpu=gfx942 --emit=asm --verify-each %s -o - | FileCheck %s
// RUN: %inflight compile -mcpu=gfx90a %s -o %t.hsaco
// RUN: %inflight run %t.hsaco --kernel splat --check=all --arg arange:128:f16 --arg arange:64:f16 --arg zeros:128:f16 --out 2=%t.npy
// RUN: %python -c "import numpy as np; o = np.load('%t.npy').reshape(64, 2); i = np.arange(128, dtype=np.float16).reshape(64, 2); assert (o == i + np.arange(64, dtype=np.float16)[:, None]).all(), o"
// RUN: %inflight run %t.hsaco --kernel exchange --check=all --arg arange:64:f16 --arg zeros:64:f16 --out 1=%t.npy
// RUN: %python -c "import numpy as np; o = np.load('%t.npy'); assert (o == (np.arange(64) ^ 4)).all(), o"

gpu.module @m {
  // Two halves of one word are chosen by op_sel.
  // CHECK-LABEL: splat:
  // CHECK-NOT: v_perm
  // CHECK: v_pk_add_f16 v{{.*}} op_sel_hi:[1,0]
  gpu.func @splat(%x: memref<128xf16>, %s: memref<64xf16>, %o: memref<128xf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c2 = arith.constant 2 : index
    %i = arith.muli %t, %c2 : index
    %a = vector.load %x[%i] : memref<128xf16>, vector<2xf16>
    %b = memref.load %s[%t] : memref<64xf16>
    %c = vector.broadcast %b : f16 to vector<2xf16>
    %d = arith.addf %a, %c : vector<2xf16>
    vector.store %d, %o[%i] : memref<128xf16>, vector<2xf16>
    gpu.return
  }
  // What is above a half is of no interest to an exchange.
  // CHECK-LABEL: exchange:
  // CHECK-NOT: v_perm_b32 v{{[0-9]+}}, 0
  // CHECK: s_endpgm
  gpu.func @exchange(%x: memref<64xf16>, %o: memref<64xf16>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %c4 = arith.constant 4 : i32
    %c64 = arith.constant 64 : i32
    %a = vector.load %x[%t] : memref<64xf16>, vector<1xf16>
    %b, %valid = gpu.shuffle xor %a, %c4, %c64 : vector<1xf16>
    vector.store %b, %o[%t] : memref<64xf16>, vector<1xf16>
    gpu.return
  }
}
