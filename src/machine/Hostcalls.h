// What a kernel asks of the host while it runs: printf, the text of assert, and memory for malloc.
//
// The device library (ockl, `__ockl_hostcall_internal`) takes a packet from a stack of free ones, writes a payload of
// eight 64-bit words a lane, puts the packet on a stack of ready ones and waits for the host to take its ready bit
// away. Layout and messages are those of ROCm's runtime (clr, rocclr/device/devhostcall.hpp and devhcprintf.cpp).
#pragma once

#include "llvm/Support/Error.h"
#include <map>
#include <memory>
#include <mutex>
#include <vector>

namespace inflight::machine {

class Memory;

/// A buffer of packets in device memory. Output goes to the C library's stdout and stderr.
class Hostcalls {
public:
  static llvm::Expected<std::unique_ptr<Hostcalls>> create(Memory &memory);
  ~Hostcalls();
  /// The value of `hidden_hostcall_buffer`.
  uint64_t address() const { return buffer; }
  /// Does what waves have asked for. Whoever runs waves calls it when they wait for memory to change. Any thread may.
  void serve();

private:
  Hostcalls(Memory &memory, uint64_t buffer) : memory(memory), buffer(buffer) {}
  /// A lane's payload, which is a part of a message of printf or all of it.
  void print(uint64_t *payload);
  /// A lane that asks for memory, or gives it back.
  void serveMemory(uint64_t *payload);

  Memory &memory;
  const uint64_t buffer;
  std::mutex mutex;                                   ///< of all below, and of the buffer's stack
  std::map<uint64_t, std::vector<uint64_t>> messages; ///< begun and not ended, by number
  uint64_t nextMessage = 0;
};

} // namespace inflight::machine
