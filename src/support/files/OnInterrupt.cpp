#include "support/files/OnInterrupt.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Signals.h"
#include <csignal>
#include <pthread.h>
#include <thread>
#include <vector>

using namespace llvm;

namespace inflight {

namespace {

/// Lives until the process is gone, as the thread that listens does.
struct Listener {
  std::recursive_mutex mutex;
  std::vector<const OnInterrupt *> all;
  sigset_t signals;

  static Listener &get() {
    static Listener *const listener = new Listener;
    return *listener;
  }

private:
  /// Threads that are started later inherit the mask: only the one that listens gets the signals.
  Listener() {
    sigemptyset(&signals);
    for (int number : {SIGINT, SIGTERM, SIGHUP}) {
      struct sigaction now;
      // nohup and shells' background jobs want them ignored.
      if (sigaction(number, nullptr, &now) == 0 && now.sa_handler != SIG_IGN)
        sigaddset(&signals, number);
    }
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    pthread_atfork(nullptr, nullptr, [] { pthread_sigmask(SIG_UNBLOCK, &get().signals, nullptr); });
    std::thread([this] { listen(); }).detach();
  }

  void listen() {
    int number;
    if (sigwait(&signals, &number) != 0)
      return;
    mutex.lock(); // for good: nothing is finished any more
    sys::RunInterruptHandlers();
    for (const OnInterrupt *each : reverse(all))
      each->undo();
    std::signal(number, SIG_DFL);
    pthread_sigmask(SIG_UNBLOCK, &signals, nullptr);
    std::raise(number);
  }
};

} // namespace

OnInterrupt::OnInterrupt(std::function<void()> undo) : undo(std::move(undo)) {
  const auto lock = holdInterrupts();
  Listener::get().all.push_back(this);
}

OnInterrupt::~OnInterrupt() {
  const auto lock = holdInterrupts();
  llvm::erase(Listener::get().all, this);
}

std::unique_lock<std::recursive_mutex> holdInterrupts() { return std::unique_lock(Listener::get().mutex); }

} // namespace inflight
