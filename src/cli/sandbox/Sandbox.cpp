#include "cli/sandbox/Sandbox.h"

#include "cli/Environment.h"
#include "cli/sandbox/SystemCalls.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Errno.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <linux/seccomp.h>
#include <map>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace llvm;

namespace inflight::cli {

namespace {
struct Limits {
  uint64_t seconds = 600, memory = 8192, file = 1024;
  static constexpr unsigned processes = 256;
};

/// What runs in the sandbox, with all that it has started.
struct Usage {
  uint64_t bytes = 0;
  unsigned processes = 0;
};
} // namespace

static Expected<Limits> parseLimits(StringRef text) {
  Limits limits;
  const std::pair<StringRef, uint64_t *> known[] = {
      {"seconds", &limits.seconds}, {"memory", &limits.memory}, {"file", &limits.file}};
  SmallVector<StringRef> parts;
  text.split(parts, ',', -1, /*KeepEmpty=*/false);
  for (StringRef part : parts) {
    const auto [name, value] = part.split('=');
    const auto *found = find_if(known, [name = name](const auto &one) { return one.first == name; });
    if (found == std::end(known) || value.getAsInteger(10, *found->second) || !*found->second ||
        *found->second > uint64_t(1) << 40)
      return usageError("--sandbox takes seconds=N, memory=MIB and file=MIB, not '" + part + "'");
  }
  return limits;
}

/// This command's words without the option.
static std::vector<std::string> ownWords() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::vector<std::string> words;
  bool isBehind = false; // "--": the words of a program
  for (std::string word; std::getline(file, word, '\0');) {
    isBehind |= word == "--";
    if (const StringRef name = StringRef(word).ltrim('-').split('=').first;
        isBehind || word[0] != '-' || name != "sandbox")
      words.push_back(word);
  }
  words.front() = commandFile();
  return words;
}

/// Folders of the system that programs need and that hold nobody's secrets.
static void addSystem(std::vector<std::string> &words) {
  words.insert(words.end(), {"--ro-bind", "/usr", "/usr"});
  for (const char *name : {"/bin", "/sbin", "/lib", "/lib32", "/lib64"}) {
    std::error_code error;
    if (const auto target = std::filesystem::read_symlink(name, error); !error)
      words.insert(words.end(), {"--symlink", target.string(), name});
    else
      words.insert(words.end(), {"--ro-bind-try", name, name});
  }
  for (const char *name :
       {"/etc/alternatives", "/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/localtime", "/opt/rocm"})
    words.insert(words.end(), {"--ro-bind-try", name, name});
  words.insert(words.end(), {"--proc", "/proc", "--dev", "/dev", "--tmpfs", "/tmp"});
}

/// The working folder, which can be written, this command, and the file that is run; what is in another's folder after
/// it.
static void addFolders(std::vector<std::string> &words, StringRef folder, const Arguments &arguments) {
  std::map<std::string, bool> binds; // whether it can be written
  // This command and its libraries; below /usr they are there already.
  const std::string self = commandFile();
  for (const std::string &own : {self, (sys::path::parent_path(sys::path::parent_path(self)) + "/lib").str()})
    if (!StringRef(own).starts_with("/usr/") && sys::fs::exists(own))
      binds[own] = false;
  // The file that is run. What a program's own words name isn't there: they may be a stranger's, too.
  SmallString<256> file;
  if (const std::string &name = arguments.positional.front();
      sys::fs::is_regular_file(name) && !sys::fs::real_path(name, file) && !file.starts_with((folder + "/").str()))
    binds[file.str().str()] = false;
  binds[folder.str()] = true;
  for (const auto &[place, isWritable] : binds)
    words.insert(words.end(), {isWritable ? "--bind" : "--ro-bind", place, place});
  words.insert(words.end(), {"--remount-ro", "/", "--chdir", folder.str()});
}

