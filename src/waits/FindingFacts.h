// What verify and its texts ask of a finding.
#pragma once

#include "waits/Verify.h"
#include "llvm/ADT/STLFunctionalExtras.h"

namespace inflight::waits {

/// Where the waves are that make the access after the barrier (Cause::Late), when that is certain and they are at
/// another one of the code.
std::optional<uint32_t> partnerOf(const Graph &graph, const Finding &finding);
/// Where control goes on the file doesn't say.
bool goesAnywhere(const Program &program, const Graph &graph, const Need &need);
/// What overwrites the registers is a memory operation's result, which comes a latency after the operation.
bool isOverwrittenLater(const Graph &graph, const Finding &finding);

/// Whether `isDone` holds for an operation between the finding's producer and its user.
bool anyBetween(const Graph &graph, const Finding &finding, llvm::function_ref<bool(const Op &)> isDone);
/// Whether one field of a wait means both counters, of results both or of sources both.
bool isOfOneField(const Graph &graph, Counter a, Counter b);
/// Whether one of the counters that the counter's field means counts the operation.
bool isCountedInField(const Graph &graph, const Op &op, Counter counter);
/// Whether one of the program's waits finishes the operation if all that their field counts were one order, and as much
/// of it as may be. LLVM and StinkyTofu say that it isn't; Triton's compiler counts so all the same, and nobody has
/// measured it.
bool isOneOrderEnough(const Graph &graph, const Finding &finding);
/// The same of an image with a sampler or a ray on a counter where they are in no order, if those of one kind are in
/// order with each other: LLVM and Mesa have it so.
bool isOrderOfItsKindEnough(const Graph &graph, const Finding &finding);
/// Whether the program waits until the memory operation's addresses are translated, for what it reads. rocJITsu takes
/// that for enough (rocm-systems 11864), as nothing is read again then; LLVM waits for both.
bool isTranslationEnough(const Graph &graph, const Finding &finding);
/// Whether it is what s_barrier_signal_isfirst leaves in SCC, behind the wait for that barrier. LLVM takes that for
/// enough (SIInsertWaitcnts.cpp, tryClearSCCWriteEvent); no other source says so.
bool isBarrierEnough(const Program &program, const Graph &graph, const Finding &finding);

} // namespace inflight::waits
