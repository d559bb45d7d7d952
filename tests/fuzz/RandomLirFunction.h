// A random LIR function, as text, and what it stores.
#pragma once

#include <cstdint>
#include <random>
#include <string>
#include <vector>

/// Arithmetic on uniform and divergent words, tuples whose pieces are written one by one, loops and branches of the
/// wave, and branches of lanes by EXEC. All registers are stored at the end, a row of `lanes` words each.
class RandomLirFunction {
public:
  static constexpr unsigned lanes = 64;

  explicit RandomLirFunction(std::mt19937_64 &random);
  std::string text() const;
  std::vector<uint32_t> evaluate() const;

private:
  struct Register {
    char file; ///< 's' or 'v'
    unsigned width;
  };
  /// A 32-bit piece of a register, or a constant.
  struct Word {
    int id = -1; ///< -1: the constant
    unsigned sub = 0;
    int64_t constant = 0;
  };
  struct Operation {
    std::string mnemonic;
    Word to;
    std::vector<Word> from;
    int mask = -1;      ///< a pair of scalar registers that it reads or writes besides
    int target = -1;    ///< of a branch: a block
    bool keeps = false; ///< inactive lanes have a value that is read later
  };
  struct Block {
    std::vector<Operation> operations;
    std::vector<unsigned> successors;
    unsigned depth = 0;
    bool isHeader = false;
  };
  struct State;

  uint64_t below(uint64_t limit) { return random() % limit; }
  bool chance(unsigned oneIn) { return below(oneIn) == 0; }
  int addRegister(char file, unsigned width);
  Word piece(char file);
  Word source(char file);
  std::string name(const Word &word) const;
  std::string name(int id) const;
  std::string text(const Operation &operation) const;
  Operation &add(const std::string &mnemonic, Word to, std::vector<Word> from);
  unsigned newBlock(bool isHeader = false);
  void jump(const std::string &mnemonic, unsigned from, unsigned target);
  void begin();
  void arithmetic();
  void statements(unsigned depth);
  void branchOfWave(unsigned depth);
  void branchOfLanes(unsigned depth);
  void loop(unsigned depth);
  void storeAll();
  int compareLanes();
  void execute(const Operation &operation, State &state) const;

  std::mt19937_64 &random;
  std::vector<Register> registers;
  std::vector<int> variables; ///< defined on all paths to here, and free to be written
  std::vector<Block> blocks;
  Word lane;
  int base = -1; ///< of what is stored
  bool isDivergent = false;
  unsigned depth = 0;
  unsigned rows = 0;
};
