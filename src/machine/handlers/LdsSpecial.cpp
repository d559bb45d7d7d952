// DS instructions that exchange two places, address by lane, or count for the whole wave.
#include "machine/handlers/LaneMemory.h"

namespace inflight::machine::SIMD_LEVEL {

namespace {
/// The place of a lane, or null (and a word to the observer) beyond the allocation.
u8 *placeOf(Wave &w, u32 address, unsigned bytes, unsigned lane) {
  if (u64(address) + bytes <= w.group->lds.size())
    return w.group->lds.data() + address;
  if (w.observer) [[unlikely]]
    w.observer->outOfLds(w, u64(1) << lane);
  return nullptr;
}
template <typename T> T registers(Wave &w, unsigned reg, unsigned lane) {
  T value = w.vgpr(reg)[lane];
  if constexpr (sizeof(T) == 8)
    value |= u64(w.vgpr(reg + 1)[lane]) << 32;
  return value;
}
template <typename T> void setRegisters(Wave &w, unsigned reg, unsigned lane, T value) {
  w.vgpr(reg)[lane] = u32(value);
  if constexpr (sizeof(T) == 8)
    w.vgpr(reg + 1)[lane] = u32(u64(value) >> 32);
}

/// Two exchanges, each with an offset in elements or 64 elements.
template <typename T, unsigned Unit> void exchange2(Wave &w, const Op &op) {
  LaneAddresses reported[2]{};
  // All places first: the results may go where the addresses are.
  for (int k = 0; k < 2; ++k)
    for (unsigned lane = 0; lane < Lanes; ++lane)
      if (w.exec() >> lane & 1)
        reported[k].at[lane] = reinterpret_cast<u64>(
            placeOf(w, w.vgpr(op.source[0].index)[lane] + (op.word[0] >> (8 * k) & 0xff) * u32(sizeof(T)) * Unit,
                    sizeof(T), lane));
  T old[2][Lanes] = {};
  for (unsigned lane = 0; lane < Lanes; ++lane)
    for (int k = 0; k < 2; ++k)
      if (u8 *at = hostMemory(reported[k].at[lane])) {
        std::memcpy(&old[k][lane], at, sizeof(T));
        const T data = registers<T>(w, op.source[1 + k].index, lane);
        std::memcpy(at, &data, sizeof(T));
      }
  for (unsigned lane = 0; lane < Lanes; ++lane)
    if (w.exec() >> lane & 1)
      for (int k = 0; k < 2; ++k)
        setRegisters<T>(w, op.destination + k * sizeof(T) / 4, lane, old[k][lane]);
  for (LaneAddresses &addresses : reported)
    report(w, addresses, sizeof(T), AccessObserver::Kind::Atomic);
}

/// Two words, each written without its highest bit if the data has that set.
void conditionalExchange(Wave &w, const Op &op) {
  LaneAddresses reported{};
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    if (!(w.exec() >> lane & 1))
      continue;
    const u32 address = (w.vgpr(op.source[0].index)[lane] + u32(op.immediate)) & ~u32(7);
    u64 old = 0, next;
    const u64 data = registers<u64>(w, op.source[1].index, lane);
    if (u8 *at = placeOf(w, address, 8, lane)) {
      reported.at[lane] = reinterpret_cast<u64>(at);
      std::memcpy(&old, at, 8);
      next = old;
      for (u64 word : {u64(0xffffffff), ~u64(0xffffffff)})
        if (data & word & 0x8000000080000000)
          next = (next & ~word) | (data & word & 0x7fffffff7fffffff);
      std::memcpy(at, &next, 8);
    }
    setRegisters<u64>(w, op.destination, lane, old);
  }
  report(w, reported, 8, AccessObserver::Kind::Atomic);
}

/// The operand is taken off a value that is large enough; else the second one is added.
void wrap(Wave &w, const Op &op) {
  LaneAddresses reported{};
  for (unsigned lane = 0; lane < Lanes; ++lane) {
    if (!(w.exec() >> lane & 1))
      continue;
    u32 old = 0;
    const u32 data = w.vgpr(op.source[1].index)[lane], second = w.vgpr(op.source[2].index)[lane];
    if (u8 *at = placeOf(w, w.vgpr(op.source[0].index)[lane] + u32(op.immediate), 4, lane)) {
      reported.at[lane] = reinterpret_cast<u64>(at);
      std::memcpy(&old, at, 4);
      const u32 next = old >= data ? old - data : old + second;
      std::memcpy(at, &next, 4);
    }
    w.vgpr(op.destination)[lane] = old;
  }
  report(w, reported, 4, AccessObserver::Kind::Atomic);
}

/// Base in M0, a dword for each lane.
void addTidAddresses(Wave &w, const Op &op, LaneAddresses &to) {
  for (unsigned lane = 0; lane < Lanes; ++lane)
    to.at[lane] = (w.exec() >> lane & 1)
                      ? reinterpret_cast<u64>(placeOf(w, (w.m0() & 0xffff) + u32(op.immediate) + 4 * lane, 4, lane))
                      : noPlace;
}
void readAddTid(Wave &w, const Op &op) {
  LaneAddresses addresses;
  addTidAddresses(w, op, addresses);
  loadLanes(w, op.destination, {4}, addresses, w.exec());
}
void writeAddTid(Wave &w, const Op &op) {
  LaneAddresses addresses;
  addTidAddresses(w, op, addresses);
  storeLanes(w, op.source[1].index, {4, true}, addresses);
}

/// The number of active lanes is added to a counter or taken off; each of them gets what it was before.
template <bool Append> void count(Wave &w, const Op &op) {
  const u64 exec = w.exec();
  u32 old = 0;
  if (!exec)
    return;
  if (u8 *at = placeOf(w, (w.m0() & 0xffff) + u32(op.immediate), 4, std::countr_zero(exec))) {
    LaneAddresses one{};
    one.at[std::countr_zero(exec)] = reinterpret_cast<u64>(at);
    report(w, one, 4, AccessObserver::Kind::Atomic);
    std::memcpy(&old, at, 4);
    const u32 lanes = std::popcount(exec), next = Append ? old + lanes : old - lanes;
    std::memcpy(at, &next, 4);
  }
  LaneArray result;
  for (u32 &lane : result.lane)
    lane = old;
  writeLanes(w, w.vgpr(op.destination), result.lane);
}
} // namespace

void registerLdsSpecial(HandlerTable &table) {
  add(table, "ds_wrxchg2_rtn_b32", exchange2<u32, 1>);
  add(table, "ds_wrxchg2_rtn_b64", exchange2<u64, 1>);
  add(table, "ds_wrxchg2st64_rtn_b32", exchange2<u32, 64>);
  add(table, "ds_wrxchg2st64_rtn_b64", exchange2<u64, 64>);
  add(table, "ds_condxchg32_rtn_b64", conditionalExchange);
  add(table, "ds_wrap_rtn_b32", wrap);
  add(table, "ds_read_addtid_b32", readAddTid);
  add(table, "ds_write_addtid_b32", writeAddTid);
  add(table, "ds_append", count<true>);
  add(table, "ds_consume", count<false>);
  // The resources are the host's to allocate, and waves of the whole device meet there.
  for (const char *name :
       {"ds_gws_init", "ds_gws_barrier", "ds_gws_sema_v", "ds_gws_sema_br", "ds_gws_sema_p", "ds_gws_sema_release_all"})
    refuse(table, name, "global wave sync: no resources are allocated to the launch");
}

} // namespace inflight::machine::SIMD_LEVEL
