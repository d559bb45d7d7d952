// Atomics of OpenCL 2.0 with orders and scopes, in global and local memory, through generic pointers; a lock-free stack and a ticket lock.
// clang's builtins stand for the functions, whose generic forms older device libraries name differently.
#define atomic_init __opencl_atomic_init
#define atomic_fetch_add_explicit __opencl_atomic_fetch_add
#define atomic_fetch_max_explicit __opencl_atomic_fetch_max
#define atomic_fetch_xor_explicit __opencl_atomic_fetch_xor
#define atomic_load_explicit __opencl_atomic_load
#define atomic_store_explicit __opencl_atomic_store
#define ORDER memory_order_seq_cst, memory_scope_device
#define atomic_fetch_add(place, value) __opencl_atomic_fetch_add(place, value, ORDER)
#define atomic_fetch_min(place, value) __opencl_atomic_fetch_min(place, value, ORDER)
#define atomic_fetch_or(place, value) __opencl_atomic_fetch_or(place, value, ORDER)
#define atomic_load(place) __opencl_atomic_load(place, ORDER)
#define atomic_compare_exchange_weak(place, expected, value) \
  __opencl_atomic_compare_exchange_weak(place, expected, value, memory_order_seq_cst, ORDER)
kernel void counters(global atomic_int *ints, global atomic_ulong *longs, global atomic_uint *flags) {
  local atomic_int inside;
  if (get_local_id(0) == 0)
    atomic_init(&inside, 5);
  barrier(CLK_LOCAL_MEM_FENCE);
  int i = get_global_id(0);
  atomic_fetch_add_explicit(&ints[0], i, memory_order_relaxed, memory_scope_device);
  atomic_fetch_max_explicit(&ints[1], i * 7 % 101, memory_order_acq_rel, memory_scope_all_svm_devices);
  atomic_fetch_min(&ints[2], -(i * 5 % 77));
  atomic_fetch_add(&longs[0], (ulong)i << 33);
  atomic_fetch_xor_explicit(&longs[1], 1ul << (i & 63), memory_order_release, memory_scope_work_group);
  atomic_fetch_or(&flags[i / 32 % 8], 1u << (i & 31));
  // Lanes alternate between address spaces behind one pointer.
  atomic_int *where = (i & 1) ? (atomic_int *)&inside : (atomic_int *)&ints[3];
  atomic_fetch_add(where, 1);
  barrier(CLK_LOCAL_MEM_FENCE);
  if (get_local_id(0) == 0)
    atomic_fetch_add(&ints[4], atomic_load(&inside));
}
kernel void stack_push(global atomic_int *head, global int *next) {
  int node = get_global_id(0), old = atomic_load(head);
  do
    next[node] = old;
  while (!atomic_compare_exchange_weak(head, &old, node));
}
kernel void ticket_lock(global atomic_int *lock, global int *shared, int rounds) {
  // One work-item a group takes the lock: tickets in [0], now serving in [1].
  if (get_local_id(0) == 0)
    for (int r = 0; r < rounds; ++r) {
      int mine = atomic_fetch_add_explicit(&lock[0], 1, memory_order_relaxed, memory_scope_device);
      while (atomic_load_explicit(&lock[1], memory_order_acquire, memory_scope_device) != mine)
        ;
      shared[0] = shared[0] * 3 + 1;
      shared[1] += get_group_id(0);
      atomic_store_explicit(&lock[1], mine + 1, memory_order_release, memory_scope_device);
    }
}
