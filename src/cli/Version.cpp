#include "cli/Version.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Config/llvm-config.h"

namespace inflight::cli {

static constexpr llvm::StringLiteral commit =
#include "Commit.inc"
    ;

std::string versionText() {
  return ("inflight " INFLIGHT_VERSION " (" + commit + ", LLVM " LLVM_VERSION_STRING ")").str();
}

} // namespace inflight::cli
