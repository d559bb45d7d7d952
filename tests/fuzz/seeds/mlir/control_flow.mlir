2
gpu.module @m {
  gpu.func @collatz(%out: memref<64xi32>) kernel attributes {gpu.known_block_size = array<i32: 64, 1, 1>} {
    %t = gpu.thread_id x
    %ti = arith.index_cast %t : index to i32
    %one = arith.constant 1 : i32
    %zero = arith.constant 0 : i32
    %two = arith.constant 2 : i32
    %three = arith.constant 3 : i32
    %start = arith.addi %ti, %one : i32
    %r:2 = scf.while (%x = %start, %n = %zero) : (i32, i32) -> (i32, i32) {
      %more = arith.cmpi sgt, %x, %one : i32
      scf.condition(%more) %x, %n : i32, i32
    } do {
    ^bb0(%x: i32, %n: i32):
      %bit = arith.andi %x, %one : i32
      %even = arith.cmpi eq, %bit, %zero : i32
      %next = scf.if %even -> (i32) {
        %h = arith.shrui %x, %one : i32
        scf.yield %h : i32
      } else {
        %m = arith.muli %x, %three : i32
        %p = arith.addi %m, %one : i32
        scf.yield %p : i32
      }
      %n1 = arith.addi %n, %one : i32
      scf.yield %next, %n1 : i32, i32
    }
    %rem = arith.remui %ti, %three : i32
    %third = arith.cmpi eq, %rem, %zero : i32
    %result = scf.if %third -> (i32) {
      %neg = arith.subi %zero, %r#1 : i32
      scf.yield %neg : i32
    } else {
      scf.yield %r#1 : i32
    }
    memref.store %result, %out[%t] : memref<64xi32>
    gpu.return
  }
}
