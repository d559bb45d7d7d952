#include "RandomLirFunction.h"

#include "llvm/Support/ErrorHandling.h"
#include <map>
#include <utility>

namespace {
constexpr unsigned statementDepth = 3, storedBytes = 256, offsetLimit = 4096;
constexpr const char *vectorBinary[] = {"v_add_u32", "v_sub_u32",    "v_xor_b32",    "v_and_b32",
                                        "v_or_b32",  "v_mul_lo_u32", "v_lshlrev_b32"};
constexpr const char *scalarBinary[] = {"s_add_u32", "s_sub_u32", "s_xor_b32", "s_and_b32",
                                        "s_or_b32",  "s_mul_i32", "s_lshl_b32"};

template <typename T, size_t n> T any(const T (&from)[n], uint64_t number) { return from[number % n]; }

uint32_t compute(const std::string &mnemonic, uint32_t a, uint32_t b) {
  const std::string name = mnemonic.substr(2);
  if (name == "add_u32")
    return a + b;
  if (name == "sub_u32")
    return a - b;
  if (name == "xor_b32")
    return a ^ b;
  if (name == "and_b32")
    return a & b;
  if (name == "or_b32")
    return a | b;
  if (name == "mul_lo_u32" || name == "mul_i32")
    return a * b;
  if (name == "lshlrev_b32")
    return b << (a & 31);
  if (name == "lshl_b32")
    return a << (b & 31);
  llvm_unreachable("an operation that nothing makes");
}
} // namespace

RandomLirFunction::RandomLirFunction(std::mt19937_64 &random) : random(random) {
  begin();
  statements(0);
  storeAll();
}

int RandomLirFunction::addRegister(char file, unsigned width) {
  registers.push_back({file, width});
  return int(registers.size()) - 1;
}

RandomLirFunction::Word RandomLirFunction::piece(char file) {
  for (;;)
    if (const int id = variables[below(variables.size())]; registers[id].file == file)
      return {id, unsigned(below(registers[id].width)), 0};
}

/// What an instruction of the file may read first.
RandomLirFunction::Word RandomLirFunction::source(char file) {
  constexpr int inlined = 64;
  if (chance(4))
    return {-1, 0, int64_t(below(inlined))};
  return piece(file == 'v' && !chance(4) ? 'v' : 's');
}

RandomLirFunction::Operation &RandomLirFunction::add(const std::string &mnemonic, Word to, std::vector<Word> from) {
  const bool isVector = to.id >= 0 && registers[to.id].file == 'v';
  blocks.back().operations.push_back({mnemonic, to, std::move(from), -1, -1, isVector && isDivergent});
  return blocks.back().operations.back();
}

unsigned RandomLirFunction::newBlock(bool isHeader) {
  blocks.push_back({{}, {}, depth, isHeader});
  return blocks.size() - 1;
}

void RandomLirFunction::jump(const std::string &mnemonic, unsigned from, unsigned target) {
  Operation branch;
  branch.mnemonic = mnemonic;
  branch.target = int(target);
  blocks[from].operations.push_back(branch);
  blocks[from].successors.insert(blocks[from].successors.begin(), target);
}

void RandomLirFunction::begin() {
  newBlock();
  const int arguments = addRegister('s', 2), ids = addRegister('v', 1); // fixed, see text()
  const int pointer = addRegister('s', 2);
  base = addRegister('s', 2);
  lane = {addRegister('v', 1), 0, 0};
  add("IMPLICIT_DEF", {arguments, 0, 0}, {});
  add("IMPLICIT_DEF", {ids, 0, 0}, {});
  add("COPY", {pointer, ~0u, 0}, {{arguments, ~0u, 0}});
  add("COPY", lane, {{ids, 0, 0}});
  add("s_load_dwordx2", {base, 0, 0}, {{pointer, 0, 0}});
  constexpr unsigned widths[] = {1, 1, 1, 2, 2, 3, 4, 8}, scalarWidths[] = {1, 1, 1, 2, 4};
  const unsigned scalars = 3 + below(10), vectors = 4 + below(24);
  for (unsigned i = 0; i < scalars + vectors; ++i) {
    const bool isScalar = i < scalars;
    const int id = addRegister(isScalar ? 's' : 'v', isScalar ? any(scalarWidths, random()) : any(widths, random()));
    for (unsigned sub = 0; sub < registers[id].width; ++sub) {
      const Word to{id, sub, 0}, number{-1, 0, int64_t(random() & 0x7fffffff)};
      if (isScalar)
        add("s_mov_b32", to, {number});
      else
        add("v_add_u32", to, {number, lane});
    }
    variables.push_back(id);
  }
}

