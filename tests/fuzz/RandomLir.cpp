// Random LIR through scheduling, register allocation with few registers, its checker, waits and emission; the code
// object's results on the machine are held against an evaluation of the text, which knows none of these.
//
//     random_lir FIRST COUNT [--print]     functions FIRST to FIRST + COUNT - 1; --print shows their text
#include "RandomLirFunction.h"
#include "compiler/combine/Combine.h"
#include "compiler/emit/Emit.h"
#include "compiler/finish/Finish.h"
#include "compiler/lir/Read.h"
#include "compiler/lir/Verify.h"
#include "compiler/regalloc/RegAlloc.h"
#include "compiler/schedule/Schedule.h"
#include "machine/Machine.h"
#include "program/assemble/Assembler.h"
#include "support/Diagnostics.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace inflight;

namespace {

/// What a function is compiled with: fewer registers than it needs, mostly.
struct Plan {
  lir::RegAllocOptions allocation;
  bool combines, schedules;
};

Plan planOf(std::mt19937_64 &random) {
  auto below = [&](unsigned limit) { return unsigned(random() % limit); };
  Plan plan;
  plan.allocation.check = true;
  if (below(4))
    plan.allocation.most.vgprs = 12 + below(40);
  if (below(3) == 0)
    plan.allocation.most.sgprs = 24 + below(40);
  if (below(3) == 0)
    plan.allocation.most.agprs = below(20);
  if (below(4) == 0)
    plan.allocation.minWavesPerSimd = 1 + below(8);
  plan.combines = below(2);
  plan.schedules = below(2);
  return plan;
}

/// An error of a function that has registers enough is a defect; `isTooSmall` says that it hadn't.
Error compile(lir::Function &function, const Plan &plan, bool &isTooSmall) {
  auto verify = [&](StringRef pass) -> Error {
    if (Error error = lir::verify(function))
      return makeError("after " + pass + ": " + toString(std::move(error)));
    return Error::success();
  };
  if (Error error = verify("reading"))
    return error;
  if (plan.combines) {
    lir::eliminateDeadCode(function);
    lir::combineInstructions(function);
    lir::eliminateDeadCode(function);
    if (Error error = verify("combine"))
      return error;
  }
  if (plan.schedules) {
    if (Expected<unsigned> waves = lir::scheduleInstructions(function, plan.allocation.minWavesPerSimd); !waves)
      return waves.takeError();
    if (Error error = verify("schedule"))
      return error;
  }
  if (Error error = lir::allocateRegisters(function, plan.allocation)) {
    const std::string text = toString(std::move(error));
    isTooSmall = StringRef(text).contains("registers than the") || StringRef(text).contains("doesn't converge");
    return makeError(text);
  }
  if (Error error = verify("regalloc"))
    return error;
  lir::insertScratchPrologue(function);
  return lir::insertWaits(function);
}

Expected<std::vector<uint32_t>> execute(const lir::Function &function, unsigned words) {
  Expected<std::string> object = lir::emitObject(*function.isa, {&function}, "random", std::nullopt);
  if (!object)
    return object.takeError();
  Expected<std::string> linked = linkCodeObject(*object);
  if (!linked)
    return linked.takeError();
  Expected<CodeObject> loaded = CodeObject::load(*linked, "random.hsaco");
  if (!loaded)
    return loaded.takeError();
  machine::Memory memory;
  Expected<uint64_t> buffer = memory.allocate(words * sizeof(uint32_t));
  if (!buffer)
    return buffer.takeError();
  machine::LaunchConfig config;
  config.block = {RandomLirFunction::lanes, 1, 1};
  config.checks = cantFail(machine::check::parseOptions("all"));
  const uint64_t argument = *buffer;
  Expected<machine::RunStats> stats =
      machine::run(*loaded, loaded->kernels()[0], config,
                   ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(&argument), sizeof argument), memory);
  if (!stats)
    return stats.takeError();
  if (!stats->findings.empty())
    return makeError("finding: " + stats->findings[0].message);
  const uint32_t *results = reinterpret_cast<const uint32_t *>(machine::hostMemory(*buffer));
  return std::vector<uint32_t>(results, results + words);
}

enum class Outcome { Right, TooSmall, Wrong };

Outcome test(uint64_t seed, bool prints) {
  std::mt19937_64 random(seed);
  RandomLirFunction made(random);
  if (prints)
    outs() << made.text();
  auto wrong = [&](const Twine &what) {
    errs() << "function " << seed << ": " << what << '\n';
    return Outcome::Wrong;
  };
  Expected<lir::Function> function = lir::read(made.text());
  if (!function)
    return wrong(toString(function.takeError()));
  function->maxWorkgroupSize = RandomLirFunction::lanes;
  function->kernargSize = 8;
  function->arguments = {{"out", "global_buffer", "", 0, 8, 8}};
  bool isTooSmall = false;
  if (Error error = compile(*function, planOf(random), isTooSmall)) {
    const std::string text = toString(std::move(error));
    return isTooSmall ? Outcome::TooSmall : wrong(text);
  }
  const std::vector<uint32_t> expected = made.evaluate();
  Expected<std::vector<uint32_t>> found = execute(*function, expected.size());
  if (!found)
    return wrong(toString(found.takeError()));
  for (size_t i = 0; i < expected.size(); ++i)
    if ((*found)[i] != expected[i])
      return wrong(formatv("result {0}, lane {1}: {2:x}, expected {3:x}; {4} VGPRs, {5} spilled",
                           i / RandomLirFunction::lanes, i % RandomLirFunction::lanes, (*found)[i], expected[i],
                           function->vgprsUsed, function->vgprSpills));
  return Outcome::Right;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3) {
    errs() << "usage: random_lir FIRST COUNT [--print]\n";
    return 2;
  }
  const uint64_t first = strtoull(argv[1], nullptr, 10), count = strtoull(argv[2], nullptr, 10);
  uint64_t outcomes[3] = {};
  for (uint64_t seed = first; seed < first + count; ++seed)
    ++outcomes[size_t(test(seed, argc > 3))];
  outs() << formatv("{0} functions: {1} right, {2} for which there are too few registers, {3} wrong\n", count,
                    outcomes[0], outcomes[1], outcomes[2]);
  return outcomes[2] != 0;
}
