// HIP_HRR_CAPTURE_OUTPUT=DIR: what the program does is recorded as HIP Record & Replay does, version 6, in DIR/pid-N
// (docs/replay.md). Device memory is then mapped where other processes have nothing, so that it can be had there again.
#pragma once

#include "hip/runtime/Runtime.h"
#include "replay/HrrFormat.h"
#include <set>

namespace inflight::hip {

class Recorder {
public:
  /// Null where nothing is recorded, and in a process that a recorded one has forked.
  static Recorder *get();

  /// A record's body; add() writes it.
  class Body {
  public:
    explicit Body(replay::HrrApi api) : api(api) {}
    template <class T> Body &put(T value) {
      return putBytes(&value, sizeof(value)); // NOLINT(bugprone-sizeof-expression): pointers are recorded
    }
    Body &putBytes(const void *from, size_t count) {
      const auto *begin = static_cast<const char *>(from);
      bytes.insert(bytes.end(), begin, begin + count);
      return *this;
    }
    Body &putHash(const replay::HrrHash &hash) { return put(hash.low).put(hash.high); }
    replay::HrrApi api;
    std::vector<char> bytes;
  };
  void add(const Body &body);
  /// A function of the dispatch table that has succeeded, with these arguments.
  template <class... T> void call(replay::HrrApi api, T... arguments) {
    Body body(api);
    body.put(int32_t(hipSuccess));
    (body.put(arguments), ...);
    add(body);
  }
  /// Keeps data for the archive, once.
  replay::HrrHash keep(const void *begin, size_t bytes, bool isCode = false);
  /// Where the hash is known already.
  void keep(const replay::HrrHash &hash, const void *begin, size_t bytes, bool isCode = false);

  void loaded(const void *handle, Module &module, const void *image, bool isFatBinary);
  /// What the variable's memory holds has come from the program; only for those that launches of `module` may read.
  void variable(const void *handle, const std::string &name, const void *address);
  void copied(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t bytes, size_t rows, CopyKind kind,
              void *stream);
  void launched(const Function &kernel, const LaunchShape &shape, void *stream);
  /// Memory that the program writes without HIP: its contents before a launch, and what the launch has made of it.
  void hostMemory(bool isAfter);
  void forget(const void *begin) { contents.erase(begin); }

  /// Device memory of this many bytes. Null: the host has none.
  void *map(size_t bytes);

private:
  explicit Recorder(std::string folder);
  void finish();
  void writeManifest(bool isComplete);

  std::string folder;
  int file = -1;
  int process = 0;
  uint64_t records = 0, blobs = 0;
  uint64_t nextAddress;
  std::set<std::string> kept;
  std::map<const void *, replay::HrrHash> contents; ///< of host memory, as the archive has it
};

} // namespace inflight::hip
