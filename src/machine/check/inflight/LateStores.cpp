#include "machine/check/inflight/LateStores.h"

#include "llvm/ADT/STLExtras.h"

using namespace llvm;

namespace inflight::machine::check {

/// Calls `see` for each line that some bytes lie in.
template <typename F> static void forEachLine(const LateStores::Store::Bytes &bytes, unsigned lineBytes, F &&see) {
  for (uint64_t line = bytes.at / lineBytes; line <= (bytes.at + bytes.count - 1) / lineBytes; ++line)
    see(line);
}

uint64_t LateStores::add(std::unique_ptr<Store> store) {
  Store *added = store.get();
  for (const Store::Bytes &bytes : added->bytes)
    forEachLine(bytes, lineBytes, [&](uint64_t line) {
      if (SmallVector<Store *, 2> &stores = lines[line]; stores.empty() || stores.back() != added)
        stores.push_back(added);
    });
  all.push_back(std::move(store));
  added->place = std::prev(all.end());
  added->number = ++numbers;
  byNumber[added->number] = added;
  return added->number;
}

LateStores::Store *LateStores::findOlder(const Store &store) const {
  Store *found = nullptr;
  for (const Store::Bytes &bytes : store.bytes)
    forEachLine(bytes, lineBytes, [&](uint64_t line) {
      auto it = lines.find(line);
      for (Store *other : it == lines.end() || found ? ArrayRef<Store *>() : ArrayRef<Store *>(it->second))
        if (other->number < store.number && other->owner == store.owner &&
            any_of(
                other->bytes,
                [&](const Store::Bytes &b) { return b.at < bytes.at + bytes.count && bytes.at < b.at + b.count; }))
          found = other;
    });
  return found;
}

void LateStores::deliverNumber(uint64_t number) {
  if (Store *store = byNumber.lookup(number))
    deliver(store);
}

void LateStores::deliver(Store *store) {
  while (Store *older = findOlder(*store))
    deliver(older);
  for (const Store::Bytes &bytes : store->bytes) {
    std::memcpy(hostMemory(bytes.at), bytes.values, bytes.count);
    forEachLine(bytes, lineBytes, [&](uint64_t line) {
      if (auto it = lines.find(line); it != lines.end()) {
        erase(it->second, store);
        if (it->second.empty())
          lines.erase(it);
      }
    });
  }
  byNumber.erase(store->number);
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
