#include "cli/CommandLine.h"
#include "cli/Environment.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace inflight::cli {

static const OptionSpec options[] = {
    {"headers", "DIR", "a folder with hip/hip_runtime.h, repeatable, the first that has a file counts (/usr/include)"},
    {"llvm", "DIR", "clang and lld (/usr/lib/llvm-22)"},
    {"device-libs", "DIR", "ocml.bc and the others (Debian's rocm-device-libs)"},
    {"mcpu", "CHIP", "what hipcc compiles for without --offload-arch (gfx942)"},
};

namespace {
/// Files and links below one folder; the first error stays.
class Prefix {
public:
  explicit Prefix(StringRef root) : root(root) {}
  Error error = Error::success();

  void link(const Twine &at, const Twine &target) {
    if (error)
      return;
    const std::string path = place(at);
    (void)sys::fs::remove(path);
    if (std::error_code code = sys::fs::create_link(target, path))
      error = makeError(path + ": " + code.message());
  }
  /// A file that a program writes, whose name is its last argument.
  void made(const Twine &at, std::vector<std::string> command) {
    if (error)
      return;
    const std::string path = place(at);
    (void)sys::fs::remove(path);
    command.push_back(path);
    const SmallVector<StringRef> words(command.begin(), command.end());
    std::string message;
    if (sys::ExecuteAndWait(command[0], words, std::nullopt, {}, 0, 0, &message) != 0)
      error = makeError(path + ": " + command[0] + " can't make it" + (message.empty() ? "" : ": " + message));
  }
  void file(const Twine &at, StringRef text, bool isProgram = false) {
    if (error)
      return;
    const std::string path = place(at);
    (void)sys::fs::remove(path); // a link's target isn't this folder's
    std::error_code code;
    {
      raw_fd_ostream os(path, code);
      if (!code)
        os << text;
    }
    if (!code && isProgram)
      code = sys::fs::setPermissions(path, sys::fs::all_read | sys::fs::all_exe | sys::fs::owner_write);
    if (code)
      error = makeError(path + ": " + code.message());
  }

private:
  std::string place(const Twine &at) {
    SmallString<128> path(root);
    sys::path::append(path, at);
    if (std::error_code code = sys::fs::create_directories(sys::path::parent_path(path)))
      error = makeError(Twine(path) + ": " + code.message());
    return path.str().str();
  }
  std::string root;
};
} // namespace

/// All files below `from` as links below `to`; what is there already stays.
static void linkTree(Prefix &prefix, const std::string &from, const Twine &to, StringSet<> &seen) {
  std::error_code code;
  for (sys::fs::directory_iterator entry(from, code), end; !code && entry != end; entry.increment(code)) {
    const std::string at = (to + "/" + sys::path::filename(entry->path())).str();
    if (sys::fs::is_directory(entry->path()))
      linkTree(prefix, entry->path(), at, seen);
    else if (seen.insert(at).second)
      prefix.link(at, entry->path());
  }
}

/// Clang takes the number after HIP_VERSION_MAJOR and the like; the headers' release where they say it.
static constexpr StringRef versionFile = "HIP_VERSION_MAJOR=7\nHIP_VERSION_MINOR=1\nHIP_VERSION_PATCH=0\n";
static constexpr StringRef versionHeader = "#ifndef HIP_VERSION_H\n#define HIP_VERSION_H\n"
                                           "#define HIP_VERSION_MAJOR 7\n#define HIP_VERSION_MINOR 1\n"
                                           "#define HIP_VERSION_PATCH 0\n#define HIP_VERSION_GITHASH \"\"\n"
                                           "#define HIP_VERSION_BUILD_ID 0\n#define HIP_VERSION_BUILD_NAME \"\"\n"
                                           "#define HIP_VERSION (HIP_VERSION_MAJOR * 10000000 + HIP_VERSION_MINOR * "
                                           "100000 + HIP_VERSION_PATCH)\n#define __HIP_HAS_GET_PCH 0\n#endif\n";

/// A line of hipcc by which a folder is known to be an sdk.
static constexpr StringRef hipccMark = "# Compiles as AMD's hipcc does: C++ sources are HIP, the runtime is linked.\n";

