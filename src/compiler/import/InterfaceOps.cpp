// The custom syntax of IREE's operations that say how a kernel is launched and what it works on. They
// are parsed to what their generic form holds, as far as kernels need it.
#include "compiler/import/InterfaceOps.h"
#include "compiler/import/ForeignDialects.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/StringSwitch.h"

using namespace mlir;

namespace inflight::import {

namespace {
/// `<visibility> @name`, which wrappers begin with.
ParseResult parseSymbol(OpAsmParser &parser, OperationState &state) {
  StringRef visibility;
  if (succeeded(parser.parseOptionalKeyword(&visibility, {"public", "private", "nested"})))
    state.addAttribute(SymbolTable::getVisibilityAttrName(), parser.getBuilder().getStringAttr(visibility));
  StringAttr name;
  return parser.parseSymbolName(name, SymbolTable::getSymbolAttrName(), state.attributes);
}

ParseResult parseWrapper(OpAsmParser &parser, OperationState &state) {
  Region *body = state.addRegion();
  if (parseSymbol(parser, state) || parser.parseOptionalAttrDictWithKeyword(state.attributes) ||
      parser.parseRegion(*body))
    return failure();
  if (body->empty())
    body->emplaceBlock();
  return success();
}

/// Parses an export's name and attributes, which are all that matters here: the text of its regions is blank.
ParseResult parseExport(OpAsmParser &parser, OperationState &state) {
  if (parseSymbol(parser, state))
    return failure();
  if (succeeded(parser.parseOptionalKeyword("ordinal"))) {
    int64_t ordinal;
    if (parser.parseLParen() || parser.parseInteger(ordinal) || parser.parseRParen())
      return failure();
  }
  return parser.parseOptionalAttrDictWithKeyword(state.attributes);
}

/// `@kernel workgroup_size = [64, 1, 1] subgroup_size = 64`, whose region is blank.
ParseResult parseDispatchConfig(OpAsmParser &parser, OperationState &state) {
  SymbolRefAttr kernel;
  if (parser.parseAttribute(kernel, "function_ref", state.attributes))
    return failure();
  StringRef word;
  while (succeeded(parser.parseOptionalKeyword(&word))) {
    Attribute value;
    if (parser.parseEqual() || parser.parseAttribute(value))
      return failure();
    state.addAttribute(word, value);
  }
  return parser.parseOptionalAttrDict(state.attributes);
}

ParseResult parseInteger(OpAsmParser &parser, OperationState &state, StringRef attribute) {
  int64_t value;
  if (parser.parseLParen() || parser.parseInteger(value) || parser.parseRParen())
    return failure();
  state.addAttribute(attribute, parser.getBuilder().getIndexAttr(value));
  return success();
}

/// `layout(#alias)` or `layout(<…>)`, kept as text.
ParseResult parseLayout(OpAsmParser &parser, OperationState &state) {
  if (parser.parseLParen())
    return failure();
  const char *begin = parser.getCurrentLocation().getPointer();
  Attribute attribute;
  OptionalParseResult alias = parser.parseOptionalAttribute(attribute);
  if (alias.has_value()) {
    auto layout = succeeded(*alias) ? dyn_cast<OpaqueAttr>(attribute) : OpaqueAttr();
    if (failed(*alias) || parser.parseRParen())
      return failure();
    if (!layout)
      return parser.emitError(parser.getNameLoc(), "a layout that is not one of the hal dialect");
    state.addAttribute(interface::layout, parser.getBuilder().getStringAttr(layout.getAttrData()));
    return success();
  }
  unsigned depth = 0;
  do {
    StringRef word;
    std::string string;
    int64_t number;
    if (succeeded(parser.parseOptionalLess())) {
      ++depth;
    } else if (succeeded(parser.parseOptionalGreater())) {
      --depth;
    } else if (parser.parseOptionalInteger(number).has_value() || succeeded(parser.parseOptionalString(&string)) ||
               succeeded(parser.parseOptionalKeyword(&word)) || succeeded(parser.parseOptionalEqual()) ||
               succeeded(parser.parseOptionalComma()) || succeeded(parser.parseOptionalLSquare()) ||
               succeeded(parser.parseOptionalRSquare()) || succeeded(parser.parseOptionalVerticalBar())) {
      continue;
    } else if (OptionalParseResult part = parser.parseOptionalAttribute(attribute);
               !part.has_value() || failed(*part)) {
      return parser.emitError(parser.getCurrentLocation(), "expected the layout of a pipeline");
    }
  } while (depth > 0);
  const char *end = parser.getCurrentLocation().getPointer();
  state.addAttribute(interface::layout, parser.getBuilder().getStringAttr(StringRef(begin, end - begin)));
  return parser.parseRParen();
}

/// `: memref<?x8xf32>{%size}`: the result and the operands that are its dynamic sizes.
ParseResult parseSizedResult(OpAsmParser &parser, OperationState &state) {
  Type type;
  if (parser.parseColonType(type))
    return failure();
  state.addTypes(type);
  SmallVector<OpAsmParser::UnresolvedOperand> sizes;
  if (succeeded(parser.parseOptionalLBrace()))
    if (parser.parseOperandList(sizes) || parser.parseRBrace())
      return failure();
  return parser.resolveOperands(sizes, parser.getBuilder().getIndexType(), state.operands);
}

ParseResult parseBinding(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand offset;
  bool hasOffset = false;
  StringRef word;
  while (succeeded(parser.parseOptionalKeyword(&word))) {
    if (word == "layout") {
      if (parseLayout(parser, state))
        return failure();
    } else if (word == "binding" || word == "alignment" || word == "set") {
      if (parseInteger(parser, state, word))
        return failure();
    } else if (word == "offset") {
      if (parser.parseLParen() || parser.parseOperand(offset) || parser.parseRParen())
        return failure();
      hasOffset = true;
    } else if (word == "flags" || word == "type") {
      std::string text;
      if (parser.parseLParen())
        return failure();
      do {
        if (failed(parser.parseOptionalString(&text)) && failed(parser.parseOptionalKeyword(&word)))
          return parser.emitError(parser.getCurrentLocation(), "expected a flag");
      } while (succeeded(parser.parseOptionalVerticalBar()));
      if (parser.parseRParen())
        return failure();
    } else {
      return parser.emitError(parser.getCurrentLocation(), "unexpected '") << word << "' in a binding";
    }
  }
  if (hasOffset && parser.resolveOperand(offset, parser.getBuilder().getIndexType(), state.operands))
    return failure();
  if (parser.parseOptionalAttrDict(state.attributes))
    return failure();
  return parseSizedResult(parser, state);
}

ParseResult parseConstant(OpAsmParser &parser, OperationState &state) {
  StringRef word;
  while (succeeded(parser.parseOptionalKeyword(&word))) {
    if (word == "layout") {
      if (parseLayout(parser, state))
        return failure();
    } else if (word == "ordinal" || word == "alignment") {
      if (parseInteger(parser, state, word))
        return failure();
    } else if (word == "values") {
      Attribute values;
      if (parser.parseLParen() || parser.parseAttribute(values) || parser.parseRParen())
        return failure();
    } else {
      return parser.emitError(parser.getCurrentLocation(), "unexpected '") << word << "' in a push constant";
    }
  }
  Type type;
  if (parser.parseOptionalAttrDict(state.attributes) || parser.parseColonType(type))
    return failure();
  state.addTypes(type);
  return success();
}

/// `[0] upper_bound 16 : index`
ParseResult parseWorkgroup(OpAsmParser &parser, OperationState &state) {
  int64_t dimension, bound;
  if (parser.parseLSquare() || parser.parseInteger(dimension) || parser.parseRSquare())
    return failure();
  state.addAttribute(interface::dimension, parser.getBuilder().getIndexAttr(dimension));
  if (succeeded(parser.parseOptionalKeyword("upper_bound"))) {
    if (parser.parseInteger(bound))
      return failure();
    state.addAttribute(interface::upperBound, parser.getBuilder().getIndexAttr(bound));
  }
  Type type;
  if (parser.parseOptionalAttrDict(state.attributes) || parser.parseColonType(type))
    return failure();
  state.addTypes(type);
  return success();
}

/// `%binding[%offset] : !stream.binding -> memref<…>{%size}`
ParseResult parseStreamBinding(OpAsmParser &parser, OperationState &state) {
  OpAsmParser::UnresolvedOperand binding, offset;
  Type bindingType, type;
  SmallVector<OpAsmParser::UnresolvedOperand> sizes;
  Type index = parser.getBuilder().getIndexType();
  if (parser.parseOperand(binding) || parser.parseLSquare() || parser.parseOperand(offset) || parser.parseRSquare() ||
      parser.parseOptionalAttrDict(state.attributes) || parser.parseColonType(bindingType) || parser.parseArrow() ||
      parser.parseType(type))
    return failure();
  state.addTypes(type);
  if (succeeded(parser.parseOptionalLBrace()))
    if (parser.parseOperandList(sizes) || parser.parseRBrace())
      return failure();
  return failure(parser.resolveOperand(binding, bindingType, state.operands) ||
                 parser.resolveOperand(offset, index, state.operands) ||
                 parser.resolveOperands(sizes, index, state.operands));
}

/// `%a<umin = 0, umax = 15>, %b[<udiv = 4>, <udiv = 8>] : index, i32`. What is assumed isn't used.
ParseResult parseAssume(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  auto parseFacts = [&]() -> ParseResult {
    auto fact = [&]() -> ParseResult {
      StringRef word;
      int64_t number;
      if (succeeded(parser.parseOptionalGreater()))
        return success();
      do {
        if (parser.parseKeyword(&word) || parser.parseEqual() || parser.parseInteger(number))
          return failure();
      } while (succeeded(parser.parseOptionalComma()));
      return parser.parseGreater();
    };
    if (succeeded(parser.parseOptionalLess()))
      return fact();
    if (failed(parser.parseOptionalLSquare()))
      return success();
    return parser.parseCommaSeparatedList([&] { return failure(parser.parseLess() || fact()); }) ||
                   parser.parseRSquare()
               ? failure()
               : success();
  };
  auto parseOne = [&]() -> ParseResult {
    return failure(parser.parseOperand(operands.emplace_back()) || parseFacts());
  };
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseCommaSeparatedList(parseOne) || parser.parseOptionalAttrDict(state.attributes) ||
      parser.parseColonTypeList(types))
    return failure();
  state.addTypes(types);
  return parser.resolveOperands(operands, types, loc, state.operands);
}

/// `stream.return %x, %y : index, index`
ParseResult parseReturn(OpAsmParser &parser, OperationState &state) {
  SmallVector<OpAsmParser::UnresolvedOperand> operands;
  SmallVector<Type> types;
  SMLoc loc = parser.getCurrentLocation();
  if (parser.parseOptionalAttrDict(state.attributes) || parser.parseOperandList(operands))
    return failure();
  if (!operands.empty() && parser.parseColonTypeList(types))
    return failure();
  return parser.resolveOperands(operands, types, loc, state.operands);
}
} // namespace

ParseOperation interfaceParser(StringRef op) {
  return llvm::StringSwitch<ParseOperation>(op)
      .Cases({"stream.executable", "hal.executable", "hal.executable.source", "hal.executable.variant"}, parseWrapper)
      .Cases({"stream.executable.export", "hal.executable.export"}, parseExport)
      .Case(interface::dispatchConfig, parseDispatchConfig)
      .Cases({"stream.return", "hal.return"}, parseReturn)
      .Case(interface::streamBinding, parseStreamBinding)
      .Case(interface::binding, parseBinding)
      .Case(interface::constant, parseConstant)
      .Cases({"hal.interface.workgroup.id", "hal.interface.workgroup.count", "hal.interface.workgroup.size"},
             parseWorkgroup)
      .Cases({"stream.dispatch.workgroup.id", "stream.dispatch.workgroup.count", "stream.dispatch.workgroup.size"},
             parseWorkgroup)
      .Case(interface::assume, parseAssume)
      .Default(nullptr);
}

} // namespace inflight::import
