// Places of a program as reports name them.
#pragma once

#include "program/Program.h"
#include "support/report/Report.h"

namespace inflight {

inline ProgramPlace placeOf(const Program &program, uint32_t instruction) {
  ProgramPlace place;
  place.source = program.location(instruction);
  if (!program.isAssembly())
    place.address = program.instructions()[instruction].address;
  place.instruction = program.text(instruction);
  return place;
}

} // namespace inflight