/// Variables that aren't a stranger's business stay outside.
static void addEnvironment(std::vector<std::string> &words) {
  words.push_back("--clearenv");
  for (char **variable = environ; *variable; ++variable) {
    const auto [name, value] = StringRef(*variable).split('=');
    if (is_contained({"PATH", "LANG", "TERM", "COLUMNS", "TZ", "LD_LIBRARY_PATH"}, name) ||
        any_of(std::array<StringRef, 4>{"LC_", "INFLIGHT_", "HIP_", "OMP_"},
               [name = name](StringRef begin) { return name.starts_with(begin); }))
      words.insert(words.end(), {"--setenv", name.str(), value.str()});
  }
  words.insert(words.end(), {"--setenv", "HOME", "/tmp"});
}

static Expected<std::string> workingFolder() {
  SmallString<256> folder, home;
  if (std::error_code error = sys::fs::current_path(folder))
    return makeError("no working folder: " + error.message());
  sys::path::home_directory(home);
  if (is_contained({"/", "/tmp", "/var/tmp"}, folder.str()) || folder == home ||
      StringRef(home).starts_with((folder + "/").str()))
    return makeError("--sandbox: all of the working folder '" + folder +
                     "' could be read and written; make one that holds only what is needed, and go there");
  return folder.str().str();
}

/// Whether bubblewrap is there and may make namespaces; what it said if not.
static std::string namespaceProblem(const ErrorOr<std::string> &bubblewrap) {
  if (!bubblewrap)
    return "bubblewrap isn't installed (apt-get install bubblewrap)";
  const std::optional<StringRef> silent[] = {StringRef(), StringRef(), StringRef()};
  return sys::ExecuteAndWait(*bubblewrap,
                             {*bubblewrap, "--unshare-all", "--ro-bind", "/", "/", "--proc", "/proc", "true"},
                             std::nullopt, silent) == 0
             ? ""
             : "bubblewrap can't make namespaces on this system";
}

/// A file with the filter that another program can read.
static Expected<int> filterFile(ArrayRef<sock_filter> filter) {
  const int file = memfd_create("filter", 0);
  const size_t size = filter.size() * sizeof(sock_filter);
  if (file < 0 || write(file, filter.data(), size) != ssize_t(size) || lseek(file, 0, SEEK_SET))
    return makeError("cannot make a file in memory: " + sys::StrError());
  return file;
}

static void setLimit(int resource, uint64_t most) {
  const rlimit limit{most, most};
  setrlimit(resource, &limit);
}

static void limitThis(const Limits &limits) {
  setLimit(RLIMIT_AS, limits.memory << 20);
  setLimit(RLIMIT_FSIZE, limits.file << 20);
  setLimit(RLIMIT_CORE, 0);
  setLimit(RLIMIT_NOFILE, 1024);
}

/// Files that whoever started this has open.
static void closeAllBut(int kept) {
  constexpr unsigned first = 3, last = ~0u;
  if (kept < 0)
    close_range(first, last, 0);
  else if (!close_range(unsigned(kept) + 1, last, 0) && unsigned(kept) > first)
    close_range(first, unsigned(kept) - 1, 0);
}

static Usage usageOf(pid_t root) {
  std::map<pid_t, std::pair<pid_t, uint64_t>> all; // parent and resident bytes
  std::error_code error;
  for (sys::fs::directory_iterator entry("/proc", error), end; entry != end && !error; entry.increment(error)) {
    pid_t id = 0;
    if (sys::path::filename(entry->path()).getAsInteger(10, id))
      continue;
    const auto file = MemoryBuffer::getFileAsStream(entry->path() + "/stat");
    if (!file) // a process may end before it is read
      continue;
    SmallVector<StringRef> fields; // behind the name, which may have blanks and brackets
    (*file)->getBuffer().rsplit(") ").second.split(fields, ' ');
    pid_t parent = 0;
    uint64_t pages = 0;
    if (fields.size() > 21 && !fields[1].getAsInteger(10, parent) && !fields[21].getAsInteger(10, pages))
      all[id] = {parent, pages * uint64_t(sysconf(_SC_PAGESIZE))};
  }
  Usage usage;
  for (const auto &[id, process] : all) {
    pid_t at = id;
    for (unsigned depth = 0; at != root && depth < 1000; ++depth) {
      const auto known = all.find(at);
      if (known == all.end())
        break;
      at = known->second.first;
    }
    if (at == root) {
      usage.bytes += process.second;
      ++usage.processes;
    }
  }
  return usage;
}

