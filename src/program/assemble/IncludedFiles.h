// What the assembler may read besides the text: .include and .incbin.
#pragma once

#include "llvm/Support/VirtualFileSystem.h"

namespace inflight {

/// Whether .include and .incbin are read: a stranger's text could put any file of this machine into messages and
/// outputs.
enum class Includes { Refused, Read };

/// Sets whether the programs that this process reads may include files; refused unless said otherwise.
void setIncludes(Includes includes);
Includes includesOfPrograms();

/// Regular files up to a number and a sum of sizes; none when they are refused. LLVM's parser opens through it.
class IncludedFiles final : public llvm::vfs::ProxyFileSystem {
public:
  explicit IncludedFiles(Includes includes) : ProxyFileSystem(llvm::vfs::getRealFileSystem()), includes(includes) {}
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &path) override;
  /// Why a file wasn't opened, as a note after the parser's messages; empty when none was refused.
  const std::string &note() const LLVM_LIFETIME_BOUND { return theNote; }

private:
  Includes includes;
  unsigned opened = 0;
  uint64_t bytes = 0;
  std::string theNote;
};

} // namespace inflight
