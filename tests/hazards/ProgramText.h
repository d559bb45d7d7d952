// Assembly text as a program, and what the services say of it in few words.
#pragma once

#include "hazards/NopReport.h"
#include "hazards/Plan.h"
#include "hazards/Verify.h"
#include "rewrite/Rewrite.h"
#include "gtest/gtest.h"

namespace inflight::hazards::test {

inline std::unique_ptr<inflight::Program> read(llvm::StringRef text, llvm::StringRef chip = "gfx942") {
  auto program = readAssembly(text, "k.s", chip);
  if (program)
    return std::move(*program);
  ADD_FAILURE() << llvm::toString(program.takeError()) << text.str();
  return nullptr;
}

inline std::string lineOf(const inflight::Program &program, uint32_t i) {
  return std::to_string(program.location(i).line);
}

/// "LINE after LINE: RULE REQUIRED FOUND", one a line.
inline std::string missing(llvm::StringRef text, llvm::StringRef chip = "gfx942") {
  auto program = read(text, chip);
  std::string all;
  for (const Finding &f : verify(*program).findings)
    all += lineOf(*program, f.instruction) + " after " + lineOf(*program, f.producer) + ": " + f.rule->name + " " +
           std::to_string(f.required) + " " + std::to_string(f.found) + "\n";
  return all;
}

/// The text with a plan carried out.
inline std::string planned(llvm::StringRef text, Goal goal, llvm::StringRef chip = "gfx942") {
  auto program = read(text, chip);
  auto edited = editAssembly(*program, text, plan(*program, goal).edits);
  if (edited)
    return *edited;
  ADD_FAILURE() << llvm::toString(edited.takeError());
  return "";
}

/// "LINE: WANTED of STATES RULE...", one s_nop a line.
inline std::string reported(llvm::StringRef text, llvm::StringRef chip = "gfx942") {
  auto program = read(text, chip);
  std::string all;
  for (const NopReport &nop : report(*program)) {
    all += lineOf(*program, nop.instruction) + ": " + std::to_string(nop.wanted) + " of " + std::to_string(nop.states);
    for (const NopReason &reason : nop.reasons)
      all +=
          " " + reason.rule->name + " " + lineOf(*program, reason.producer) + "-" + lineOf(*program, reason.consumer);
    all += nop.isPadding ? " padding\n" : "\n";
  }
  return all;
}

} // namespace inflight::hazards::test