int RandomLirFunction::compareLanes() {
  const int mask = addRegister('s', 2);
  add("v_cmp_lt_u32", {}, {source('v'), piece('v')}).mask = mask;
  return mask;
}

void RandomLirFunction::arithmetic() {
  switch (below(12)) {
  case 0:
  case 1: {
    const Word to = piece('s');
    add(any(scalarBinary, random()), to, {source('s'), source('s')});
    return;
  }
  case 2: add("s_mov_b32", piece('s'), {source('s')}); return;
  case 3: add("v_mov_b32", piece('v'), {source('v')}); return;
  case 4: add("v_readfirstlane_b32", piece('s'), {piece('v')}); return;
  case 5: add("COPY", piece('v'), {piece(chance(3) ? 's' : 'v')}); return;
  case 6: {
    const int mask = compareLanes();
    add("v_cndmask_b32", piece('v'), {piece('v'), piece('v')}).mask = mask;
    return;
  }
  case 7: { // a tuple as a whole
    const int from = variables[below(variables.size())], to = variables[below(variables.size())];
    if (registers[from].file == registers[to].file && registers[from].width == registers[to].width)
      add("COPY", {to, ~0u, 0}, {{from, ~0u, 0}});
    return;
  }
  case 8: { // a value of its own, which only what follows here reads
    const Word to{addRegister('v', 1), 0, 0};
    add(any(vectorBinary, random()), to, {source('v'), piece('v')}).keeps = false;
    variables.push_back(to.id);
    return;
  }
  default: add(any(vectorBinary, random()), piece('v'), {source('v'), piece('v')});
  }
}

void RandomLirFunction::statements(unsigned depth) {
  const size_t known = variables.size();
  for (uint64_t i = 0, count = 2 + below(depth ? 8 : 20); i < count; ++i) {
    const uint64_t kind = depth < statementDepth ? below(12) : ~0ull;
    if (kind == 0)
      branchOfWave(depth);
    else if (kind == 1)
      branchOfLanes(depth);
    else if (kind == 2)
      loop(depth);
    else
      arithmetic();
  }
  if (depth)
    variables.resize(known);
}

void RandomLirFunction::branchOfWave(unsigned depth) {
  add("s_cmp_lt_u32", {}, {piece('s'), source('s')});
  const unsigned from = blocks.size() - 1;
  const unsigned then = newBlock();
  blocks[from].successors.push_back(then);
  statements(depth + 1);
  const unsigned thenEnd = blocks.size() - 1;
  if (chance(2)) { // with another branch
    const unsigned other = newBlock();
    jump("s_cbranch_scc1", from, other);
    statements(depth + 1);
    const unsigned otherEnd = blocks.size() - 1;
    const unsigned join = newBlock();
    jump("s_branch", thenEnd, join);
    blocks[otherEnd].successors.push_back(join);
  } else {
    const unsigned join = newBlock();
    jump("s_cbranch_scc1", from, join);
    blocks[thenEnd].successors.push_back(join);
  }
}

/// Where no lane goes, the wave doesn't either.
void RandomLirFunction::branchOfLanes(unsigned depth) {
  const int mask = compareLanes(), saved = addRegister('s', 2);
  add("s_and_saveexec_b64", {saved, 0, 0}, {}).mask = mask;
  const unsigned from = blocks.size() - 1;
  const unsigned then = newBlock();
  blocks[from].successors.push_back(then);
  const bool wasDivergent = std::exchange(isDivergent, true);
  statements(depth + 1);
  isDivergent = wasDivergent;
  const unsigned thenEnd = blocks.size() - 1;
  const unsigned join = newBlock();
  jump("s_cbranch_execz", from, join);
  blocks[thenEnd].successors.push_back(join);
  add("s_mov_b64", {}, {}).mask = saved;
}

