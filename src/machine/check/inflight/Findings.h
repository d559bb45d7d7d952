// What the checks of a run have found.
#pragma once

#include "machine/wave/Wave.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <map>
#include <string>
#include <vector>

namespace llvm {
class raw_ostream;
}

namespace inflight {
struct InstrDesc;
}

namespace inflight::machine {

namespace check {

/// In the order in which reports list findings at one place.
enum class Kind : uint8_t {
#define FINDING(KIND, NAME, IN_ALL) KIND,
#include "machine/check/inflight/Findings.def"
};
inline constexpr unsigned kindCount = 0
#define FINDING(KIND, NAME, IN_ALL) +1
#include "machine/check/inflight/Findings.def"
    ;

/// "in-flight", "race", ... as options and reports spell it.
llvm::StringRef kindName(Kind kind);
/// With commas, of those that "all" has or leaves out.
std::string kindNames(bool inAll);

/// Which checks run, and how loads are delivered.
struct Options {
  bool enabled[kindCount] = {};
  /// Results of loads arrive at random legal moments instead of the last one.
  bool randomDelivery = false;
  /// Stores to global memory become visible to other workgroups as late as they may; wants a single host thread.
  bool lateStores = false;
  uint64_t seed = 0;
  llvm::raw_ostream *trace = nullptr; ///< what waves execute is written here (Trace.h); wants a single host thread
  bool has(Kind kind) const { return enabled[unsigned(kind)]; }
  /// Whether instructions have to be looked at at all.
  bool observes() const { return any() || trace || lateStores; }
  bool any() const {
    for (bool e : enabled)
      if (e)
        return true;
    return false;
  }
};

/// `list`: "all" or names of kinds with commas, empty for none; `delivery`: "latest" or "random" with ":SEED".
llvm::Expected<Options> parseOptions(llvm::StringRef list, llvm::StringRef delivery = "latest");

/// One thing that is wrong, found at `op`. `other` is the other side, null where there is none.
struct Finding {
  Kind kind = Kind::InFlight;
  const Op *op = nullptr, *other = nullptr;
  const Op *cause = nullptr; ///< of undefined values the load that brought them; null where it isn't known
  std::string message;
  std::string hint; ///< what would be right, may be empty
  uint32_t group[3] = {0, 0, 0};
  int wave = -1, otherWave = -1; ///< within the workgroup; -1 unknown
  int lane = -1;                 ///< -1: none or unknown
  uint64_t count = 1;            ///< how often it was found, the rest being as the first time
};

/// Findings of one host thread, one for each kind and pair of instructions. Of a race either side may come first: the
/// pair has no order.
class Findings {
public:
  /// Whether the pair is new; if not it is only counted. Called before a message is made.
  bool isNew(Kind kind, const Op *op, const Op *other);
  void add(Finding &&finding);
  void merge(const Findings &other);
  bool empty() const { return found.empty(); }
  /// By the place in the code, then by kind. Undefined values that a race has brought are left out: they are the
  /// race's.
  std::vector<Finding> list() const;

private:
  struct Key {
    const Op *op;
    Kind kind; // before the other side: a wrong access is often what a missing wait leads to
    const Op *other;
    auto operator<=>(const Key &) const = default;
  };
  static Key keyOf(Kind kind, const Op *op, const Op *other);
  std::map<Key, Finding> found;
};

} // namespace check

/// A finding as callers of run() see it, with addresses in the code object's image and texts.
struct ReportedFinding : check::Finding {
  uint64_t address = 0, otherAddress = 0;
  const InstrDesc *otherDesc = nullptr;      ///< null where there is no other side
  std::string instruction, otherInstruction; ///< otherInstruction is empty where there is no other side
};

} // namespace inflight::machine
