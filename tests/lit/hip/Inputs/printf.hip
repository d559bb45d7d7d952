#include <hip/hip_runtime.h>

extern "C" __device__ void __assert_fail(const char *what, const char *file, unsigned line, const char *function) {
  printf("%s:%u: %s: '%s' failed\n", "printf.hip", line, function, what);
  __builtin_trap();
}

__global__ void tell(int bad) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 50 == 7)
    printf("%d: %5.2f|%-5s|%s|%*x|%llu|%c%%\n", i, i * 0.25, i & 1 ? "odd" : "even", "a text of more than seven words, "
           "so that it is passed in several packets and put together again by the host", 6, i,
           (unsigned long long)i << 40, 'a' + i % 26);
  if (i == bad)
    __assert_fail("i != bad", "", 16, "tell");
}

int main(int count, char **) {
  tell<<<dim3(2), dim3(64)>>>(count > 1 ? 64 : -1);
  hipError_t error = hipDeviceSynchronize();
  printf("%s %s\n", hipGetErrorName(hipGetLastError()), hipGetErrorName(error));
}
