// Assembly text as a Program, once it is read.
#pragma once

#include "program/ControlFlow.h"
#include "program/assemble/AssemblyTarget.h"
#include "program/assemble/AssemblyText.h"
#include "program/assemble/SharedSources.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCSymbol.h"
#include "llvm/Support/SourceMgr.h"

namespace inflight {

struct SymbolFacts {
  bool isFunction = false, isGlobal = false, isTaken = false;
};

/// What one chip's assembler makes of a text.
class AssemblyProgram final : public Program, AddressReader {
public:
  AssemblyProgram(const Isa &isa, llvm::StringRef text, llvm::StringRef name)
      : buffer(copyForParser(text, name, isa.target().chip)),
        places(buffer->getBuffer()),
        shared(isa, buffer->getBuffer()) {
    theIsa = &isa;
    fileName = name.str();
    assembly = true;
  }
  llvm::Error read(llvm::StringRef features);
  llvm::Error findWaveSizeDependence(llvm::StringRef text);

  std::string text(uint32_t index) const override;
  SourceLocation location(uint32_t index) const override;
  std::string comments(uint32_t index) const override;
  llvm::ArrayRef<std::pair<unsigned, std::string>> assertions() const override { return theAssertions; }

private:
  friend class AssemblyRecorder;
  JumpTarget branchTarget(uint32_t instruction) const override;
  std::optional<CodeOffset> constantOf(uint32_t instruction) const override;
  JumpTarget targetAt(uint32_t getpc, const CodeOffset &offset) const override;
  bool isElsewhere(const CodeOffset &offset) const override;
  std::string nameOf(uint32_t instruction) const override;
  JumpTarget placeOf(const llvm::MCSymbol &symbol) const;
  JumpTarget placeAt(uint32_t instruction, int64_t bytes) const;
  std::optional<int64_t> sizeOf(uint32_t instruction) const;
  std::optional<int64_t> distanceOf(uint32_t from, uint32_t to) const;
  std::optional<int64_t> lastWord(uint32_t from, uint32_t of) const;
  uint32_t sectionOf(uint32_t instruction) const {
    return uint32_t(
        llvm::partition_point(sections, [&](const CodeSection &section) { return section.end <= instruction; }) -
        sections.begin());
  }
  llvm::StringRef source() const { return sources.getMemoryBuffer(sources.getMainFileID())->getBuffer(); }

  std::unique_ptr<llvm::MemoryBuffer> buffer; ///< until the sources have it
  AssemblyText places;
  SharedSources shared;
  llvm::SourceMgr sources;
  std::unique_ptr<llvm::MCSubtargetInfo> subtarget;
  std::unique_ptr<llvm::MCContext> context; ///< owns the symbols in operands
  std::unique_ptr<llvm::MCObjectFileInfo> fileInfo;
  struct Label {
    const llvm::MCSymbol *symbol;
    uint32_t section, instruction; ///< the next one; the section's end when there is none
  };
  std::vector<Label> labels; ///< llvm::MCSymbol::getIndex is the place here and one
  std::vector<CodeSection> sections;
  std::vector<uint32_t> aligned; ///< instructions that padding may stand before, sorted
  std::unique_ptr<llvm::MCCodeEmitter> encoder;
  llvm::DenseMap<const llvm::MCSymbol *, SymbolFacts> symbols;
  std::vector<std::pair<unsigned, std::string>> theAssertions;
};

} // namespace inflight