void RandomLirFunction::loop(unsigned depth) {
  const Word counter{addRegister('s', 1), 0, 0};
  add("s_mov_b32", counter, {{}});
  const unsigned from = blocks.size() - 1;
  ++this->depth;
  const unsigned header = newBlock(true);
  blocks[from].successors.push_back(header);
  statements(depth + 1);
  add("s_add_u32", counter, {counter, {-1, 0, 1}});
  add("s_cmp_lt_u32", {}, {counter, {-1, 0, int64_t(1 + below(4))}});
  const unsigned end = blocks.size() - 1;
  --this->depth;
  const unsigned next = newBlock();
  blocks[end].successors.push_back(next);
  jump("s_cbranch_scc1", end, header);
}

void RandomLirFunction::storeAll() {
  constexpr unsigned most = 60;
  Word offset{addRegister('v', 1), 0, 0};
  add("v_lshlrev_b32", offset, {{-1, 0, 2}, lane});
  for (int id : variables)
    for (unsigned sub = 0; sub < registers[id].width && rows < most; ++sub, ++rows) {
      Word value{id, sub, 0};
      if (registers[id].file == 's') {
        value = {addRegister('v', 1), 0, 0};
        add("COPY", value, {{id, sub, 0}});
      }
      if (rows && rows * storedBytes % offsetLimit == 0) {
        const Word next{addRegister('v', 1), 0, 0};
        add("v_add_u32", next, {{-1, 0, offsetLimit}, offset});
        offset = next;
      }
      add("global_store_dword", {}, {offset, value, {-1, 0, int64_t(rows * storedBytes % offsetLimit)}});
    }
  add("s_endpgm", {}, {});
}

std::string RandomLirFunction::name(int id) const { return std::string("%") + registers[id].file + std::to_string(id); }

std::string RandomLirFunction::name(const Word &word) const {
  if (word.id < 0)
    return std::to_string(word.constant);
  const bool isWhole = registers[word.id].width == 1 || word.sub == ~0u;
  return name(word.id) + (isWhole ? "" : "[" + std::to_string(word.sub) + "]");
}

std::string RandomLirFunction::text(const Operation &o) const {
  const std::string &m = o.mnemonic;
  if (o.target >= 0)
    return m + " .Lk_" + std::to_string(o.target) +
           (m == "s_branch"          ? ""
            : m == "s_cbranch_execz" ? " ; implicit exec"
                                     : " ; implicit scc");
  if (m == "IMPLICIT_DEF")
    return m + " " + name(o.to.id) + " ; does effects";
  if (m == "s_load_dwordx2")
    return m + " " + name(o.to.id) + ", " + name(o.from[0].id) + ", 0";
  if (m == "s_and_saveexec_b64")
    return m + " " + name(o.to.id) + ", " + name(o.mask) + " ; does effects ; implicit scc! exec! exec";
  if (m == "s_mov_b64")
    return m + " exec, " + name(o.mask) + " ; does effects";
  if (m == "global_store_dword")
    return m + " " + name(o.from[0]) + ", " + name(o.from[1]) + ", " + name(base) + " offset:" + name(o.from[2]);
  std::string words = o.to.id >= 0 ? " " + name(o.to) : o.mask >= 0 ? " " + name(o.mask) : "";
  for (const Word &word : o.from)
    words += (words.empty() ? " " : ", ") + name(word);
  if (o.mask >= 0 && o.to.id >= 0)
    words += ", " + name(o.mask);
  return m + words + (o.keeps ? " ; keeps inactive lanes" : "");
}

std::string RandomLirFunction::text() const {
  std::string all = "function k chip gfx942 lanes 64\nregisters";
  for (size_t id = 0; id < registers.size(); ++id)
    all += " " + name(int(id)) + ":" + std::to_string(registers[id].width) +
           (id == 0   ? "=s[0:1]"
            : id == 1 ? "=v0"
                      : "");
  for (size_t number = 0; number < blocks.size(); ++number) {
    const Block &block = blocks[number];
    all += "\nblock " + std::to_string(number) + " ->";
    for (unsigned successor : block.successors)
      all += " " + std::to_string(successor);
    if (block.depth)
      all += " depth " + std::to_string(block.depth) + (block.isHeader ? " header" : "");
    for (const Operation &operation : block.operations)
      all += "\n  " + text(operation);
  }
  return all + "\n";
}

