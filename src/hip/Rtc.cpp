// hiprtc: programs that compile kernels when they run. hipcc of `inflight sdk` compiles, found by INFLIGHT_HIPCC,
// ROCM_PATH, HIP_PATH or PATH. The file of this library has the names libhiprtc.so.N, too. Numbers and signatures:
// HIP 7.1's hiprtc.h.
#include "hip/runtime/Runtime.h"

#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"
#include <cstdlib>
#include <cstring>

using namespace llvm;
using namespace inflight::hip;

namespace {

enum RtcResult : int {
  RtcSuccess = 0,
  RtcOutOfMemory = 1,
  RtcInvalidInput = 3,
  RtcInvalidProgram = 4,
  RtcInvalidOption = 5,
  RtcCompilation = 6,
  RtcNameNotValid = 10,
  RtcInternal = 11,
};

struct RtcProgram {
  std::string source, name, code, log;
  std::vector<std::pair<std::string, std::string>> headers;     ///< names and texts
  std::vector<std::pair<std::string, std::string>> expressions; ///< and the kernels' names, once compiled
};

} // namespace

/// Names of variables that make the compiler keep what an expression names.
static constexpr StringRef keeper = "__inflight_rtc_name_";

static std::string findHipcc() {
  if (const char *given = std::getenv("INFLIGHT_HIPCC"); given && *given)
    return given;
  for (const char *variable : {"ROCM_PATH", "HIP_PATH"})
    if (const char *root = std::getenv(variable); root && sys::fs::can_execute(Twine(root) + "/bin/hipcc"))
      return std::string(root) + "/bin/hipcc";
  ErrorOr<std::string> found = sys::findProgramByName("hipcc");
  return found ? *found : "";
}

static std::string readWhole(const Twine &path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(path);
  return file ? (*file)->getBuffer().str() : "";
}

static bool writeWhole(const Twine &path, StringRef text) {
  std::error_code error;
  raw_fd_ostream os(path.str(), error);
  os << text;
  os.close();
  const bool isWritten = !error && !os.has_error();
  os.clear_error();
  return isWritten;
}

/// As an expression is compared with a demangled name: without blanks, result and parameters.
static std::string bare(StringRef name) {
  std::string text;
  unsigned depth = 0;
  name.consume_front("void ");
  for (char c : name) {
    if (c == '(' && !depth && !text.empty())
      break;
    depth += c == '<';
    depth -= c == '>';
    if (c != ' ' && c != '&')
      text += c;
  }
  return text;
}

/// The kernels that the expressions mean, by what they are called in C++.
static bool lower(RtcProgram &program) {
  Runtime &runtime = Runtime::get();
  ifl_module *module = nullptr;
  char *text = nullptr;
  if (ifl_module_load(runtime.context, program.code.data(), program.code.size(), nullptr, &module) != IFL_OK)
    return false;
  const scope_exit unload([&] {
    ifl_free(text);
    ifl_module_unload(module);
  });
  if (ifl_module_info(module, &text) != IFL_OK)
    return false;
  Expected<json::Value> info = json::parse(text);
  if (!info) {
    consumeError(info.takeError());
    return false;
  }
  for (auto &[expression, lowered] : program.expressions)
    for (const json::Value &kernel : *info->getAsObject()->getArray("kernels")) {
      const std::string name = kernel.getAsObject()->getString("name").value_or("").str();
      if (name == expression || bare(demangle(name)) == bare(expression))
        lowered = name;
    }
  return true;
}

static RtcResult compileIn(RtcProgram &program, StringRef folder, const std::string &hipcc,
                           ArrayRef<const char *> options) {
  for (const auto &[name, text] : program.headers) {
    SmallString<128> path(folder);
    sys::path::append(path, name);
    (void)sys::fs::create_directories(sys::path::parent_path(path));
    if (!writeWhole(path, text))
      return RtcInternal;
  }
  std::string source = "#line 1 \"" + program.name + "\"\n" + program.source + "\n";
  for (size_t i = 0; i < program.expressions.size(); ++i) {
    const StringRef expression = StringRef(program.expressions[i].first).trim().ltrim('&');
    source += formatv("__device__ __attribute__((used)) auto *{0}{1} = &{2};\n", keeper, i, expression);
  }
  const std::string input = (folder + "/program.hip").str(), output = (folder + "/program.hsaco").str(),
                    messages = (folder + "/messages").str();
  if (!writeWhole(input, source))
    return RtcInternal;
  std::vector<std::string> words = {hipcc,        "--cuda-device-only", "--no-gpu-bundle-output", "-c", "-O3",
                                    "-std=c++17", "-include",           "hip/hip_runtime.h",      "-I", folder.str()};
  bool hasChip = false;
  for (StringRef option : options) {
    hasChip |= option.starts_with("--offload-arch") || option.starts_with("--gpu-architecture");
    if (option.consume_front("--gpu-architecture="))
      words.push_back("--offload-arch=" + option.str());
    else if (option != "-default-device" && !option.starts_with("-fgpu-rdc"))
      words.push_back(option.str());
  }
  if (const Product *product = hasChip ? nullptr : Runtime::get().product())
    words.push_back("--offload-arch=" + product->chip);
  words.insert(words.end(), {"-o", output, input});
  const std::vector<StringRef> arguments(words.begin(), words.end());
  const std::optional<StringRef> redirects[] = {std::nullopt, StringRef(messages), StringRef(messages)};
  std::string failure;
  const int status = sys::ExecuteAndWait(hipcc, arguments, std::nullopt, redirects, 0, 0, &failure);
  program.log = readWhole(messages) + failure;
  if (status)
    return RtcCompilation;
  program.code = readWhole(output);
  return lower(program) ? RtcSuccess : RtcInternal;
}

