// A program that tries what it shouldn't: stranger WHAT [FILE]. Prints "could" or "couldn't".
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

static int networks(void) {
  struct if_nameindex *all = if_nameindex();
  int others = 0;
  for (struct if_nameindex *one = all; one && one->if_index; ++one)
    others += strcmp(one->if_name, "lo") != 0;
  return others;
}

static int fill(const char *file, long bytes) {
  const int to = open(file, O_CREAT | O_WRONLY | O_TRUNC, 0644);
  char block[65536] = {0};
  long written = 0;
  for (long got; to >= 0 && written < bytes && (got = write(to, block, sizeof block)) > 0;)
    written += got;
  return to >= 0 && written >= bytes;
}

static int allocate(size_t bytes) {
  char *all = malloc(bytes);
  if (!all)
    return 0;
  memset(all, 1, bytes);
  return all[bytes / 2];
}

/// Each has too little for a limit of its own.
static int together(void) {
  for (int i = 0; i < 8; ++i)
    if (fork() == 0) {
      allocate(100l << 20);
      pause();
    }
  return wait(NULL) > 0;
}

static int multiply(void) {
  for (int i = 0; i < 400; ++i)
    if (fork() == 0) {
      pause();
      _exit(0);
    }
  return wait(NULL) > 0;
}

int main(int count, char **words) {
  const char *what = words[1], *file = count > 2 ? words[2] : "";
  int could = 0;
  if (!strcmp(what, "read"))
    could = open(file, O_RDONLY) >= 0;
  else if (!strcmp(what, "write"))
    could = fill(file, 100);
  else if (!strcmp(what, "descriptors"))
    could = fcntl(9, F_GETFD) >= 0;
  else if (!strcmp(what, "large"))
    could = fill(file, 3l << 20);
  else if (!strcmp(what, "network"))
    could = networks() > 0;
  else if (!strcmp(what, "trace"))
    could = ptrace(PTRACE_TRACEME, 0, 0, 0) == 0;
  else if (!strcmp(what, "namespace"))
    could = unshare(CLONE_NEWUSER) == 0;
  else if (!strcmp(what, "secret"))
    could = getenv("SECRET") != NULL;
  else if (!strcmp(what, "others"))
    could = getppid() > 100;
  else if (!strcmp(what, "memory"))
    could = allocate(600l << 20);
  else if (!strcmp(what, "together"))
    could = together();
  else if (!strcmp(what, "multiply"))
    could = multiply();
  else if (!strcmp(what, "forever"))
    for (;;)
      pause();
  else if (!strcmp(what, "status"))
    return 7;
  puts(could ? "could" : "couldn't");
  return 0;
}