struct RandomLirFunction::State {
  std::map<std::pair<int, unsigned>, std::vector<uint32_t>> words; ///< one a lane, or one
  std::map<int, uint64_t> masks;
  std::vector<uint32_t> stored;
  uint64_t exec = ~0ull;
  bool scc = false;
};

void RandomLirFunction::execute(const Operation &o, State &state) const {
  const std::string &m = o.mnemonic;
  auto read = [&](const Word &word, unsigned at) -> uint32_t {
    if (word.id < 0)
      return uint32_t(word.constant);
    const std::vector<uint32_t> &values = state.words[{word.id, word.sub}];
    return registers[word.id].file == 's' ? values[0] : values[at];
  };
  /// `f` of each active lane, or once.
  auto write = [&](const Word &word, auto f) {
    std::vector<uint32_t> &values = state.words[{word.id, word.sub}];
    const bool isScalar = registers[word.id].file == 's';
    values.resize(isScalar ? 1 : lanes);
    for (unsigned at = 0; at < values.size(); ++at)
      if (isScalar || state.exec >> at & 1)
        values[at] = f(at);
  };
  auto compare = [&](unsigned at) { return read(o.from[0], at) < read(o.from[1], at); };
  if (m == "s_and_saveexec_b64") {
    state.masks[o.to.id] = state.exec;
    state.exec &= state.masks[o.mask];
    state.scc = state.exec != 0;
  } else if (m == "s_mov_b64") {
    state.exec = state.masks[o.mask];
  } else if (m == "v_cmp_lt_u32") {
    uint64_t mask = 0;
    for (unsigned at = 0; at < lanes; ++at)
      mask |= uint64_t(state.exec >> at & 1 && compare(at)) << at;
    state.masks[o.mask] = mask;
  } else if (m == "s_cmp_lt_u32") {
    state.scc = compare(0);
  } else if (m == "v_cndmask_b32") {
    write(o.to, [&](unsigned at) { return read(o.from[state.masks[o.mask] >> at & 1], at); });
  } else if (m == "v_readfirstlane_b32") {
    write(o.to, [&](unsigned) { return read(o.from[0], __builtin_ctzll(state.exec)); });
  } else if (m == "global_store_dword") {
    for (unsigned at = 0; at < lanes; ++at)
      state.stored.push_back(read(o.from[1], at));
  } else if (m == "COPY" && o.to.sub == ~0u) {
    for (unsigned sub = 0; sub < registers[o.to.id].width; ++sub)
      write({o.to.id, sub, 0}, [&](unsigned at) { return read({o.from[0].id, sub, 0}, at); });
  } else if (m == "COPY" || m == "s_mov_b32" || m == "v_mov_b32") {
    write(o.to, [&](unsigned at) { return read(o.from[0], at); });
  } else {
    write(o.to, [&](unsigned at) { return compute(m, read(o.from[0], at), read(o.from[1], at)); });
  }
}

std::vector<uint32_t> RandomLirFunction::evaluate() const {
  State state;
  for (unsigned at = 0; at < lanes; ++at)
    state.words[{lane.id, 0}].push_back(at);
  constexpr size_t setUp = 5; // of begin(): incoming registers and the address of what is stored
  size_t number = 0, first = setUp;
  for (;;) {
    const Block &block = blocks[number];
    size_t next = block.successors.empty() ? blocks.size() : block.successors.back();
    for (size_t i = first; i < block.operations.size(); ++i) {
      const Operation &operation = block.operations[i];
      if (operation.target < 0) {
        if (operation.mnemonic == "s_endpgm")
          return state.stored;
        execute(operation, state);
      } else if (operation.mnemonic == "s_branch" || (operation.mnemonic == "s_cbranch_scc1" && state.scc) ||
                 (operation.mnemonic == "s_cbranch_execz" && !state.exec)) {
        next = operation.target;
      }
    }
    first = 0;
    number = next;
  }
}
