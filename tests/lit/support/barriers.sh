# barriers.sh KERNEL INPUTS PREFIX: relaxes and inserts the waits of INPUTS/KERNEL.s and runs each result, checked, with late and random loads.
kernel=$1 source=$2/$1.s prefix=$3
inflight waits --relax $source -o $prefix.relaxed.s
inflight waits --strip $source -o $prefix.stripped.s
inflight waits --insert $prefix.stripped.s -o $prefix.inserted.s
for edited in relaxed inserted; do
  inflight waits -Wall $prefix.$edited.s
  inflight asm $prefix.$edited.s -o $prefix.hsaco
  for delivery in latest random:1 random:2 random:3; do
    inflight run $prefix.hsaco --block 128 --arg $prefix.in.npy --arg zeros:128:i32 --arg i32:5 --check=all --delivery=$delivery \
      --expect 1=$prefix.$kernel.npy
  done
done
