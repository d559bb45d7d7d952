// Runs a harness over the files of the directories given, without libFuzzer.
#include "Harness.h"
#include "support/Diagnostics.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include <algorithm>
#include <unistd.h>
#include <vector>

using namespace llvm;

int main(int argc, char **argv) {
  constexpr unsigned allSeconds = 600;
  inflight::fuzz::limitResources(allSeconds);
  std::vector<std::string> files;
  for (int i = 1; i < argc; ++i) {
    if (!sys::fs::is_directory(argv[i])) {
      files.push_back(argv[i]);
      continue;
    }
    std::error_code ec;
    for (sys::fs::directory_iterator it(argv[i], ec), end; it != end && !ec; it.increment(ec))
      files.push_back(it->path());
  }
  std::sort(files.begin(), files.end());
  for (const std::string &file : files) {
    Expected<std::string> contents = inflight::readFile(file);
    if (!contents) {
      errs() << toString(contents.takeError()) << '\n';
      return 1;
    }
    // The last name printed is the conflict.
    outs() << file << '\n';
    outs().flush();
    constexpr unsigned hangSeconds = 60; // sanitizers and a busy host are slow
    alarm(hangSeconds);
    inflight::fuzz::fuzzOne(*contents);
  }
  outs() << files.size() << " inputs\n";
  return 0;
}