/// Why it has to end; empty: it needn't.
static std::string excessOf(pid_t process, const Limits &limits, std::chrono::steady_clock::duration taken) {
  if (taken > std::chrono::seconds(limits.seconds))
    return "took more than " + std::to_string(limits.seconds) + " s";
  const Usage usage = usageOf(process);
  if (usage.bytes >> 20 > limits.memory)
    return "took more than " + std::to_string(limits.memory) + " MiB of memory";
  if (usage.processes > Limits::processes)
    return "has more than " + std::to_string(Limits::processes) + " processes";
  return "";
}

static Expected<int> waitWithin(pid_t process, const Limits &limits) {
  const auto begin = std::chrono::steady_clock::now();
  std::string excess;
  int status = 0;
  for (auto pause = std::chrono::milliseconds(5);; pause = std::min(2 * pause, std::chrono::milliseconds(200))) {
    const pid_t ended = waitpid(process, &status, excess.empty() ? WNOHANG : 0);
    if (ended == process)
      break;
    if (excess = excessOf(process, limits, std::chrono::steady_clock::now() - begin); !excess.empty())
      kill(process, SIGKILL); // all others of its namespace end with it, or were none
    else
      std::this_thread::sleep_for(pause);
  }
  if (!excess.empty())
    return makeError("ended: it " + excess + "; --sandbox=seconds=N,memory=MIB sets the limits");
  if (WIFSIGNALED(status))
    return makeError(Twine("ended in the sandbox: ") + strsignal(WTERMSIG(status)));
  return WEXITSTATUS(status);
}

Expected<int> runInSandbox(const Verb &verb, const Arguments &arguments, bool runsHostCode) {
  Expected<Limits> limits = parseLimits(arguments.get("sandbox"));
  if (!limits)
    return limits.takeError();
  const ErrorOr<std::string> bubblewrap = sys::findProgramByName("bwrap");
  const std::string problem = namespaceProblem(bubblewrap);
  if (!problem.empty() && runsHostCode)
    return makeError("no sandbox for programs: " + problem);
  const std::vector<sock_filter> filter = systemCallFilter();
  std::vector<std::string> words;
  int filterAt = -1;
  if (problem.empty()) {
    Expected<std::string> folder = workingFolder();
    if (!folder)
      return folder.takeError();
    Expected<int> file = filterFile(filter);
    if (!file)
      return file.takeError();
    filterAt = *file;
    words = {*bubblewrap,  "--unshare-all", "--die-with-parent", "--new-session",
             "--cap-drop", "ALL",           "--seccomp",         std::to_string(*file)};
    addSystem(words);
    addFolders(words, *folder, arguments);
    addEnvironment(words);
    words.push_back("--");
  } else {
    errs() << "inflight " << verb.name << ": note: " << problem
           << ": time, memory and system calls are bounded, files and the network aren't\n";
  }
  append_range(words, ownWords());
  std::vector<char *> pointers(words.size() + 1); // with a null at the end
  transform(words, pointers.begin(), [](std::string &word) { return word.data(); });
  errs().flush();
  outs().flush();
  const pid_t process = fork();
  if (process < 0)
    return makeError("cannot start a process: " + sys::StrError());
  if (process == 0) {
    limitThis(*limits);
    closeAllBut(filterAt);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    const sock_fprog program{uint16_t(filter.size()), const_cast<sock_filter *>(filter.data())};
    if (problem.empty() ||
        (!prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) && !prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program)))
      execv(pointers.front(), pointers.data());
    _exit(126);
  }
  return waitWithin(process, *limits);
}

} // namespace inflight::cli
