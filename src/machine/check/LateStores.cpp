#include "machine/check/LateStores.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::machine::check {

LateStores::Store *LateStores::add(std::unique_ptr<Store> store) {
  Store *added = store.get();
  for (const Store::Bytes &bytes : added->bytes)
    for (uint64_t line = bytes.at / lineBytes; line <= (bytes.at + bytes.count - 1) / lineBytes; ++line)
      if (SmallVector<Store *, 2> &stores = lines[line]; stores.empty() || stores.back() != added)
        stores.push_back(added);
  all.push_back(std::move(store));
  added->place = std::prev(all.end());
  alive[added] = true;
  return added;
}

void LateStores::deliver(Store *store) {
  if (!isAlive(store))
    return;
  // The lines list stores by age.
  for (bool again = true; again;) {
    again = false;
    for (const Store::Bytes &bytes : store->bytes) {
      for (Store *older : lines[bytes.at / lineBytes]) {
        if (older == store)
          break;
        if (older->owner == store->owner && any_of(older->bytes, [&](const Store::Bytes &b) {
              return b.at < bytes.at + bytes.count && bytes.at < b.at + b.count;
            })) {
          deliver(older);
          again = true;
          break;
        }
      }
      if (again)
        break;
    }
  }
  for (const Store::Bytes &bytes : store->bytes) {
    std::memcpy(hostMemory(bytes.at), bytes.values, bytes.count);
    for (uint64_t line = bytes.at / lineBytes; line <= (bytes.at + bytes.count - 1) / lineBytes; ++line)
      if (auto it = lines.find(line); it != lines.end()) {
        erase(it->second, store);
        if (it->second.empty())
          lines.erase(it);
      }
  }
  alive.erase(store);
  all.erase(store->place);
}

LateStores::Store *LateStores::find(uint64_t address, unsigned count, uint64_t owner, bool byOthers) const {
  for (uint64_t line = address / lineBytes; line <= (address + count - 1) / lineBytes; ++line)
    if (auto it = lines.find(line); it != lines.end())
      for (Store *store : reverse(it->second))
        if ((store->owner != owner) == byOthers && any_of(store->bytes, [&](const Store::Bytes &b) {
              return b.at < address + count && address < b.at + b.count;
            }))
          return store;
  return nullptr;
}

bool LateStores::deliverSome(uint64_t owner, uint64_t choice) {
  SmallVector<Store *, 16> own;
  for (const std::unique_ptr<Store> &store : all)
    if (store->owner == owner)
      own.push_back(store.get());
  if (own.empty())
    return false;
  deliver(own[choice % own.size()]);
  return true;
}

bool LateStores::deliverNewest() {
  if (all.empty())
    return false;
  deliver(all.back().get());
  return true;
}

void LateStores::deliverAll() {
  while (!all.empty())
    deliver(all.front().get());
}

} // namespace inflight::machine::check
