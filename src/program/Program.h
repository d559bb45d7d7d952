// A program as the analyses see it: dense arrays of decoded instructions, basic blocks and functions,
// with the place of each instruction in the file it came from.
//
// One Program is one chip's code of one file: an assembly file, a relocatable object, a code object, or
// one entry of a fat binary.
#pragma once

#include "isa/Isa.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace inflight {

class SourceLines;

/// One instruction, or data in the middle of code.
struct Instruction {
  const InstrDesc *desc = nullptr; ///< null: data
  uint64_t address = 0;            ///< in the code object's image, or in its section; 0 in assembly
  uint32_t offset = 0, length = 0; ///< of its text in the source, in bytes; in a code object of its bytes in the file
  uint32_t firstRange = 0;         ///< in Program's ranges: reads, then writes
  uint8_t readCount = 0, writeCount = 0;
  bool isFromMacro = false;  ///< assembly: made by a macro or .rept; `offset` is that of the invocation
  bool hasScope = false;     ///< of vector memory operations: its cache policy names a scope
  bool isWindowOpen = false; ///< its ranges are those of no window: which VGPRs its codes mean isn't known
  bool namesFewer = false;   ///< its ranges have vector registers that its operands don't name
  uint16_t waitcnt = 0;      ///< of waits: the immediate; see Program::waitAt
};

/// How control gets from one block to another.
enum class EdgeKind : uint8_t {
  Next,   ///< the block after
  Branch, ///< s_branch, s_cbranch_*, a jump whose target is known
  Call,   ///< to the function's entry
  Return, ///< from the function's return to after the call
};
struct Edge {
  uint32_t block;
  EdgeKind kind;
  bool operator==(const Edge &) const = default;
};

/// How a block ends besides its edges.
enum class BlockEnd : uint8_t {
  Known,       ///< all successors are edges
  Program,     ///< s_endpgm, s_trap that doesn't return
  Return,      ///< to the caller; edges to the call sites that are known
  UnknownCall, ///< calls what is not known; an edge Next to after the call
  UnknownJump, ///< goes anywhere
  Invalid,     ///< runs into data or over the end of the section
};

/// A straight run of instructions [begin, end). Calls end a block. Data belongs to no block.
struct Block {
  uint32_t begin = 0, end = 0;
  uint32_t function = ~0u; ///< the first that reaches it; ~0 when none does
  BlockEnd ending = BlockEnd::Known;
  bool isElsewhere = false; ///< of Return: another file's function is jumped to, which returns; of UnknownCall: called
  llvm::SmallVector<Edge, 2> successors, predecessors;
};

struct Function {
  std::string name;
  uint32_t entry = 0; ///< block
  bool isKernel = false;
  bool isOpen = false;      ///< may be called from where this program doesn't show: global, or its address is taken
  bool isVisible = false;   ///< of these: other files may call it; else those that may know its address are in this one
  unsigned ldsBytes = 0;    ///< kernels: fixed group segment; 0 also when not known
  bool statesLanes = false; ///< kernels: `maxWorkgroupLanes` isn't only what registers leave room for
  unsigned maxWorkgroupLanes = 0;        ///< kernels: 0 when not known
  unsigned workgroupSize[3] = {0, 0, 0}; ///< required; 0 when not stated
  unsigned workitemIdDims = 3;           ///< dimensions that v0 holds: 1 means v0 is x alone
};

class Program {
public:
  virtual ~Program() = default;

  const Isa &isa() const { return *theIsa; }
  llvm::StringRef name() const LLVM_LIFETIME_BOUND { return fileName; }
  bool isAssembly() const { return assembly; }
  uint32_t fatEntry() const { return theFatEntry; } ///< which of a fat binary's code objects it is

  llvm::ArrayRef<Instruction> instructions() const LLVM_LIFETIME_BOUND { return theInstructions; }
  llvm::ArrayRef<Block> blocks() const LLVM_LIFETIME_BOUND { return theBlocks; }
  llvm::ArrayRef<Function> functions() const LLVM_LIFETIME_BOUND { return theFunctions; }
  /// The decoded instruction; meaningless for data.
  const llvm::MCInst &inst(uint32_t index) const LLVM_LIFETIME_BOUND {
    return whole ? whole->inst(inWhole[index]) : insts[instOf.empty() ? index : instOf[index]];
  }
  /// What Instruction::firstRange counts in.
  llvm::ArrayRef<RegRange> registerRanges() const LLVM_LIFETIME_BOUND {
    return whole ? whole->registerRanges() : llvm::ArrayRef(ranges);
  }
  llvm::ArrayRef<RegRange> reads(const Instruction &i) const LLVM_LIFETIME_BOUND {
    return registerRanges().slice(i.firstRange, i.readCount);
  }
  llvm::ArrayRef<RegRange> writes(const Instruction &i) const LLVM_LIFETIME_BOUND {
    return registerRanges().slice(i.firstRange + i.readCount, i.writeCount);
  }

