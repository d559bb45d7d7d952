#include "cli/sandbox/SystemCalls.h"

#include <cerrno>
#include <cstddef>
#include <linux/audit.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <sys/syscall.h>

namespace inflight::cli {

/// They change the system, look into other processes, or reach parts of the kernel that programs have no need of.
static constexpr uint32_t refused[] = {
    SYS_ptrace,
    SYS_process_vm_readv,
    SYS_process_vm_writev,
    SYS_kcmp,
    SYS_pidfd_getfd,
    SYS_mount,
    SYS_umount2,
    SYS_pivot_root,
    SYS_chroot,
    SYS_fsopen,
    SYS_fsconfig,
    SYS_fsmount,
    SYS_fspick,
    SYS_move_mount,
    SYS_open_tree,
    SYS_mount_setattr,
    SYS_unshare,
    SYS_setns,
    SYS_bpf,
    SYS_perf_event_open,
    SYS_userfaultfd,
    SYS_io_uring_setup,
    SYS_io_uring_enter,
    SYS_io_uring_register,
    SYS_add_key,
    SYS_request_key,
    SYS_keyctl,
    SYS_open_by_handle_at,
    SYS_init_module,
    SYS_finit_module,
    SYS_delete_module,
    SYS_kexec_load,
    SYS_kexec_file_load,
    SYS_reboot,
    SYS_swapon,
    SYS_swapoff,
    SYS_acct,
    SYS_quotactl,
    SYS_syslog,
    SYS_settimeofday,
    SYS_clock_settime,
    SYS_clock_adjtime,
    SYS_adjtimex,
    SYS_sethostname,
    SYS_setdomainname,
    SYS_iopl,
    SYS_ioperm,
    SYS_modify_ldt,
    SYS_vhangup,
    SYS_personality,
};

static constexpr uint32_t newNamespaces =
    CLONE_NEWNS | CLONE_NEWCGROUP | CLONE_NEWUTS | CLONE_NEWIPC | CLONE_NEWUSER | CLONE_NEWPID | CLONE_NEWNET;
/// Numbers from there on are calls of 32-bit pointers, which none of the others stand for.
static constexpr uint32_t x32 = 0x40000000;

std::vector<sock_filter> systemCallFilter() {
  const auto load = [](size_t offset) -> sock_filter { return BPF_STMT(BPF_LD | BPF_W | BPF_ABS, uint32_t(offset)); };
  const auto answer = [](uint32_t what) -> sock_filter { return BPF_STMT(BPF_RET | BPF_K, what); };
  // Each test has its answer behind it.
  const auto unless = [](uint32_t test, uint32_t value) -> sock_filter {
    return BPF_JUMP(BPF_JMP | test | BPF_K, value, 0, 1);
  };
  const sock_filter refuse = answer(SECCOMP_RET_ERRNO | EPERM);
  std::vector<sock_filter> filter = {
      load(offsetof(seccomp_data, arch)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, AUDIT_ARCH_X86_64, 1, 0),
      refuse,
      load(offsetof(seccomp_data, nr)),
      unless(BPF_JGE, x32),
      refuse,
      unless(BPF_JEQ, SYS_clone3),
      answer(SECCOMP_RET_ERRNO | ENOSYS),
  };
  for (uint32_t call : refused) {
    filter.push_back(unless(BPF_JEQ, call));
    filter.push_back(refuse);
  }
  filter.push_back(BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clone, 0, 3));
  filter.push_back(load(offsetof(seccomp_data, args)));
  filter.push_back(unless(BPF_JSET, newNamespaces));
  filter.push_back(refuse);
  filter.push_back(answer(SECCOMP_RET_ALLOW));
  return filter;
}

} // namespace inflight::cli
