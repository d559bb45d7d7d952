// Edits a code object at random places and compares what comes out with what was asked for:
//     edit-objects IN OUT KIND SEED
// KIND: nops (s_nop and full waits put in before and after random instructions), heads (the same, also before every
// jump's target), many (enough to move everything), remove (random waits weakened or taken out), none (nothing),
// replace. Exit status 1 and a message when something differs. Kernels edited by all but `remove` and `replace` compute
// the same as before.
#include "rewrite/Rewrite.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/InitLLVM.h"
#include <map>
#include <random>

using namespace llvm;
using namespace inflight;

static int fail(const Twine &message) {
  errs() << message << '\n';
  return 1;
}

static std::vector<Edit> randomEdits(const Program &program, StringRef kind, unsigned seed) {
  std::mt19937_64 random(seed);
  auto below = [&](uint64_t bound) { return random() % bound; };
  std::vector<bool> isHead(program.instructions().size());
  for (const Block &block : program.blocks())
    for (Edge edge : block.successors)
      if (edge.kind == EdgeKind::Branch)
        isHead[program.blocks()[edge.block].begin] = true;
  const WaitEncoding &waits = program.isa().counters().encoding;
  std::vector<Edit> edits;
  const uint64_t rarity = kind == "many" ? 2 : kind == "nops" ? 1 + program.instructions().size() / 4 : 9;
  auto putIn = [&](uint32_t i, Edit::Action action) {
    if (below(2))
      edits.push_back({i, action, Edit::What::Nop, uint16_t(below(3))});
    else
      edits.push_back(Edit::ofWait(i, action, waits.decode(0)));
  };
  for (const Block &block : program.blocks())
    for (uint32_t i = block.begin; i < block.end && block.function != ~0u; ++i) {
      const InstrDesc &desc = *program.instructions()[i].desc;
      const bool isWait = desc.isWaitcnt || desc.mnemonic == "s_nop";
      if (kind == "remove" || kind == "replace") {
        if (!isWait || below(2))
          continue;
        if (kind == "remove" && below(2))
          edits.push_back({i, Edit::Action::Remove});
        else if (below(2))
          edits.push_back({i, Edit::Action::Replace, Edit::What::Nop, uint16_t(below(2))});
        else
          edits.push_back(Edit::ofWait(i, Edit::Action::Replace, waits.decode(below(2))));
        continue;
      }
      if (kind == "none")
        continue;
      if ((kind == "heads" && isHead[i]) || below(rarity) == 0)
        putIn(i, Edit::Action::InsertBefore);
      if (below(2 * rarity) == 0)
        putIn(i, Edit::Action::InsertAfter);
    }
  return edits;
}

namespace {
/// An instruction that must be there, in order.
struct Wanted {
  uint32_t old = ~0u; ///< or put in
  std::string text;
};
} // namespace

static std::vector<Wanted> expectedOf(const Program &program, ArrayRef<Edit> edits) {
  std::multimap<uint32_t, const Edit *> byPlace;
  for (const Edit &edit : edits)
    byPlace.emplace(edit.at, &edit);
  std::vector<Wanted> expected;
  for (uint32_t i = 0; i < program.instructions().size(); ++i) {
    if (!program.instructions()[i].desc)
      continue;
    auto [begin, end] = byPlace.equal_range(i);
    auto textOf = [&](const Edit &edit) {
      return edit.what == Edit::What::Nop
                 ? "nop " + std::to_string(edit.immediate)
                 : "waitcnt " + std::to_string(program.isa().counters().encoding.encode(edit.wait));
    };
    bool gone = false;
    for (auto it = begin; it != end; ++it)
      if (it->second->action == Edit::Action::InsertBefore)
        expected.push_back({~0u, textOf(*it->second)});
    for (auto it = begin; it != end; ++it) {
      gone |= it->second->action == Edit::Action::Remove || it->second->action == Edit::Action::Replace;
      if (it->second->action == Edit::Action::Replace)
        expected.push_back({~0u, textOf(*it->second)});
    }
    if (!gone)
      expected.push_back({i, ""});
    for (auto it = begin; it != end; ++it)
      if (it->second->action == Edit::Action::InsertAfter)
        expected.push_back({~0u, textOf(*it->second)});
  }
  return expected;
}

static bool isNop(const Program &program, uint32_t i) {
  const Instruction &instruction = program.instructions()[i];
  // Zeros are read as v_cndmask_b32.
  return instruction.desc &&
         (instruction.desc->mnemonic == "s_nop" || program.text(i) == "v_cndmask_b32_e32 v0, s0, v0, vcc");
}

/// What doesn't depend on places.
static std::string comparable(const Program &program, uint32_t i) {
  const Instruction &instruction = program.instructions()[i];
  StringRef mnemonic = instruction.desc->mnemonic;
  if (instruction.desc->isBranch && instruction.desc->format == Format::Sopp)
    return mnemonic.str();
  if (mnemonic == "s_add_u32" || mnemonic == "s_addc_u32" || mnemonic == "s_call_b64")
    return StringRef(program.text(i)).rsplit(' ').first.str();
  return program.text(i);
}

