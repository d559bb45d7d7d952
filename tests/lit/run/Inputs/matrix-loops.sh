#!/bin/bash
# matrix-loops.sh INFLIGHT PYTHON SCRIPT PREFIX
set -e
inflight=$1 python=$2 script=$3 prefix=$4
for chip in gfx942 gfx950; do
  for kernel in single double dma ahead dies; do
    $inflight compile -mcpu=$chip --verify-each $prefix.$kernel.mlir -o $prefix.$kernel.hsaco
    $inflight run $prefix.$kernel.hsaco --grid 2,2 --arg $prefix.a.npy --arg $prefix.b.npy --arg zeros:256x256:f32 --check=all --out 2=$prefix.c.npy
    $python $script check $prefix
  done
  $inflight compile -mcpu=$chip --verify-each $prefix.runtime.mlir -o $prefix.runtime.hsaco
  for kind in f16 i8; do
    for steps in 0 1 2 3 8 16; do
      type=$([ $kind = f16 ] && echo f32 || echo i32)
      $inflight run $prefix.runtime.hsaco --kernel runtime_$kind --grid 1 --arg $prefix.$kind.a.npy --arg $prefix.$kind.b.npy \
          --arg zeros:16x16:$type --arg i64:0 --arg i64:$steps --check=all --out 2=$prefix.$kind.c.npy
      $python $script check-runtime $prefix $kind $steps
    done
  done
done
