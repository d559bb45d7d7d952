#include "compiler/pipeline/Pipeline.h"
#include "mlir/Parser/Parser.h"
#include "llvm/Support/raw_ostream.h"
using namespace mlir;
int main(int c,char**v){ DialectRegistry r; inflight::registerInputDialects(r); MLIRContext ctx(r); ctx.loadAllAvailableDialects();
 auto m=parseSourceFile<ModuleOp>(v[1],ParserConfig(&ctx)); if(!m) return 1; inflight::PipelineOptions o; o.chip=c>2?v[2]:"gfx942"; o.maxLdsBytes=65536;
 int rc=failed(inflight::lowerToStructuredLLVM(*m,o)); if(!rc||c>3) m->print(llvm::outs()); return rc; }