/// What hipcc adds to clang: sources are HIP, the path, the default chip, the library.
static std::string hipccText(const std::string &chip) {
  return "#!/bin/sh\n" + hipccMark.str() +
         "root=$(cd \"$(dirname \"$(readlink -f \"$0\")\")/..\" && pwd)\n"
         "links=yes backend= rdc= arch=--offload-arch=${HCC_AMDGPU_TARGET:-" +
         chip +
         "}\n"
         "for word; do\n"
         "  case $word in\n"
         "  --version) exec \"$root/llvm/bin/clang++\" --version ;;\n"
         "  -c|-S|-E|-M|-MM|--genco|-fsyntax-only|--offload-device-only|--cuda-device-only) links= ;;\n"
         "  --offload-arch=*|--amdgpu-target=*) arch= ;;\n"
         // Clang hands bitcode to the first lld that it finds, where it is optimised again: arrays that the first time
         // left in memory for the registers' sake would become vectors, too.
         "  --backend=inflight) backend=\"-foffload-lto -B$root/backend -Xarch_device "
         "-mllvm=-disable-promote-alloca-to-vector\" ;;\n"
         "  --backend=llvm) backend= ;;\n"
         "  --backend=*) echo \"hipcc: error: --backend must be inflight or llvm\" >&2; exit 1 ;;\n"
         "  -fgpu-rdc) rdc=yes ;;\n"
         "  esac\n"
         "done\n"
         "if [ -n \"$backend\" ] && [ -n \"$rdc\" ]; then\n"
         "  echo 'hipcc: error: --backend=inflight does not support -fgpu-rdc: it compiles each source by itself' >&2; "
         "exit 1\n"
         "fi\n"
         "count=$# language= given=\n"
         "while [ $count -gt 0 ]; do\n"
         "  word=$1; shift; count=$((count - 1))\n"
         "  case $word in\n"
         "  -x) given=yes; set -- \"$@\" \"$word\" ;;\n"
         "  --backend=*) ;;\n"
         "  --genco) set -- \"$@\" --offload-device-only ;;\n"
         "  --amdgpu-target=*) set -- \"$@\" \"--offload-arch=${word#*=}\" ;;\n"
         "  -o|-I|-D|-L|-include|-isystem|-MF|-MT|-MQ)\n"
         "    set -- \"$@\" \"$word\" \"$1\"; shift; count=$((count - 1)) ;;\n"
         "  *.cpp|*.cc|*.cxx|*.C|*.cu|*.hip)\n"
         "    if [ -z \"$language$given\" ]; then set -- \"$@\" -x hip; language=hip; fi\n"
         "    set -- \"$@\" \"$word\" ;;\n"
         "  *.o|*.a|*.so|*.so.*)\n"
         "    if [ -n \"$language\" ]; then set -- \"$@\" -x none; language=; fi\n"
         "    set -- \"$@\" \"$word\" ;;\n"
         "  *) set -- \"$@\" \"$word\" ;;\n"
         "  esac\n"
         "done\n"
         "[ -z \"$links\" ] || set -- \"$@\" -L\"$root/lib\" -Wl,-rpath,\"$root/lib\" -lamdhip64\n"
         "exec \"$root/llvm/bin/clang++\" $arch $backend --rocm-path=\"$root\" -I\"$root/include\" "
         "-D__HIP_PLATFORM_AMD__=1 "
         "-D__AMDGCN_WAVEFRONT_SIZE=64 -Wno-macro-redefined -Wno-missing-template-arg-list-after-template-kw \"$@\"\n";
}

/// What clang runs in lld's place: bitcode becomes a code object by this compiler. Clang's optimisation ends early
/// where it expects that of the linker.
static std::string backendText() {
  return R"sh(#!/bin/sh
# In place of lld: compiles clang's bitcode.
root=$(cd "$(dirname "$(readlink -f "$0")")/.." && pwd)
chip= level=3 out= input=
while [ $# -gt 0 ];
  do
  case $1 in
  -plugin-opt=mcpu=*) chip=${1#*mcpu=} ;;
  -plugin-opt=O[0-9]) level=${1#*opt=O} ;;
  -o) out=$2; shift ;;
  *.bc|*.o) input="$input $1" ;;
  esac
  shift
done
set -- $input
[ $# = 1 ] || { echo "hipcc: error: --backend=inflight takes one module a source, not $#: $*" >&2; exit 1; }
"$root/llvm/bin/clang" --target=amdgcn-amd-amdhsa -mcpu=$chip -nogpulib -x ir -O$level -emit-llvm -c -Wno-override-module "$1" -o "$out.bc" &&
  "$root/bin/inflight" compile -mcpu=$chip "$out.bc" -o "$out"
status=$?
rm -f "$out.bc"
exit $status
)sh";
}

/// A file below `from` as a path that doesn't depend on where one is.
static std::string absolute(StringRef path) {
  SmallString<128> whole(path);
  if (!sys::fs::make_absolute(whole))
    sys::path::remove_dots(whole, /*remove_dot_dot=*/false);
  return whole.str().str();
}

/// Whether hipcc of an sdk is there.
static bool isSdk(StringRef folder) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> hipcc = MemoryBuffer::getFile(folder + "/bin/hipcc");
  return hipcc && (*hipcc)->getBuffer().contains(hipccMark);
}

