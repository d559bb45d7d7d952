#include "compiler/import/ForeignDialects.h"

#include "compiler/import/Import.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/Regex.h"

using namespace mlir;

namespace inflight::import {

ForeignLowering foreignLowering(StringRef dialect) {
  return llvm::StringSwitch<ForeignLowering>(dialect)
#define FOREIGN_DIALECT(name, project, passes) .Case(#name, {project, passes})
#define UPSTREAM_DIALECT(name, passes) .Case(#name, {"MLIR", passes})
#include "compiler/import/ForeignDialects.def"
      .Default({});
}

/// Whether the operation is one of an upstream dialect that LLVM 22 doesn't have.
static bool isNewer(StringRef op) {
  static const llvm::StringSet<> names = {
#define NEWER_OPERATION(name) name,
#include "compiler/import/NewerOperations.def"
  };
  return names.contains(op);
}

InFlightDiagnostic explainForeign(InFlightDiagnostic diagnostic, StringRef op) {
  if (isNewer(op)) {
    diagnostic << "unknown operation '" << op << "': it came with LLVM 23 or 24, and MLIR is read as LLVM 22 prints it";
    return diagnostic;
  }
  ForeignLowering lowering = foreignLowering(op.split('.').first);
  diagnostic << "unknown operation '" << op << "'";
  if (!lowering.project.empty())
    diagnostic << " of " << lowering.project << ": what lowers it is " << lowering.passes;
  return diagnostic;
}

namespace {
ParseResult refuse(OpAsmParser &parser, OperationState &state) {
  return explainForeign(emitError(parser.getEncodedSourceLoc(parser.getNameLoc())), state.name.getStringRef());
}

/// Operations may be anything in generic form; their custom form is known for a few.
class ForeignDialect : public Dialect {
public:
  ForeignDialect(StringRef name, MLIRContext *context, TypeID id) : Dialect(name, context, id) {
    allowUnknownOperations();
    allowUnknownTypes();
  }

  Attribute parseAttribute(DialectAsmParser &parser, Type) const override {
    // The memory space of bindings: a memref takes no opaque attribute for it.
    if (getNamespace() == "hal" && parser.getFullSymbolSpec().starts_with("descriptor_type<"))
      return gpu::AddressSpaceAttr::get(getContext(), gpu::AddressSpace::Global);
    return OpaqueAttr::get(StringAttr::get(getContext(), getNamespace()), parser.getFullSymbolSpec(),
                           NoneType::get(getContext()));
  }
  Type parseType(DialectAsmParser &parser) const override {
    return OpaqueType::get(StringAttr::get(getContext(), getNamespace()), parser.getFullSymbolSpec());
  }
  std::optional<ParseOpHook> getParseOperationHook(StringRef op) const override {
    if (ParseOperation parse = interfaceParser(op))
      return ParseOpHook(*parse);
    return ParseOpHook(refuse);
  }
};

#define FOREIGN_DIALECT(name, project, passes)                                             \
  struct Dialect_##name : ForeignDialect {                                                 \
    MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Dialect_##name)                           \
    explicit Dialect_##name(MLIRContext *context)                                          \
        : ForeignDialect(getDialectNamespace(), context, TypeID::get<Dialect_##name>()) {} \
    static constexpr StringLiteral getDialectNamespace() { return StringLiteral(#name); }  \
  };
#include "compiler/import/ForeignDialects.def"
} // namespace

/// The operation that begins a line of the text: `[%result = ]name …`.
static StringRef operationAt(StringRef source, unsigned line) {
  for (; line > 1 && !source.empty(); --line)
    source = source.split('\n').second;
  StringRef text = source.split('\n').first.ltrim();
  if (text.starts_with("%"))
    text = text.split('=').second.ltrim();
  return text.take_until([](char c) { return c == ' ' || c == '('; });
}

ExplainUnknown::ExplainUnknown(MLIRContext *context, StringRef source)
    : ScopedDiagnosticHandler(context, [source](Diagnostic &diagnostic) {
        static const llvm::Regex unknown(
            "^Dialect `.*' not found for custom op '([^']*)'|^custom op '([^']*)' is unknown");
        SmallVector<StringRef> match;
        std::string text = diagnostic.str();
        if (!unknown.match(text, &match)) {
          auto place = dyn_cast<FileLineColLoc>(diagnostic.getLocation());
          const StringRef op = place ? operationAt(source, place.getLine()) : "";
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error && hasNewerSyntax(op))
            diagnostic.attachNote() << "MLIR is read as LLVM 22 prints it; LLVM 23 and 24 print '" << op
                                    << "' otherwise, and this form isn't translated";
          return failure();
        }
        (void)explainForeign(emitError(diagnostic.getLocation()), match[1].empty() ? match[2] : match[1]);
        return success();
      }) {}

void registerForeignDialects(DialectRegistry &registry) {
#define FOREIGN_DIALECT(name, project, passes) registry.insert<Dialect_##name>();
#include "compiler/import/ForeignDialects.def"
}

} // namespace inflight::import
