// What decides how kernels are lowered.
#pragma once

#include <type_traits>

namespace inflight {

class Isa;

/// All that decides which passes there are and what they do. Passes are made of nothing else, and outlive the
/// compilation that made them: where options are equal, they serve another one (Session.h).
struct PipelineOptions {
  const Isa *isa = nullptr; ///< the chip's, which lives as long as the process; compile() sets it
  bool asyncCopies = true;  ///< createAsyncCopiesPass
  unsigned stages = 0;      ///< buffers of each tile that is copied ahead; 0: as many as pay
  bool pingPong = false;    ///< halves of a workgroup's waves alternate in loops that copy tiles ahead
  bool rotateLoops = true;  ///< RotateLoops
  bool reassociate = false; ///< attr::reassociate, of all kernels
  unsigned tileRows = 0;    ///< and columns, of a linalg.matmul that a workgroup computes; 0: as they are chosen
  unsigned tileColumns = 0;
  bool verifyEach = false; ///< passes check what they have done, where they can
  bool operator==(const PipelineOptions &) const = default;
};
static_assert(std::is_trivially_copyable_v<PipelineOptions>, "what owns or captures has no place in what is compared");

} // namespace inflight
