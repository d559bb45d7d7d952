// What a kernel asks of the host while it runs: printf, and the text of assert.
//
// The device library (ockl, `__ockl_hostcall_internal`) takes a packet from a stack of free ones, writes a payload of
// eight 64-bit words a lane, puts the packet on a stack of ready ones and waits for the host to take its ready bit
// away. Layout and messages are those of ROCm's runtime (clr, rocclr/device/devhostcall.hpp and devhcprintf.cpp).
#pragma once

#include "llvm/Support/Error.h"
#include <memory>

namespace inflight::machine {

class Memory;

/// A buffer of packets in device memory. Output goes to the C library's stdout and stderr.
class Hostcalls {
public:
  static llvm::Expected<std::unique_ptr<Hostcalls>> create(Memory &memory);
  ~Hostcalls();
  /// The value of `hidden_hostcall_buffer`.
  uint64_t address() const;
  /// Does what waves have asked for. Whoever runs waves calls it when they wait for memory to change. Any thread may.
  void serve();

private:
  struct Server;
  explicit Hostcalls(std::unique_ptr<Server> server);
  std::unique_ptr<Server> server;
};

} // namespace inflight::machine
