// Which host thread is told that no workgroup can go on.
#include "machine/Residents.h"

#include "gtest/gtest.h"
#include <chrono>
#include <thread>

namespace inflight::machine::test {
namespace {

/// What one thread has put aside: a workgroup of one wave that never goes on.
Residents::Aside oneThatWaits() {
  Residents::Aside aside;
  aside.push_back(std::make_unique<WorkgroupRun>());
  aside.back()->reset({0, 0, 0}, 1, 0, 0);
  aside.back()->waves[0].status = Status::AtBarrier;
  return aside;
}

/// One thread alone is told: it then changes its workgroups, at which no other thread may look meanwhile.
TEST(Residents, OneThreadIsToldThatNothingGoesOn) {
  constexpr unsigned threads = 4;
  Residents residents(0, 1, threads, nullptr);
  std::atomic<bool> stop = false;
  std::atomic<unsigned> told = 0;
  std::vector<Residents::Aside> asides;
  for (unsigned i = 0; i < threads; ++i)
    asides.push_back(oneThatWaits());
  for (const Residents::Aside &aside : asides)
    residents.enter(aside);
  std::vector<std::thread> running;
  for (unsigned i = 0; i < threads; ++i)
    running.emplace_back([&, i] {
      if (!residents.waitForChange(asides[i], stop, [] { return false; })) {
        ++told;
        asides[i].front()->waves[0].status = Status::Faulted;
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        stop = true;
      }
    });
  for (std::thread &thread : running)
    thread.join();
  EXPECT_EQ(told, 1u);
  for (const Residents::Aside &aside : asides)
    residents.leave(aside);
}

} // namespace
} // namespace inflight::machine::test
