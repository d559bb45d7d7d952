// Scalar memory: loads, stores and atomics through an address or a buffer descriptor in SGPRs.
#include "machine/handlers/Register.h"
#include "machine/wave/KernelBytes.h"

namespace inflight::machine::SIMD_LEVEL {

namespace {
/// The offset besides the base: an immediate, an SGPR, or both.
u32 registerOffset(const Wave &w, const Op &op) {
  return op.flags & flag::HasSaddr ? scalarSource(w, op.source[1]) : 0;
}
u64 addressOf(const Wave &w, const Op &op) {
  return (w.s64(op.source[0].index) + u64(i64(op.immediate)) + registerOffset(w, op)) & ~u64(3);
}

/// A buffer that scalar instructions see: never swizzled, checked dword by dword.
struct ScalarBuffer {
  u64 base, size;
  u32 offset;
};
ScalarBuffer bufferOf(const Wave &w, const Op &op) {
  const u32 *d = &w.s[op.source[0].index];
  const u64 stride = d[1] >> 16 & 0x3fff;
  return {d[0] | u64(d[1] & 0xffff) << 32, stride ? u64(d[2]) * stride : d[2],
          (u32(op.immediate) + registerOffset(w, op)) & ~3u};
}

void reportStore(Wave &w, u64 address, unsigned bytes) {
  if (w.observer) [[unlikely]]
    w.observer->scalarStore(w, address, bytes);
  if (w.memory->contains(address, 1)) // not scratch
    w.memory->noteStore();
}
void load(Wave &w, const Op &op) {
  const u64 address = addressOf(w, op);
  const unsigned bytes = 4 * op.aux;
  const bool isHeldInPart = op.flags & flag::Exchanged && w.memory->heldBits(address);
  if (!w.memory->contains(address, bytes) && !isHeldInPart && !w.memory->isReadable(address, bytes))
    return w.outside(op, "scalar load", address);
  if (w.observer) [[unlikely]]
    w.observer->scalar(w, address, bytes);
  copyKernelBytes(&w.s[op.destination], w.memory->pointer(address), bytes);
}
void store(Wave &w, const Op &op) {
  const u64 address = addressOf(w, op);
  const unsigned bytes = 4 * op.aux;
  if (!w.memory->contains(address, bytes))
    return w.outside(op, "scalar store", address);
  reportStore(w, address, bytes);
  copyKernelBytes(w.memory->pointer(address), &w.s[op.destination], bytes);
}
/// Dwords out of the buffer's range read zero and aren't written.
template <bool IsStore> void bufferAccess(Wave &w, const Op &op) {
  const ScalarBuffer b = bufferOf(w, op);
  if (!IsStore && w.observer) [[unlikely]]
    w.observer->scalar(w, b.base + b.offset,
                       b.offset < b.size ? unsigned(std::min<u64>(u64(4) * op.aux, b.size - b.offset)) : 0);
  u32 words[16] = {};
  for (unsigned i = 0; i < op.aux; ++i) {
    const u64 at = b.offset + 4 * u64(i);
    if (at + 4 > b.size)
      continue;
    if (!w.memory->contains(b.base + at, 4) && (IsStore || !w.memory->isReadable(b.base + at, 4)))
      return w.outside(op, "scalar buffer access", b.base + at);
    if (IsStore) {
      reportStore(w, b.base + at, 4);
      copyKernelBytes(w.memory->pointer(b.base + at), &w.s[op.destination + i], 4);
    } else
      copyKernelBytes(&words[i], w.memory->pointer(b.base + at), 4);
  }
  // Only now: the destination may be where the descriptor is.
  if (!IsStore)
    std::memcpy(&w.s[op.destination], words, size_t(4) * op.aux);
}

/// S_SCRATCH: the base is that of the wave's scratch, the register's offset counts in 64 bytes.
template <bool IsStore> void scratchAccess(Wave &w, const Op &op) {
  const u64 address = (w.s64(op.source[0].index) + u64(i64(op.immediate)) + 64 * u64(registerOffset(w, op))) & ~u64(3);
  const unsigned bytes = 4 * op.aux;
  const u64 scratch = reinterpret_cast<u64>(w.scratch), size = u64(w.scratchBytes) * Lanes;
  const bool inScratch = address - scratch < size && size - (address - scratch) >= bytes;
  if (!inScratch && !w.memory->contains(address, bytes))
    return w.fault(op, "scalar scratch access outside scratch and every allocation", Fault::Memory);
  if (IsStore) {
    reportStore(w, address, bytes);
    copyKernelBytes(hostMemory(address), &w.s[op.destination], bytes);
  } else
    copyKernelBytes(&w.s[op.destination], hostMemory(address), bytes);
}

/// The operand is in SDATA, after it what cmpswap compares with; with GLC the old value comes back there.
template <typename T, auto Apply, bool IsBuffer> void atomic(Wave &w, const Op &op) {
  u64 address;
  if constexpr (IsBuffer) {
    const ScalarBuffer b = bufferOf(w, op);
    if (u64(b.offset) + sizeof(T) > b.size) {
      if (op.word[0] >> 16 & 1)
        std::memset(&w.s[op.destination], 0, sizeof(T));
      return;
    }
    address = b.base + b.offset;
  } else {
    address = addressOf(w, op);
  }
  if (!w.memory->contains(address, sizeof(T)))
    return w.outside(op, "scalar atomic", address);
  if (address % sizeof(T))
    return w.fault(op, "misaligned scalar atomic", Fault::Memory);
  reportStore(w, address, sizeof(T));
  T operand, compare, *cell = reinterpret_cast<T *>(w.memory->pointer(address));
  std::memcpy(&operand, &w.s[op.destination], sizeof(T));
  std::memcpy(&compare, &w.s[op.destination + sizeof(T) / 4], sizeof(T));
  T old = __atomic_load_n(cell, __ATOMIC_SEQ_CST);
  while (!__atomic_compare_exchange_n(cell, &old, T(Apply(old, operand, compare)), false, __ATOMIC_SEQ_CST,
                                      __ATOMIC_SEQ_CST))
    ;
  if (op.word[0] >> 16 & 1)
    std::memcpy(&w.s[op.destination], &old, sizeof(T));
}
template <typename T, auto Apply> void addAtomic(HandlerTable &table, const std::string &name) {
  const char *suffix = sizeof(T) == 8 ? "_x2" : "";
  add(table, "s_atomic_" + name + suffix, atomic<T, Apply, false>, {64, 32, 32});
  add(table, "s_buffer_atomic_" + name + suffix, atomic<T, Apply, true>, {64, 32, 32});
}
template <auto Apply> void addAtomics(HandlerTable &table, const char *name) {
  addAtomic<u32, [](u32 o, u32 v, u32 c) { return Apply(o, v, c); }>(table, name);
  addAtomic<u64, [](u64 o, u64 v, u64 c) { return Apply(o, v, c); }>(table, name);
}
template <typename T> std::make_signed_t<T> asSigned(T x) { return std::make_signed_t<T>(x); }

/// Without a clock, time is the number of instructions.
template <bool Real> void memtime(Wave &w, const Op &op) {
  u64 ticks = 0;
  if (const Clock *clock = w.group->clock)
    ticks = Real ? u64(double(clock->cycles) * clock->realTicksPerCycle) : clock->cycles;
  else
    ticks = w.instructions();
  w.setS64(op.destination, ticks);
}
} // namespace

void registerScalarMemory(HandlerTable &table) {
  for (auto [suffix, count] : {std::pair("", 1), {"x2", 2}, {"x4", 4}, {"x8", 8}, {"x16", 16}}) {
    const std::string dword = std::string("dword") + suffix;
    add(table, "s_load_" + dword, load, {64, 32, 32}, count);
    add(table, "s_buffer_load_" + dword, bufferAccess<false>, {64, 32, 32}, count);
    if (count > 4)
      continue;
    add(table, "s_store_" + dword, store, {64, 32, 32}, count);
    add(table, "s_buffer_store_" + dword, bufferAccess<true>, {64, 32, 32}, count);
    add(table, "s_scratch_load_" + dword, scratchAccess<false>, {64, 32, 32}, count);
    add(table, "s_scratch_store_" + dword, scratchAccess<true>, {64, 32, 32}, count);
  }
  addAtomics<[](auto, auto v, auto) { return v; }>(table, "swap");
  addAtomics<[](auto o, auto v, auto c) { return o == c ? v : o; }>(table, "cmpswap");
  addAtomics<[](auto o, auto v, auto) { return o + v; }>(table, "add");
  addAtomics<[](auto o, auto v, auto) { return o - v; }>(table, "sub");
  addAtomics<[](auto o, auto v, auto) { return asSigned(o) < asSigned(v) ? o : v; }>(table, "smin");
  addAtomics<[](auto o, auto v, auto) { return asSigned(o) > asSigned(v) ? o : v; }>(table, "smax");
  addAtomics<[](auto o, auto v, auto) { return std::min(o, v); }>(table, "umin");
  addAtomics<[](auto o, auto v, auto) { return std::max(o, v); }>(table, "umax");
  addAtomics<[](auto o, auto v, auto) { return o & v; }>(table, "and");
  addAtomics<[](auto o, auto v, auto) { return o | v; }>(table, "or");
  addAtomics<[](auto o, auto v, auto) { return o ^ v; }>(table, "xor");
  addAtomics<[](auto o, auto v, auto) { return o >= v ? decltype(o)(0) : decltype(o)(o + 1); }>(table, "inc");
  addAtomics<[](auto o, auto v, auto) { return o == 0 || o > v ? v : decltype(o)(o - 1); }>(table, "dec");
  add(table, "s_memtime", memtime<false>);
  add(table, "s_memrealtime", memtime<true>);
  // Hints to caches; functional memory is coherent.
  for (const char *name : {"s_dcache_discard", "s_dcache_discard_x2", "s_atc_probe", "s_atc_probe_buffer"})
    add(table, name, [](Wave &, const Op &) {});
}

} // namespace inflight::machine::SIMD_LEVEL