/// A folder that is to be made, or that may be made anew.
static Error checkPlace(StringRef folder) {
  if (!sys::fs::exists(folder) || isSdk(folder))
    return Error::success();
  if (!sys::fs::is_directory(folder))
    return makeError(folder + ": is there, and no folder");
  std::error_code code;
  if (sys::fs::directory_iterator(folder, code) == sys::fs::directory_iterator() && !code)
    return Error::success();
  return makeError(folder + ": isn't empty, and `inflight sdk` hasn't made it: nothing is changed there");
}

/// In place of the first folder's `name` that mentions `what`: that header, and `text` after it.
static void extendHeader(Prefix &prefix, ArrayRef<std::string> headers, StringRef name, StringRef what,
                         StringRef text) {
  for (const std::string &folder : headers) {
    ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(folder + name);
    if (!file)
      continue;
    if ((*file)->getBuffer().contains(what))
      prefix.file("include" + name, ("#include \"" + folder + name + "\"\n" + text).str());
    return;
  }
}

/// Before ROCm 6, headers leave functions to libraries and to headers of clang's that no longer have them.
static void addMissingFunctions(Prefix &prefix, ArrayRef<std::string> headers) {
  // The fence of __syncthreads() and __threadfence().
  extendHeader(prefix, headers, "/hip/amd_detail/device_library_decls.h", "__atomic_work_item_fence",
               R"(#ifndef INFLIGHT_FENCE_H
#define INFLIGHT_FENCE_H
#ifdef __HIP_DEVICE_COMPILE__
#define INFLIGHT_FENCE(scope) \
  switch (order) { \
  case __memory_order_acquire: return __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, scope); \
  case __memory_order_release: return __builtin_amdgcn_fence(__ATOMIC_RELEASE, scope); \
  case __memory_order_acq_rel: return __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, scope); \
  case __memory_order_seq_cst: return __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, scope); \
  default: return; \
  }
extern "C" __device__ inline __attribute__((always_inline)) void
__atomic_work_item_fence(__cl_mem_fence_flags, __memory_order order, __memory_scope scope) {
  switch (scope) {
  case __memory_scope_work_item: return;
  case __memory_scope_sub_group: INFLIGHT_FENCE("wavefront")
  case __memory_scope_work_group: INFLIGHT_FENCE("workgroup")
  case __memory_scope_device: INFLIGHT_FENCE("agent")
  default: INFLIGHT_FENCE("")
  }
}
#undef INFLIGHT_FENCE
#endif
#endif
)");
  // hrcp() and h2rcp().
  extendHeader(prefix, headers, "/hip/amd_detail/hip_fp16_math_fwd.h", "__llvm_amdgcn_rcp_f16",
               R"(#if !defined(INFLIGHT_RECIPROCAL_H) && __CLANG_HIP_RUNTIME_WRAPPER_INCLUDED__
#define INFLIGHT_RECIPROCAL_H
extern "C" __device__ inline _Float16 __llvm_amdgcn_rcp_f16(_Float16 x) { return __builtin_amdgcn_rcph(x); }
extern "C" __device__ inline __2f16 __llvm_amdgcn_rcp_2f16(__2f16 x) {
  return __2f16{__builtin_amdgcn_rcph(x.x), __builtin_amdgcn_rcph(x.y)};
}
#endif
)");
}

/// The libraries of device functions, with those names of chips and versions that newer compilers ask for.
static void linkDeviceLibraries(Prefix &prefix, const std::string &from, const std::string &llvm) {
  StringSet<> seen;
  linkTree(prefix, from, "amdgcn/bitcode", seen);
  auto stand = [&](StringRef wanted, ArrayRef<StringRef> substitutes) {
    if (seen.contains(("amdgcn/bitcode/" + wanted).str()))
      return;
    for (StringRef other : substitutes)
      if (seen.contains(("amdgcn/bitcode/" + other).str()))
        return prefix.link("amdgcn/bitcode/" + wanted, from + "/" + other);
  };
  // Older libraries read whether denormals are flushed from a file that clang 22 no longer links: gfx9 keeps them.
  if (const std::string flushes = from + "/oclc_daz_opt_off.bc"; sys::fs::exists(flushes))
    prefix.made("amdgcn/bitcode/ocml.bc",
                {llvm + "/bin/clang", "--target=amdgcn-amd-amdhsa", "-nogpulib", "-x", "ir", from + "/ocml.bc",
                 "-Xclang", "-mlink-builtin-bitcode", "-Xclang", flushes, "-O0", "-emit-llvm", "-c", "-o"});
  // A version's file holds one constant, by which the libraries choose code that both chips have.
  for (StringRef chip : {"942", "950"})
    stand(("oclc_isa_version_" + chip + ".bc").str(),
          {"oclc_isa_version_942.bc", "oclc_isa_version_940.bc", "oclc_isa_version_90a.bc"});
  stand("oclc_abi_version_500.bc", {"oclc_abi_version_400.bc"});
  stand("oclc_abi_version_600.bc", {"oclc_abi_version_500.bc", "oclc_abi_version_400.bc"});
}

