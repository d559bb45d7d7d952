// A kernel that is compiled when the program runs: a template by a name expression, a header, a log with the error.
#include <hip/hip_runtime.h>
#include <string.h>

extern "C" {
int hiprtcCreateProgram(void **, const char *, const char *, int, const char *const *, const char *const *);
int hiprtcAddNameExpression(void *, const char *);
int hiprtcCompileProgram(void *, int, const char *const *);
int hiprtcGetLoweredName(void *, const char *, const char **);
int hiprtcGetCodeSize(void *, size_t *);
int hiprtcGetCode(void *, char *);
int hiprtcGetProgramLogSize(void *, size_t *);
int hiprtcGetProgramLog(void *, char *);
int hiprtcDestroyProgram(void **);
const char *hiprtcGetErrorString(int);
hipError_t hipModuleGetFunction(void **, void *, const char *);
hipError_t hipModuleLaunchKernel(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, hipStream_t,
                                 void **, void **);
}

static const char *const text = "#include \"factor.h\"\n"
                                "namespace n { template <class T> __global__ void times(T *to, int count) {\n"
                                "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
                                "  if (i < count) to[i] *= FACTOR;\n"
                                "} }\n";

int main(int count, char **) {
  void *program;
  const char *header = "#pragma once\n", *name = "factor.h", *options[] = {"-DFACTOR=3"};
  hiprtcCreateProgram(&program, text, "times.hip", 1, &header, &name);
  hiprtcAddNameExpression(program, "n::times<float>");
  const int status = hiprtcCompileProgram(program, count > 1 ? 0 : 1, options);
  size_t size = 0;
  static char log[1 << 16], code[1 << 20];
  hiprtcGetProgramLogSize(program, &size);
  hiprtcGetProgramLog(program, log);
  printf("%s %s\n", hiprtcGetErrorString(status), log);
  if (status)
    return 0;
  hiprtcGetCodeSize(program, &size);
  hiprtcGetCode(program, code);
  const char *lowered = "";
  hiprtcGetLoweredName(program, "n::times<float>", &lowered);
  printf("%s, other: %s\n", lowered, hiprtcGetErrorString(hiprtcGetLoweredName(program, "other", &lowered)));
  void *module, *kernel, *memory;
  printf("%s\n", hipGetErrorName(hipModuleLoadData(&module, code)));
  hiprtcGetLoweredName(program, "n::times<float>", &lowered);
  hipModuleGetFunction(&kernel, module, lowered);
  float values[100];
  int n = 100;
  for (int i = 0; i < n; ++i)
    values[i] = i;
  hipMalloc(&memory, sizeof(values));
  hipMemcpy(memory, values, sizeof(values), hipMemcpyHostToDevice);
  void *arguments[] = {&memory, &n};
  hipModuleLaunchKernel(kernel, 2, 1, 1, 64, 1, 1, 0, nullptr, arguments, nullptr);
  hipMemcpy(values, memory, sizeof(values), hipMemcpyDeviceToHost);
  int wrong = 0;
  for (int i = 0; i < n; ++i)
    wrong += values[i] != 3.f * i;
  printf("%d wrong, %s\n", wrong, hiprtcGetErrorString(hiprtcDestroyProgram(&program)));
  return wrong;
}
