// Accesses beyond what the offset field of LDS instructions reaches share a register per 64 KiB.
// RUN: inflight compile -mcpu=gfx950 --verify-each --emit=asm %s -o - | FileCheck %s
// RUN: inflight compile -mcpu=gfx950 %s -o %t.hsaco
// RUN: %python -c "import numpy; numpy.save(r'%t.npy', numpy.tile(numpy.arange(64, dtype='i4').repeat(4), 3))"
// RUN: inflight run %t.hsaco --arg zeros:768:i32 --expect 0=%t.npy --check=all

// CHECK-LABEL: far:
// CHECK: v_lshlrev_b32{{(_e32)?}} [[NEAR:v[0-9]+]], 4,
// CHECK: v_{{.*}} [[FAR:v[0-9]+]], {{.*}}0x10000
// CHECK-DAG: ds_write_b128 [[NEAR]], {{.*}} offset:32768
// CHECK-DAG: ds_write_b128 [[FAR]], {{.*}} offset:12800
// CHECK-DAG: ds_write_b128 [[FAR]], {{.*}} offset:51200
// CHECK-DAG: ds_read_b128 {{.*}}, [[NEAR]] offset:32768
// CHECK-DAG: ds_read_b128 {{.*}}, [[FAR]] offset:12800
// CHECK-DAG: ds_read_b128 {{.*}}, [[FAR]] offset:51200
gpu.module @m {
  gpu.func @far(%out: memref<768xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %c4 = arith.constant 4 : index
    %c256 = arith.constant 256 : index
    %c512 = arith.constant 512 : index
    %c8192 = arith.constant 8192 : index
    %c19584 = arith.constant 19584 : index
    %c29184 = arith.constant 29184 : index
    %memory = memref.alloc() : memref<30000xi32, #gpu.address_space<workgroup>>
    %t = gpu.thread_id x
    %at = arith.muli %t, %c4 : index
    %number = arith.index_cast %t : index to i32
    %v = vector.broadcast %number : i32 to vector<4xi32>
    %a = arith.addi %at, %c8192 : index
    %b = arith.addi %at, %c19584 : index
    %c = arith.addi %at, %c29184 : index
    vector.store %v, %memory[%a] : memref<30000xi32, #gpu.address_space<workgroup>>, vector<4xi32>
    vector.store %v, %memory[%b] : memref<30000xi32, #gpu.address_space<workgroup>>, vector<4xi32>
    vector.store %v, %memory[%c] : memref<30000xi32, #gpu.address_space<workgroup>>, vector<4xi32>
    gpu.barrier
    %x = vector.load %memory[%a] : memref<30000xi32, #gpu.address_space<workgroup>>, vector<4xi32>
    %y = vector.load %memory[%b] : memref<30000xi32, #gpu.address_space<workgroup>>, vector<4xi32>
    %z = vector.load %memory[%c] : memref<30000xi32, #gpu.address_space<workgroup>>, vector<4xi32>
    vector.store %x, %out[%at] : memref<768xi32>, vector<4xi32>
    %at1 = arith.addi %at, %c256 : index
    vector.store %y, %out[%at1] : memref<768xi32>, vector<4xi32>
    %at2 = arith.addi %at, %c512 : index
    vector.store %z, %out[%at2] : memref<768xi32>, vector<4xi32>
    gpu.return
  }
}