static int compare(const Program &before, const Program &after, ArrayRef<Edit> edits) {
  std::vector<Wanted> expected = expectedOf(before, edits);
  std::vector<uint32_t> there(before.instructions().size() + 1, ~0u); // by old instruction: what jumps to it get to
  uint32_t at = 0;
  auto skipData = [&] {
    while (at < after.instructions().size() && !after.instructions()[at].desc)
      ++at;
  };
  std::vector<bool> isReached(before.instructions().size());
  for (const Block &block : before.blocks())
    for (uint32_t i = block.begin; i < block.end; ++i)
      isReached[i] = block.function != ~0u;
  auto where = [&](uint32_t i) { return " at 0x" + Twine::utohexstr(before.instructions()[i].address); };
  for (const Wanted &wanted : expected) {
    // Padding grows and shrinks.
    if (wanted.old != ~0u && isNop(before, wanted.old) && !isReached[wanted.old])
      continue;
    skipData();
    auto matches = [&] {
      if (at >= after.instructions().size())
        return false;
      if (wanted.old != ~0u)
        return comparable(before, wanted.old) == comparable(after, at);
      const InstrDesc &desc = *after.instructions()[at].desc;
      return (desc.isWaitcnt || desc.mnemonic == "s_nop") &&
             wanted.text == (desc.isWaitcnt ? "waitcnt " : "nop ") +
                                std::to_string(uint16_t(after.inst(at).getOperand(0).getImm()));
    };
    while (!matches() && at < after.instructions().size() && isNop(after, at)) {
      ++at;
      skipData();
    }
    if (!matches())
      return fail("expected '" + (wanted.old == ~0u ? wanted.text : before.text(wanted.old)) + "'" +
                  (wanted.old == ~0u ? "" : where(wanted.old).str()) + ", found '" +
                  (at < after.instructions().size() ? after.text(at) : "nothing") + "'");
    if (wanted.old != ~0u) {
      there[wanted.old] = at;
      const SourceLocation was = before.location(wanted.old), is = after.location(at);
      if (isReached[wanted.old] && (was.file != is.file || was.line != is.line || was.column != is.column))
        return fail("'" + before.text(wanted.old) + "'" + where(wanted.old) + " was of " + was.file + ":" +
                    Twine(was.line) + ":" + Twine(was.column) + ", is of " + is.file + ":" + Twine(is.line) + ":" +
                    Twine(is.column));
    }
    ++at;
  }
  // Blocks: jumps get to what was put in before their targets.
  std::map<uint32_t, uint32_t> putInBefore;
  for (const Edit &edit : edits)
    if (edit.action == Edit::Action::InsertBefore)
      ++putInBefore[edit.at];
  std::map<uint32_t, const Block *> endingAt;
  for (const Block &block : after.blocks())
    endingAt[block.end - 1] = &block;
  for (const Block &block : before.blocks()) {
    if (block.function == ~0u || there[block.end - 1] == ~0u)
      continue;
    for (Edge edge : block.successors) {
      if (edge.kind != EdgeKind::Branch && edge.kind != EdgeKind::Call)
        continue;
      uint32_t target = before.blocks()[edge.block].begin;
      uint32_t wanted;
      for (uint32_t skipped = 0;; ++target, ++skipped)
        if (there[target] != ~0u) {
          wanted = there[target] - putInBefore[target];
          break;
        } else if (skipped > 8) {
          wanted = ~0u;
          break;
        }
      auto found = endingAt.find(there[block.end - 1]);
      if (found == endingAt.end())
        return fail("'" + before.text(block.end - 1) + "'" + where(block.end - 1) + " ends no block any more");
      if (wanted != ~0u && target == before.blocks()[edge.block].begin &&
          none_of(found->second->successors,
                  [&](Edge e) { return e.kind == edge.kind && after.blocks()[e.block].begin == wanted; }))
        return fail("'" + before.text(block.end - 1) + "'" + where(block.end - 1) + " goes elsewhere");
    }
  }
  if (before.functions().size() != after.functions().size())
    return fail("other functions");
  for (size_t i = 0; i < before.functions().size(); ++i)
    if (before.functions()[i].name != after.functions()[i].name ||
        before.functions()[i].isKernel != after.functions()[i].isKernel ||
        before.functions()[i].isOpen != after.functions()[i].isOpen)
      return fail("function '" + before.functions()[i].name + "' is another: '" + after.functions()[i].name + "'");
  return 0;
}

int main(int argc, char **argv) {
  InitLLVM init(argc, argv);
  if (argc != 5)
    return fail("edit-objects IN OUT KIND SEED");
  Expected<std::string> bytes = readFile(argv[1]);
  if (!bytes)
    return fail(toString(bytes.takeError()));
  auto programs = readPrograms(*bytes, argv[1]);
  if (!programs)
    return fail(toString(programs.takeError()));
  for (const auto &program : *programs) {
    std::vector<Edit> edits = randomEdits(*program, argv[3], std::stoul(argv[4]));
    Expected<std::string> edited = editCodeObject(*program, *bytes, edits);
    if (!edited)
      return fail(toString(edited.takeError()));
    outs() << edits.size() << " edits, " << (edited->size() == bytes->size() ? "in place" : "moved") << '\n';
    auto again = readPrograms(*edited, argv[2]);
    if (!again)
      return fail(toString(again.takeError()));
    if (again->size() != programs->size())
      return fail("other entries");
    if (int status = compare(*program, *(*again)[&program - programs->data()], edits))
      return status;
    if (Error error = writeFileAtomically(argv[2], *edited))
      return fail(toString(std::move(error)));
  }
  return 0;
}