HIP_EXPORT const char *hiprtcGetErrorString(int result) {
  switch (result) {
  case RtcSuccess: return "HIPRTC_SUCCESS";
  case RtcOutOfMemory: return "HIPRTC_ERROR_OUT_OF_MEMORY";
  case RtcInvalidInput: return "HIPRTC_ERROR_INVALID_INPUT";
  case RtcInvalidProgram: return "HIPRTC_ERROR_INVALID_PROGRAM";
  case RtcInvalidOption: return "HIPRTC_ERROR_INVALID_OPTION";
  case RtcCompilation: return "HIPRTC_ERROR_COMPILATION";
  case RtcNameNotValid: return "HIPRTC_ERROR_NAME_EXPRESSION_NOT_VALID";
  default: return "HIPRTC_ERROR_INTERNAL_ERROR";
  }
}

HIP_EXPORT int hiprtcVersion(int *major, int *minor) {
  if (!major || !minor)
    return RtcInvalidInput;
  *major = 9;
  *minor = 0;
  return RtcSuccess;
}

HIP_EXPORT int hiprtcCreateProgram(void **program, const char *source, const char *name, int headers,
                                   const char *const *texts, const char *const *names) {
  if (!program || !source || headers < 0 || (headers && (!texts || !names)))
    return RtcInvalidInput;
  auto *made = new RtcProgram;
  made->source = source;
  made->name = name && *name ? name : "program";
  for (int i = 0; i < headers; ++i)
    made->headers.push_back({names[i], texts[i]});
  *program = made;
  return RtcSuccess;
}

HIP_EXPORT int hiprtcDestroyProgram(void **program) {
  if (!program || !*program)
    return RtcInvalidProgram;
  delete static_cast<RtcProgram *>(*program);
  *program = nullptr;
  return RtcSuccess;
}

HIP_EXPORT int hiprtcAddNameExpression(void *program, const char *expression) {
  if (!program || !expression)
    return RtcInvalidInput;
  static_cast<RtcProgram *>(program)->expressions.push_back({expression, ""});
  return RtcSuccess;
}

HIP_EXPORT int hiprtcCompileProgram(void *handle, int count, const char *const *options) {
  if (!handle || count < 0 || (count && !options))
    return RtcInvalidInput;
  RtcProgram &program = *static_cast<RtcProgram *>(handle);
  const std::string hipcc = findHipcc();
  if (hipcc.empty()) {
    program.log = "no hipcc: ROCM_PATH has to name a folder that `inflight sdk` has made, or PATH one with hipcc";
    errs() << "inflight: hiprtcCompileProgram: " << program.log << '\n';
    return RtcCompilation;
  }
  SmallString<128> folder;
  if (sys::fs::createUniqueDirectory("inflight-rtc", folder))
    return RtcInternal;
  const scope_exit remove([&] { (void)sys::fs::remove_directories(folder); });
  return compileIn(program, folder, hipcc, ArrayRef(options, size_t(count)));
}

HIP_EXPORT int hiprtcGetLoweredName(void *handle, const char *expression, const char **lowered) {
  if (!handle || !expression || !lowered)
    return RtcInvalidInput;
  for (const auto &[its, name] : static_cast<RtcProgram *>(handle)->expressions)
    if (its == expression && !name.empty()) {
      *lowered = name.c_str();
      return RtcSuccess;
    }
  return RtcNameNotValid;
}

/// Bytes of the code or the log; a log has a zero at its end.
static int giveText(void *handle, std::string RtcProgram::*text, size_t extra, size_t *bytes, char *to) {
  if (!handle || (!bytes && !to))
    return RtcInvalidInput;
  const std::string &from = static_cast<RtcProgram *>(handle)->*text;
  if (bytes)
    *bytes = from.size() + extra;
  if (to)
    std::memcpy(to, from.c_str(), from.size() + extra);
  return RtcSuccess;
}

HIP_EXPORT int hiprtcGetCodeSize(void *program, size_t *bytes) {
  return giveText(program, &RtcProgram::code, 0, bytes, nullptr);
}
HIP_EXPORT int hiprtcGetCode(void *program, char *to) { return giveText(program, &RtcProgram::code, 0, nullptr, to); }
HIP_EXPORT int hiprtcGetProgramLogSize(void *program, size_t *bytes) {
  return giveText(program, &RtcProgram::log, 1, bytes, nullptr);
}
HIP_EXPORT int hiprtcGetProgramLog(void *program, char *to) {
  return giveText(program, &RtcProgram::log, 1, nullptr, to);
}

/// What would need the compiler's intermediate code.
static int notServed(const char *function) {
  errs() << "inflight: " << function << ": Inflight's HIP library has this name and does nothing for it\n";
  return RtcInternal;
}
HIP_EXPORT int hiprtcGetBitcodeSize(void *, size_t *) { return notServed("hiprtcGetBitcodeSize"); }
HIP_EXPORT int hiprtcGetBitcode(void *, char *) { return notServed("hiprtcGetBitcode"); }
HIP_EXPORT int hiprtcLinkCreate(unsigned, int *, void **, void **) { return notServed("hiprtcLinkCreate"); }
HIP_EXPORT int hiprtcLinkAddData(void *, int, void *, size_t, const char *, unsigned, int *, void **) {
  return notServed("hiprtcLinkAddData");
}
HIP_EXPORT int hiprtcLinkAddFile(void *, int, const char *, unsigned, int *, void **) {
  return notServed("hiprtcLinkAddFile");
}
HIP_EXPORT int hiprtcLinkComplete(void *, void **, size_t *) { return notServed("hiprtcLinkComplete"); }
HIP_EXPORT int hiprtcLinkDestroy(void *) { return notServed("hiprtcLinkDestroy"); }
