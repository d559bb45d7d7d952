// What of newer chips' programs the analysis doesn't follow: such a program is undecided, whatever else is found.
#pragma once

#include "program/Program.h"

namespace inflight::waits {

/// A sentence for each, with the first place.
std::vector<std::string> unfollowedIn(const Program &program);

} // namespace inflight::waits
