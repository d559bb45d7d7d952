// Host memory at addresses that a recording asks for: device addresses are host addresses, and pointers stand in
// memory.
#pragma once

#include "llvm/Support/Error.h"
#include <cstdint>
#include <map>

namespace inflight::replay {

/// Something of this process is where the recording has memory. Another process may have it elsewhere.
class AddressTaken : public llvm::ErrorInfo<AddressTaken> {
public:
  static char ID;
  AddressTaken(uint64_t address, uint64_t bytes) : address(address), bytes(bytes) {}
  void log(llvm::raw_ostream &os) const override;
  std::error_code convertToErrorCode() const override { return llvm::inconvertibleErrorCode(); }
  uint64_t address, bytes;
};

/// Pages that were asked for; they stay until the object goes.
class Pages {
public:
  Pages() = default;
  ~Pages();
  Pages(const Pages &) = delete;
  Pages &operator=(const Pages &) = delete;
  /// All pages of [address, address + bytes), zero-filled where there were none.
  llvm::Error map(uint64_t address, uint64_t bytes);
  /// Makes mapped memory zero again.
  void clear(uint64_t address, uint64_t bytes);

private:
  uint64_t total = 0;
  std::map<uint64_t, uint64_t> mapped; ///< ends by beginnings
};

} // namespace inflight::replay