std::string deviceLibraryFolder() {
  for (StringRef folder : {"/usr/lib/x86_64-linux-gnu/amdgcn/bitcode", "/usr/lib/aarch64-linux-gnu/amdgcn/bitcode",
                           "/usr/lib/llvm-17/lib/clang/17/amdgcn/bitcode"})
    if (sys::fs::exists(folder + "/ocml.bc"))
      return folder.str();
  return "";
}

static Expected<int> run(const Arguments &arguments) {
  std::vector<std::string> headers = arguments.all("headers");
  if (headers.empty())
    headers = {"/usr/include"};
  for (std::string &folder : headers)
    folder = absolute(folder);
  if (none_of(headers, [](const std::string &folder) { return sys::fs::exists(folder + "/hip/hip_runtime.h"); }))
    return makeError("no hip/hip_runtime.h in " + join(headers, ", ") +
                     "; --headers=DIR says where: Debian's libamdhip64-dev has it, and ROCm's include folder");
  const std::string llvm = absolute(arguments.get("llvm", "/usr/lib/llvm-22"));
  if (!sys::fs::exists(llvm + "/bin/clang++") || !sys::fs::exists(llvm + "/bin/ld.lld"))
    return makeError("no clang++ and ld.lld in " + llvm + "/bin (--llvm); Debian's packages are clang-22 and lld-22");
  if (!sys::fs::exists(llvm + "/bin/clang-offload-bundler"))
    return makeError("no clang-offload-bundler in " + llvm + "/bin (--llvm); Debian's package is clang-tools-22");
  std::string libraries = arguments.get("device-libs");
  if (libraries.empty())
    libraries = deviceLibraryFolder();
  if (!sys::fs::exists(libraries + "/ocml.bc"))
    return makeError("no ocml.bc (--device-libs); Debian's package is rocm-device-libs");
  libraries = absolute(libraries);
  Expected<std::string> runtime = hipLibraryFolder();
  if (!runtime)
    return runtime.takeError();
  if (Error error = checkPlace(arguments.positional.front()))
    return error;
  const std::string chip = arguments.get("mcpu", "gfx942");

  Prefix prefix(arguments.positional.front());
  StringSet<> seen;
  for (const std::string &folder : headers)
    linkTree(prefix, folder + "/hip", "include/hip", seen);
  addMissingFunctions(prefix, headers);
  if (seen.insert("include/hip/hip_version.h").second)
    prefix.file("include/hip/hip_version.h", versionHeader);
  linkDeviceLibraries(prefix, libraries, llvm);
  for (StringRef tool : {"clang", "clang++", "ld.lld", "lld", "clang-offload-bundler", "llvm-objcopy", "llvm-mc"})
    if (sys::fs::exists(llvm + "/bin/" + tool))
      prefix.link("llvm/bin/" + tool, llvm + "/bin/" + tool);
  for (StringRef file :
       {"libamdhip64.so", "libamdhip64.so.5", "libamdhip64.so.6", "libamdhip64.so.7", "libhiprtc.so", "libhiprtc.so.5",
        "libhiprtc.so.6", "libhiprtc.so.7", "libhsa-runtime64.so", "libhsa-runtime64.so.1", "libinflight.so"})
    prefix.link("lib/" + file, *runtime + "/" + file);
  prefix.file("share/hip/version", versionFile);
  prefix.file("bin/hipcc", hipccText(chip), /*isProgram=*/true);
  prefix.file("backend/lld", backendText(), /*isProgram=*/true);
  prefix.link("bin/inflight", commandFile());
  prefix.file("bin/rocm_agent_enumerator", "#!/bin/sh\necho ${INFLIGHT_CHIP:-" + chip + "}\n", /*isProgram=*/true);
  prefix.file("bin/rocminfo",
              "#!/bin/sh\nprintf 'Agent 1\\n  Name:                    %s\\n  Device Type:             GPU\\n' "
              "${INFLIGHT_CHIP:-" +
                  chip + "}\n",
              /*isProgram=*/true);
  if (prefix.error)
    return std::move(prefix.error);
  outs() << arguments.positional.front() << ": bin/hipcc program.hip -o program, then ./program\n";
  return 0;
}

const Verb sdkVerb{"sdk",
                   "Make a folder in place of ROCm's, to compile HIP programs",
                   {"DIR"},
                   options,
                   "  inflight sdk rocm\n"
                   "  rocm/bin/hipcc saxpy.hip -o saxpy && inflight exec --check=all -- ./saxpy\n"
                   "  inflight sdk --headers=/opt/rocm/include --mcpu=gfx950 rocm\n",
                   run,
                   Positional::Other};

} // namespace inflight::cli
