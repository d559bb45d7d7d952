// --remarks says what limits a kernel, where in the source: occupancy, register pressure, spills, loops.
// RUN: %inflight compile --remarks %s -o %t.hsaco 2>&1 | FileCheck %s
// RUN: %inflight compile --remarks=%t.yaml %s -o %t.hsaco 2>&1 | FileCheck %s --check-prefix=SILENT --allow-empty
// RUN: FileCheck %s --check-prefix=YAML --input-file=%t.yaml
// RUN: %inflight compile --remarks --max-registers=102,16,0 --verify-each %s -o %t.hsaco 2>&1 | FileCheck %s --check-prefix=SPILL
// RUN: %inflight compile --remarks --max-registers=102,16,64 --verify-each %s -o %t.hsaco 2>&1 | FileCheck %s --check-prefix=AGPRS
// RUN: %inflight compile %s -o %t.hsaco 2>&1 | FileCheck %s --check-prefix=SILENT --allow-empty
// SILENT-NOT: remark
gpu.module @m {
  // 24 KiB of LDS leave room for two workgroups.
  // CHECK-DAG: remarks.mlir:[[@LINE+1]]:3: remark: kernel 'lds': {{[0-9]+}} VGPRs, 0 AGPRs, {{[0-9]+}} SGPRs, 24576 bytes of LDS, 0 bytes of scratch per lane, 0 VGPRs and 0 SGPRs spilled [-Rpass-analysis=kernel-resource-usage]
  gpu.func @lds(%to: memref<256xf32>) workgroup(%buffer: memref<6144xf32, #gpu.address_space<workgroup>>) kernel attributes {gpu.known_block_size = array<i32: 256, 1, 1>} {
    // CHECK-DAG: remark: occupancy: 2 workgroups of 4 waves on a CU, 8 of 32 waves [-Rpass-analysis=occupancy]
    // CHECK-DAG: remark: occupancy is limited by LDS: one more workgroup would need at most 21504 bytes of LDS per workgroup (now 24576) [-Rpass-missed=occupancy]
    %t = gpu.thread_id x
    %c1 = arith.constant 1 : index
    %c0 = arith.constant 0 : index
    %c3 = arith.constant 3 : index
    %c1000 = arith.constant 1000 : index
    %zero = arith.constant 0.0 : f32
    %u = arith.addi %t, %c1 : index
    memref.store %zero, %buffer[%t] : memref<6144xf32, #gpu.address_space<workgroup>>
    gpu.barrier
    // CHECK-DAG: remarks.mlir:[[@LINE+1]]:10: remark: completely unrolled loop with 3 iterations [-Rpass=unroll]
    %a = scf.for %k = %c0 to %c3 step %c1 iter_args(%s = %zero) -> (f32) {
      %v = memref.load %buffer[%u] : memref<6144xf32, #gpu.address_space<workgroup>>
      %n = arith.addf %s, %v : f32
      scf.yield %n : f32
    }
    // CHECK-DAG: remarks.mlir:[[@LINE+1]]:5: remark: loop isn't unrolled: 1000 iterations are more than 64 [-Rpass-missed=unroll]
    scf.for %k = %c0 to %c1000 step %c1 {
      gpu.barrier
      memref.store %a, %buffer[%t] : memref<6144xf32, #gpu.address_space<workgroup>>
    }
    // CHECK-DAG: remarks.mlir:[[@LINE+1]]:5: remark: loop isn't unrolled: its number of iterations isn't constant [-Rpass-missed=unroll]
    scf.for %k = %c0 to %t step %c1 {
      memref.store %a, %to[%k] : memref<256xf32>
    }
    gpu.return
  }
  // 160 vector registers are live at once: three waves a SIMD.
  // CHECK-DAG: remark: kernel 'registers': 1{{[67][0-9]}} VGPRs
  gpu.func @registers(%from: memref<64x160xf32>, %to: memref<64x160xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    // CHECK-DAG: remark: occupancy: 12 workgroups of 1 wave on a CU, 12 of 32 waves
    // CHECK-DAG: remark: occupancy is limited by VGPRs: one more workgroup would need at most 128 VGPRs per wave, AGPRs included (now {{1[67][0-9]}})
    %t = gpu.thread_id x
    %c0 = arith.constant 0 : index
    %pad = arith.constant 0.0 : f32
    // CHECK-DAG: remarks.mlir:[[@LINE+3]]:10: remark: values defined here take {{16[0-9]}} of the {{16[0-9]}} vector registers live at {{[0-9]+}}:{{[0-9]+}}, where most are [-Rpass-analysis=regalloc]
    // SPILL-DAG: remarks.mlir:[[@LINE+2]]:10: remark: 4 registers spilled to scratch, read back at [[@LINE+4]]:5 [-Rpass-missed=regalloc]
    // AGPRS-DAG: remarks.mlir:[[@LINE+1]]:10: remark: 4 registers kept in AGPRs{{.*}} [-Rpass-analysis=regalloc]
    %v = vector.transfer_read %from[%t, %c0], %pad {in_bounds = [true]} : memref<64x160xf32>, vector<160xf32>
    gpu.barrier
    vector.transfer_write %v, %to[%t, %c0] {in_bounds = [true]} : vector<160xf32>, memref<64x160xf32>
    gpu.return
  }
}
// YAML: --- !Passed
// YAML-NEXT: Pass:            unroll
// YAML-NEXT: Name:            FullyUnrolled
// YAML: Function:        lds
// YAML: UnrollCount:     '3'
// YAML: Name:            Occupancy
// YAML: Pass:            occupancy
// YAML-NEXT: Name:            LimitedByLDS
// YAML: Most:            '21504'
