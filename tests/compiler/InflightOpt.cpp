// Runs passes of lowering on MLIR text, and prints what comes out:
//   inflight-opt [-mcpu=CHIP] [--stages=N] [--ping-pong] [--reassociate] [--verify-copies] --pass=NAME... FILE
// FILE may be `-`. The module is verified after each pass.
#include "compiler/driver/Pipeline.h"
#include "compiler/driver/Session.h"
#include "isa/Isa.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/FileUtilities.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/ToolOutputFile.h"

using namespace llvm;
using namespace inflight;

namespace {
struct Request {
  std::string chip = "gfx942", file;
  std::vector<StringRef> passes;
  PipelineOptions options;
};
} // namespace

static Error parse(StringRef word, Request &request) {
  StringRef name = word;
  if (name.consume_front("--pass="))
    request.passes.push_back(name);
  else if (name.consume_front("-mcpu="))
    request.chip = name.str();
  else if (name.consume_front("--stages=")) {
    if (name.getAsInteger(10, request.options.stages))
      return makeError("--stages takes a number, not '" + name + "'");
  } else if (word == "--ping-pong")
    request.options.pingPong = true;
  else if (word == "--reassociate")
    request.options.reassociate = true;
  else if (word == "--verify-copies")
    request.options.verifyEach = true;
  else if (word.starts_with("-") && word != "-")
    return makeError("no option '" + word + "'");
  else
    request.file = word.str();
  return Error::success();
}

static Error run(ArrayRef<char *> words) {
  Request request;
  for (StringRef word : words)
    if (Error error = parse(word, request))
      return error;
  if (request.file.empty())
    return makeError("usage: inflight-opt [-mcpu=CHIP] [--stages=N] [--ping-pong] [--reassociate] [--verify-copies] "
                     "--pass=NAME... FILE");
  Expected<const Isa *> isa = Isa::get(request.chip);
  if (!isa)
    return isa.takeError();
  request.options.isa = *isa;
  const Session::Handle session = Session::take();
  SourceMgr sources;
  std::string message;
  std::unique_ptr<MemoryBuffer> text = mlir::openInputFile(request.file, &message);
  if (!text)
    return makeError(message);
  sources.AddNewSourceBuffer(std::move(text), SMLoc());
  const mlir::SourceMgrDiagnosticHandler handler(sources, &session->context());
  mlir::OwningOpRef<mlir::ModuleOp> module = mlir::parseSourceFile<mlir::ModuleOp>(sources, &session->context());
  mlir::PassManager manager(&session->context());
  for (StringRef pass : request.passes)
    if (!addLoweringPass(manager, pass, request.options))
      return makeError("no pass '" + pass + "': " + join(loweringPassNames(**isa), ", "));
  if (!module || failed(manager.run(*module)))
    return makeError("failed");
  module->print(outs(), mlir::OpPrintingFlags().useLocalScope());
  outs() << '\n';
  return Error::success();
}

int main(int count, char **words) {
  if (Error error = run(ArrayRef(words + 1, count - 1))) {
    errs() << toString(std::move(error)) << '\n';
    return 1;
  }
  return 0;
}
