#include "Kernels.h"

#include "gtest/gtest.h"

using namespace inflight::machine::test;

namespace inflight::fidelity {

std::string numbered(unsigned count, const std::string &text) {
  std::string all;
  for (unsigned i = 0; i < count; ++i) {
    for (size_t at = 0; at < text.size(); ++at)
      all += text[at] == '%' ? std::to_string(i) : std::string(1, text[at]);
    all += "\n";
  }
  return all;
}

/// A loop of `rounds`.
static std::string loop(unsigned rounds, const std::string &body) {
  return "s_mov_b32 s90, 0\n.Lround:\n" + body + "\ns_add_u32 s90, s90, 1\ns_cmp_lt_u32 s90, " +
         std::to_string(rounds) + "\ns_cbranch_scc1 .Lround\n";
}

double clocked(const TimedSnippet &base, const std::string &before, const std::string &body) {
  TimedSnippet snippet = base;
  snippet.body = before + "\ns_waitcnt vmcnt(0) lgkmcnt(0)\n" +
                 loop(3, "s_barrier\n.p2align 6\ns_memtime s[80:81]\n" + body +
                             "\ns_memtime s[82:83]\ns_waitcnt vmcnt(0) lgkmcnt(0)\n");
  const Recording recording = runTimed(snippet);
  const auto clocks = recording.of("s_memtime", 0);
  if (clocks.size() < 2) {
    ADD_FAILURE() << "no result";
    return 0;
  }
  return double(clocks.back().issued - clocks[clocks.size() - 2].issued);
}

double throughput(const TimedSnippet &base, const std::string &before, unsigned count, const std::string &numberedBody,
                  const std::string &wait) {
  return (clocked(base, before, numbered(count, numberedBody) + wait) -
          clocked(base, before, numbered(1, numberedBody) + wait)) /
         (count - 1);
}

double chained(const TimedSnippet &base, const std::string &before, const std::string &body) {
  constexpr unsigned copies = 16;
  return (clocked(base, before, repeat(2 * copies, body)) - clocked(base, before, repeat(copies, body))) / copies;
}

} // namespace inflight::fidelity
