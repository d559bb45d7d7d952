// Locations as producers print them: files, names, fused ones, calls; files that aren't there, and none.
#kernel = loc("locations.py":1:1)
#load = loc("locations.py":2:9)
#mul = loc("locations.py":3:9)
#helper = loc("locations.py":4:9)
#caller = loc("gone.py":100:1)
gpu.module @m {
  gpu.func @loaded(%x: memref<64xf32>, %y: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.thread_id x loc(#kernel)
    %a = memref.load %x[%i] : memref<64xf32> loc("a"(#load))
    %b = arith.mulf %a, %a : f32 loc(fused<"pass">[unknown, #mul])
    %c = math.sqrt %b : f32 loc(callsite(#helper at #caller))
    memref.store %c, %y[%i] : memref<64xf32> loc("locations.py":5:5 to :12)
    gpu.return loc(#kernel)
  } loc(#kernel)
  gpu.func @nowhere(%x: memref<64xf32>, %y: memref<64xf32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %i = gpu.thread_id x loc(unknown)
    %a = memref.load %x[%i] : memref<64xf32> loc("")
    memref.store %a, %y[%i] : memref<64xf32> loc("no line":0:0)
    gpu.return loc("line":4294967295:70000)
  } loc(unknown)
} loc(unknown)
