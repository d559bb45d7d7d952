#include "cli/Environment.h"

#include "llvm/Support/FileSystem.h"
#include <cstdlib>

using namespace llvm;

namespace inflight::cli {

std::string commandFile() {
  static int anchor; // any address in the command
  return sys::fs::getMainExecutable(nullptr, &anchor);
}

void setVariable(const char *name, const std::string &value) { setenv(name, value.c_str(), /*overwrite=*/1); }

void prependFolder(const char *variable, const std::string &folder) {
  const char *before = std::getenv(variable);
  setVariable(variable, before && *before ? folder + ":" + before : folder);
}

} // namespace inflight::cli
