// What a name leads to that is to be written: links followed, and open files, devices and plain files distinguished.
#pragma once

#include "llvm/ADT/StringRef.h"
#include <string>

namespace inflight {

struct OutputPath {
  enum class Kind {
    File,       ///< a regular file, or none yet
    Device,     ///< what can't be replaced: a device, a pipe, anything under /proc
    Descriptor, ///< a file that this process has open
  };
  Kind kind = Kind::File;
  std::string path;    ///< without links
  int descriptor = -1; ///< of Kind::Descriptor

  static OutputPath find(llvm::StringRef path);
};

/// Whether the name leads to a regular file that another may take the place of.
bool isReplaceable(llvm::StringRef path);

} // namespace inflight
