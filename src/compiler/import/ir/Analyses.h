// What LLVM's own passes ask for that work on functions before MLIR sees them.
#pragma once

#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/PassInstrumentation.h"
#include "llvm/IR/PassManager.h"

namespace inflight::import {

/// Each is computed when a pass asks for it.
inline llvm::FunctionAnalysisManager makeAnalyses() {
  llvm::FunctionAnalysisManager analyses;
  analyses.registerPass([] { return llvm::PassInstrumentationAnalysis(); });
  analyses.registerPass([] { return llvm::DominatorTreeAnalysis(); });
  analyses.registerPass([] { return llvm::AssumptionAnalysis(); });
  analyses.registerPass([] { return llvm::TargetIRAnalysis(); });
  analyses.registerPass([] { return llvm::TargetLibraryAnalysis(); });
  analyses.registerPass([] { return llvm::AAManager(); });
  analyses.registerPass([] { return llvm::LoopAnalysis(); });
  analyses.registerPass([] { return llvm::ScalarEvolutionAnalysis(); });
  analyses.registerPass([] { return llvm::OptimizationRemarkEmitterAnalysis(); });
  return analyses;
}

} // namespace inflight::import