  /// What the wait at `index` says.
  WaitOperands waitAt(uint32_t index) const {
    const Instruction &wait = theInstructions[index];
    return isa().counters().encoding.decode(wait.desc->id, wait.waitcnt);
  }

  /// The place of an instruction in the whole program that this is a part of (ProgramParts).
  uint32_t wholeIndex(uint32_t index) const { return whole ? inWhole[index] : index; }
  /// Control goes where the file doesn't say, here or in another part of the program.
  bool hasUnknownTargets() const;

  /// The file doesn't say how many lanes its waves have, and with as many as the chip may have otherwise the
  /// instruction would mean other registers or count to another number.
  bool dependsOnWaveSize(uint32_t index) const;

  /// Why the ending of this block is Invalid. Blocks that nothing reaches may be so without harm.
  llvm::StringRef problem(uint32_t block) const LLVM_LIFETIME_BOUND;

  /// The instruction as the assembler prints it.
  virtual std::string text(uint32_t index) const = 0;
  /// Assembly: the line and column in the file. Code objects: from the debug info, else unknown.
  virtual SourceLocation location(uint32_t index) const = 0;
  /// A code object's source lines; null for assembly, whose lines are its own.
  virtual const SourceLines *sourceLines() const LLVM_LIFETIME_BOUND { return nullptr; }
  /// The comment after an instruction and those on the lines of their own directly above it; empty in code objects.
  virtual std::string comments(uint32_t index) const = 0;
  /// Comments anywhere that begin with "inflight:", without that word: (line, text).
  virtual llvm::ArrayRef<std::pair<unsigned, std::string>> assertions() const LLVM_LIFETIME_BOUND = 0;

protected:
  /// Fills all that the decoded instruction says. Its ranges come last in `ranges`.
  void describe(Instruction &instruction, const llvm::MCInst &inst);
  uint16_t waitImmediate(const llvm::MCInst &inst) const;
  /// Gives instructions the VGPRs that the windows make of their codes, after control flow is known.
  void applyVgprWindows();
  /// Of a file that doesn't say how many lanes its waves have: `other` is what it is with the chip's other number.
  void noteWaveSize(const Program &other);

  const Isa *theIsa = nullptr;
  const Program *whole = nullptr;   ///< that this is a part of
  std::vector<uint32_t> inWhole;    ///< of a part: by instruction, its place there
  std::optional<bool> goesAnywhere; ///< of a part: what hasUnknownTargets says of the whole
  std::string fileName;
  bool assembly = false;
  uint32_t theFatEntry = 0;
  std::vector<Instruction> theInstructions;
  std::vector<Block> theBlocks;
  std::vector<Function> theFunctions;
  std::vector<llvm::MCInst> insts; ///< of a part none: they are the whole's
  std::vector<uint32_t> instOf;    ///< by instruction, its place in `insts`, which those alike share; empty: its own
  std::vector<RegRange> ranges;    ///< of a part none, too
  std::vector<std::pair<uint32_t, std::string>> problems; ///< by block, sorted
  std::vector<uint32_t> ofUnknownWaveSize;                ///< dependsOnWaveSize of the whole; sorted
};

/// Reads assembly. `chip` may be empty when .amdgcn_target says it. The text is copied. Errors are the assembler's, in
/// clang's style.
llvm::Expected<std::unique_ptr<Program>> readAssembly(llvm::StringRef text, llvm::StringRef name,
                                                      llvm::StringRef chip = "");

/// Reads whatever `bytes` is: assembly, a relocatable object, a code object, or a fat binary (an offload bundle,
/// compressed or not, or a host object with one), which gives a Program for each entry of a supported chip. `chip`,
/// when given, selects entries and must be an object's chip.
llvm::Expected<std::vector<std::unique_ptr<Program>>> readPrograms(llvm::StringRef bytes, llvm::StringRef name,
                                                                   llvm::StringRef chip = "");

} // namespace inflight
