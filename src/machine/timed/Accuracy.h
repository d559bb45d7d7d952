// How far modelled times are from measured ones, by what kind of launch it is: data/accuracy.json.
#pragma once

#include "events/Events.h"

namespace inflight::machine::timed {

struct TimedStats;

/// Of a launch whose time is known.
events::Accuracy accuracyOf(const TimedStats &stats);

} // namespace inflight::machine::timed
