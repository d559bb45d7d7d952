// Operations on a number or on each element of a vector alike.
#pragma once

#include "mlir/Dialect/Arith/IR/Arith.h"

namespace inflight {

/// Types and constants in the shape of one value.
struct ShapedBuilder {
  mlir::OpBuilder &b;
  mlir::Location loc;
  mlir::Type like;

  mlir::Type shaped(mlir::Type element) const {
    auto vector = mlir::dyn_cast<mlir::VectorType>(like);
    return vector ? mlir::Type(vector.clone(element)) : element;
  }
  mlir::Value constant(mlir::TypedAttr element) const {
    if (auto vector = mlir::dyn_cast<mlir::VectorType>(shaped(element.getType())))
      return mlir::arith::ConstantOp::create(b, loc, mlir::DenseElementsAttr::get(vector, mlir::Attribute(element)));
    return mlir::arith::ConstantOp::create(b, loc, element);
  }
};

} // namespace inflight
