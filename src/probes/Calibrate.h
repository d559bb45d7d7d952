// Latency data of a device from what probes measure on it.
//
// An entry's value is the one with which the model gives what the device gave in the same experiment. So an entry means
// what the model means by it, whatever else an experiment's time consists of; and calibrating on a model gives that
// model's data.
#pragma once

#include "probes/Bench.h"
#include "llvm/Support/JSON.h"

namespace inflight::probes {

struct Calibrated {
  std::string entry, experiment;
  unsigned before = 0, value = 0;
  double measured = 0, modelled = 0; ///< the experiment on the device, and on the model with `value`
  bool isDetermined = false;         ///< else the experiment says nothing about the entry, and it stays as it was
};

struct Calibration {
  std::vector<Calibrated> entries;
  std::string file; ///< of the form of data/latency/CHIP.json
  unsigned modelRuns = 0;
};

/// `product`: what the model is compared as; empty: the usual one of the chip.
llvm::Expected<Calibration> calibrate(Bench &bench, CodeCache &code, llvm::StringRef product);

void printCalibration(llvm::raw_ostream &os, const Calibration &calibration);

} // namespace inflight::probes
