#include "cli/CommandLine.h"
#include "isa/chip/TargetInfo.h"
#include "trace/page/HtmlPage.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight::cli {

namespace {
struct Check {
  StringRef part, use; ///< what it is, and what it is for
  std::string found;   ///< where or which; empty: it isn't there
  std::string remedy;  ///< the line that installs or builds it
};
} // namespace

/// The first path that is there; empty: none.
static std::string firstOf(ArrayRef<std::string> paths) {
  const auto *found = find_if(paths, [](const std::string &path) { return sys::fs::exists(path); });
  return found == paths.end() ? "" : *found;
}

static std::string programOf(ArrayRef<StringRef> names) {
  std::string all;
  for (StringRef name : names) {
    ErrorOr<std::string> path = sys::findProgramByName(name);
    if (!path)
      return "";
    all += (all.empty() ? "" : ", ") + *path;
  }
  return all;
}

/// Whether Python finds a module; it isn't imported, which may take seconds.
static bool hasModule(const std::string &python, StringRef module) {
  const std::string test =
      ("import importlib.util, sys; sys.exit(not importlib.util.find_spec('" + module + "'))").str();
  const std::optional<StringRef> silent[] = {StringRef(), StringRef(), StringRef()};
  return !python.empty() && sys::ExecuteAndWait(python, {python, "-c", test}, std::nullopt, silent) == 0;
}

static void addPython(std::vector<Check> &checks) {
  const std::string python = programOf({sys::Process::GetEnv("INFLIGHT_PYTHON").value_or("python3")});
  Expected<std::string> package = pythonPackageFolder();
  checks.push_back({"Python package", "tune, import inflight", package ? *package : "", "pip install inflight-gpu"});
  consumeError(package.takeError());
  checks.push_back({"Python", "tune, import inflight", python, "apt-get install python3"});
  for (auto [module, use, remedy] : {std::tuple("numpy", "import inflight", "apt-get install python3-numpy"),
                                     {"optuna", "tune", "pip install optuna"},
                                     {"mcp", "mcp", "pip install 'mcp>=2'"}})
    checks.push_back({module, use, hasModule(python, module) ? "in " + python : "", remedy});
}

static void addToolchain(std::vector<Check> &checks) {
  const std::string llvm = "/usr/lib/llvm-22/bin/";
  checks.push_back({"clang", "sdk, HIP and OpenCL sources", firstOf({llvm + "clang++"}), "apt-get install clang-22"});
  checks.push_back({"lld", "sdk", firstOf({llvm + "ld.lld"}), "apt-get install lld-22"});
  checks.push_back(
      {"offload bundler", "sdk", firstOf({llvm + "clang-offload-bundler"}), "apt-get install clang-tools-22"});
  checks.push_back(
      {"LLVM tools", "reading code beside dis", firstOf({llvm + "llvm-readelf"}), "apt-get install llvm-22"});
  checks.push_back({"device libraries", "sdk",
                    firstOf({deviceLibraryFolder() + "/ocml.bc", "/opt/rocm/amdgcn/bitcode/ocml.bc"}),
                    "apt-get install rocm-device-libs"});
  checks.push_back({"HIP headers", "sdk",
                    firstOf({"/usr/include/hip/hip_runtime.h", "/opt/rocm/include/hip/hip_runtime.h"}),
                    "apt-get install libamdhip64-dev, or inflight sdk --headers=DIR"});
  checks.push_back({"bubblewrap", "exec --sandbox", programOf({"bwrap"}), "apt-get install bubblewrap"});
  checks.push_back(
      {"Node.js and npm", "building the trace page", programOf({"node", "npm"}), "apt-get install nodejs npm"});
}

static Expected<int> run(const Arguments &arguments) {
  Expected<std::string> library = inflightLibrary();
  std::vector<Check> checks;
  checks.push_back({"chips", "all verbs", join(executedChips(), ", "), ""});
  checks.push_back({"trace page", "trace --html", trace::HtmlPage::isBuilt() ? "built in" : "",
                    trace::HtmlPage::howToBuild().str()});
  checks.push_back(
      {"libinflight.so", "tune, import inflight, C", library ? *library : "", "ninja -C build inflight_shared"});
  consumeError(library.takeError());
  Expected<std::string> hip = hipLibraryFolder();
  checks.push_back({"libamdhip64.so", "exec, sdk", hip ? *hip : "", "ninja -C build inflight_hip"});
  consumeError(hip.takeError());
  addPython(checks);
  addToolchain(checks);
  outs() << formatv("{0,-18}{1,-29}{2}\n", "PART", "FOR", "FOUND");
  for (const Check &check : checks)
    outs() << formatv("{0,-18}{1,-29}{2}\n", check.part, check.use,
                      check.found.empty() ? "none; " + check.remedy : check.found);
  return 0;
}

const Verb doctorVerb = {"doctor",
                         "Say what is there of all that the verbs use, and what installs or builds the rest",
                         {"", 0, 0},
                         {},
                         "  inflight doctor\n",
                         run,
                         Positional::Other};

} // namespace inflight::cli
