// A recording of a HIP program or of one dispatch, whatever format it came in: what happened, in order.
#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/Support/Error.h"
#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace inflight::replay {

enum class Action : uint8_t {
  Allocate, ///< `bytes` at `to`
  Free,     ///< what begins at `to`
  Fill,     ///< `rows` of `bytes` bytes, `pitch` apart, with the low `elementBytes` bytes of `value`
  Copy,     ///< `rows` of `bytes` bytes from `from`, `fromPitch` apart, to `to`, `pitch` apart; see `data`, `expected`
  Load,     ///< code of file `data`; `handle` says which module it is
  Unload,   ///< module `handle`
  Variable, ///< variable `name` had address `to`
  Launch,   ///< launches[index]
  CreateStream, ///< `stream`
  DestroyStream,
  WaitStream,  ///< the program waits for `stream`
  WaitDevice,  ///< the program waits for all streams
  RecordEvent, ///< event `handle` on `stream`
  WaitEvent,   ///< `stream` waits for event `handle`
  Compare,     ///< `bytes` bytes at `to` have to be those of file `expected`
  Lost,        ///< function `name` was called, and what it did isn't known
};

struct Event {
  Action action = Action::Lost;
  uint32_t index = 0; ///< of launches
  uint32_t elementBytes = 1;
  uint64_t place = 0; ///< bytes into the file that says so, for messages
  uint64_t to = 0, from = 0, bytes = 0, rows = 1, pitch = 0, fromPitch = 0, value = 0;
  uint64_t stream = 0, handle = 0;
  bool isInput = false; ///< of a copy: the source is the program's, even where the recording has memory there
  std::string data;     ///< file with the source's bytes, where it isn't the device's memory; empty: it is
  std::string expected; ///< file with what was copied; empty: not known
  std::string name;     ///< of the variable, or of HIP's function
};

struct Launch {
  std::string kernel;
  std::string code; ///< file with the code object or fat binary; empty: the module that has the kernel
  std::array<uint32_t, 3> grid{}, block{}; ///< workgroups; lanes
  uint32_t ldsBytes = 0;                   ///< dynamic ones
  /// Values of the arguments in order, or one segment.
  std::vector<std::vector<uint8_t>> arguments;
  bool isSegment = false;
  bool isAllLds = false; ///< ldsBytes counts the static ones, too
  /// Where addresses stand: argument and byte.
  std::vector<std::pair<uint32_t, uint32_t>> pointers;
};

struct Recording {
  std::string path, kind; ///< "kerncap", "HRR version 6"
  std::string chip;       ///< of the device it was made on; empty: not known
  std::vector<Event> events;
  std::vector<Launch> launches;
  llvm::StringMap<std::string> files; ///< paths by the names that events give
  std::vector<std::string> notes;     ///< what a reader has to know: a crash cut it off
};

/// Reads a file of a recording. What leads out of the recording's folder, by its name or by links, is refused: a
/// stranger's recording doesn't choose among this machine's files.
llvm::Expected<std::string> readRecordedFile(const Recording &recording, llvm::StringRef path);

/// Reads `path`, a folder of kerncap or an HRR archive.
llvm::Expected<Recording> readRecording(llvm::StringRef path);
llvm::Expected<Recording> readKerncap(llvm::StringRef path);
llvm::Expected<Recording> readHrr(llvm::StringRef path);

} // namespace inflight::replay
