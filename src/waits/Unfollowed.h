// What of newer chips' programs the analysis doesn't follow: such a program is undecided, whatever else is found.
#pragma once

#include "program/Program.h"

namespace inflight::waits {

class DepModes;

/// A sentence for each, with the first place.
std::vector<std::string> unfollowedIn(const Program &program, const DepModes &modes);

} // namespace inflight::waits
