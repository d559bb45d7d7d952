// Rewrites of LIR between selection and scheduling: several instructions that one does, copies into
// registers that the producer could write itself, lane masks that go straight to EXEC.
//
// All of them look at values with one definition and, but for masks' branches, at one basic block, in
// which EXEC changes only where an instruction says so.
#pragma once

#include "compiler/lir/Lir.h"

namespace inflight::lir {

/// Copies that keep inactive lanes (loop-carried values, merges of divergent branches): the producer
/// writes the destination itself where nothing reads the old value in between, and so does a branch
/// that changes a carried value in some lanes.
void writeCarriedValuesInPlace(Function &function);

/// What a loop loads an iteration ahead goes to the registers that carry it, not there by a copy, which would wait for
/// it.
void loadCarriedValuesInPlace(Function &function);

/// Comparisons whose mask only narrows EXEC write it themselves; branches around a few cheap
/// instructions, and restores of EXEC right before the program ends, go.
void simplifyMasks(Function &function);

/// Stores that a later one of the block overwrites, in the same lanes and before anything could read them, go.
void removeDeadStores(Function &function);

/// A DPP move whose result one operation reads becomes that operation's DPP operand.
void combineDpp(Function &function);

/// Fields of what was shifted down are taken from where they were; bytes and halves are converted where they are.
void combineFields(Function &function);

/// Halves that are converted for products with singles are read by the products.
void combineMixedProducts(Function &function);

/// Two operations that one instruction with three operands does: v_max3_f32, v_add3_u32 and so on.
void fuseOperations(Function &function);

/// All rewrites that make one instruction of several, in their order; what they leave dead stays.
void combineInstructions(Function &function);

} // namespace inflight::lir
