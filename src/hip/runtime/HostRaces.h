// The host at memory of which it may not know what is there: work of a stream may still be writing it, or reading what
// the host changes, as nothing has waited for the stream.
//
// Here all work is done at once. In a checked program what it wrote to memory that the host sees is closed to the host
// (mprotect) until the program waits. Pages are closed whose every byte of an allocation was written, or for writes
// read: a right program leaves all of such a page alone, whoever has a part of it, system calls included.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace inflight::hip {

struct Device;
struct Stream;
struct CopyWork;
struct SetWork;

/// How many operations of each stream come before a point, by the streams' numbers.
class Clock {
public:
  void join(const Clock &other);
  void reach(uint64_t stream, uint64_t count);
  uint64_t of(uint64_t stream) const;

private:
  std::map<uint64_t, uint64_t> done;
};

/// Under the runtime's mutex, all of it.
class HostRaces {
public:
  void enable();
  bool isOn() const { return enabled; }

  /// Memory that the host sees has been allocated, at pages of its own.
  void allocated(void *begin, uint64_t bytes);

  /// A stream's work is done: what the host may not see yet.
  void launched(Stream &stream, const char *function, const std::string &kernel);
  void copied(Stream &stream, const char *function, const CopyWork &work);
  void set(Stream &stream, const char *function, const SetWork &work);

  /// What the next operation of a stream comes after: its own, and by the rules of the default stream those of others
  /// of its device.
  const Clock &before(Stream &stream);
  void waited(const Clock &clock);
  void waitedFor(const Device &device);

  /// As long as one lives, the library and kernels may access everything.
  class Open {
  public:
    Open();
    ~Open();
    Open(const Open &) = delete;
    Open &operator=(const Open &) = delete;
  };

  /// A signal of the host at an address. False: it isn't due to what is closed.
  bool met(uintptr_t address, int isWrite, const void *code);

private:
  struct Run {
    uintptr_t begin, end;
    bool isWritten;
  };
  struct Work {
    uint64_t stream, number; ///< the stream's operation
    const char *function;
    std::string what; ///< for messages: "kernel 'k'"
    std::vector<Run> runs;
  };
  void begin(Stream &stream);
  void add(Stream &stream, const char *function, std::string what, std::vector<Run> runs);
  void append(std::vector<Run> &runs, const void *begin, uint64_t bytes, bool isWritten) const;
  void open();
  void close();
  void forgetDone();
  void tell(const Work &work, uintptr_t address, int isWrite, const std::string &place);

  bool enabled = false;
  unsigned opens = 0;
  Clock host;
  std::vector<Work> pending;
  std::vector<Run> closed;
  std::set<std::string> told; ///< of work and a place in the program
};

} // namespace inflight::hip
