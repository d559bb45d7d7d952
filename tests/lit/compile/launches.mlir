// Kernels that stand in gpu.launch, beside the host's code, are compiled for themselves; two in one function have names of their own.
// RUN: %inflight compile -mcpu=gfx942 %s -o %t.hsaco
// RUN: %inflight info %t.hsaco | FileCheck %s
// RUN: %inflight run %t.hsaco --kernel host_kernel --arg arange:5:f32 --arg arange:5:f32 --out 1=%t.npy --check=all
// RUN: %inflight run %t.hsaco --kernel host_kernel_0 --arg %t.npy --arg zeros:5:f32 --expect 1=%t.npy,0,0 --check=all
// RUN: %python -c "import numpy, sys; assert numpy.load(sys.argv[1]).tolist() == [0, 3, 6, 9, 12]" %t.npy

// CHECK: {{^}}  host_kernel{{$}}
// CHECK-NEXT: 5,1,1 lanes per workgroup
// CHECK: {{^}}  host_kernel_0{{$}}

func.func @host(%from: memref<5xf32>, %to: memref<5xf32>) {
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %two = arith.constant 2.0 : f32
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c5, %sy = %c1, %sz = %c1) {
    %a = memref.load %from[%tx] : memref<5xf32>
    %b = memref.load %to[%tx] : memref<5xf32>
    %twice = arith.mulf %a, %two : f32
    %sum = arith.addf %twice, %b : f32
    memref.store %sum, %to[%tx] : memref<5xf32>
    gpu.terminator
  }
  gpu.launch blocks(%bx, %by, %bz) in (%gx = %c1, %gy = %c1, %gz = %c1)
             threads(%tx, %ty, %tz) in (%sx = %c5, %sy = %c1, %sz = %c1) {
    %a = memref.load %from[%tx] : memref<5xf32>
    memref.store %a, %to[%tx] : memref<5xf32>
    gpu.terminator
  }
  return
}

func.func @main() {
  %from = memref.alloc() : memref<5xf32>
  %to = memref.alloc() : memref<5xf32>
  call @host(%from, %to) : (memref<5xf32>, memref<5xf32>) -> ()
  call @print(%to) : (memref<5xf32>) -> ()
  return
}
func.func private @print(memref<5xf32>)
