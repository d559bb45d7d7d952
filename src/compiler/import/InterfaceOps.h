// Names of IREE's interface operations and of the attributes that their parsers give them.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace inflight::import::interface {

inline constexpr llvm::StringLiteral streamBinding = "stream.binding.subspan";
inline constexpr llvm::StringLiteral binding = "hal.interface.binding.subspan";
inline constexpr llvm::StringLiteral constant = "hal.interface.constant.load";
inline constexpr llvm::StringLiteral dispatchConfig = "iree_codegen.dispatch_config";
inline constexpr llvm::StringLiteral assume = "util.assume.int";

inline constexpr llvm::StringLiteral layout = "layout";          ///< StringAttr: the text of the attribute
inline constexpr llvm::StringLiteral dimension = "dimension";    ///< IntegerAttr: 0, 1 or 2
inline constexpr llvm::StringLiteral upperBound = "upper_bound"; ///< IntegerAttr, optional
inline constexpr llvm::StringLiteral bindingNumber = "binding";  ///< IntegerAttr
inline constexpr llvm::StringLiteral constantNumber = "ordinal"; ///< IntegerAttr

} // namespace inflight::import::interface
