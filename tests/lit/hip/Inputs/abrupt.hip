// Programs that end, throw or fork where a library would not expect it.
#include <hip/hip_runtime.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

__global__ void twice(int *to, int n, int rounds) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  for (int round = 0; round < rounds; ++round)
    if (i < n)
      to[i] = 2 * to[i] + round % 2;
}

static const int n = 256;

static int launch(int rounds) {
  int host[n], *device;
  for (int i = 0; i < n; ++i)
    host[i] = i;
  if (hipMalloc((void **)&device, sizeof(host)))
    return 1;
  hipMemcpy(device, host, sizeof(host), hipMemcpyHostToDevice);
  twice<<<dim3(4), dim3(64)>>>(device, n, rounds);
  hipMemcpy(host, device, sizeof(host), hipMemcpyDeviceToHost);
  hipFree(device);
  return rounds == 1 && host[n - 1] != 2 * (n - 1);
}

static void leave(void *) { exit(5); }
static void fail(void *) { throw 7; }

/// What the child says, and that it ends.
static int child() {
  const pid_t pid = fork();
  if (!pid) {
    const int wrong = launch(1);
    printf("child: %s\n", wrong ? "wrong" : "right");
    fflush(stdout);
    _exit(wrong);
  }
  int status = 0;
  waitpid(pid, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

int main(int, char **words) {
  const int before = launch(1);
  if (!strcmp(words[1], "callback-exit"))
    hipLaunchHostFunc(nullptr, leave, nullptr);
  if (!strcmp(words[1], "throw")) {
    try {
      hipLaunchHostFunc(nullptr, fail, nullptr);
    } catch (int number) {
      printf("caught %d\n", number);
    }
    return launch(1);
  }
  if (!strcmp(words[1], "fork"))
    return before + child() + launch(1);
  std::thread other([] { launch(100000); });
  usleep(100000);
  if (!strcmp(words[1], "busy-fork")) {
    const int status = child();
    other.join();
    return status;
  }
  exit(6); // while the other thread's kernel runs
}
