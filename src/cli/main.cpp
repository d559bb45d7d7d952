#include "compiler/Compile.h"
#include "support/Diagnostics.h"
#include "llvm/Support/raw_ostream.h"
using namespace inflight;
int main(int c, char **v) {
  CompileOptions o; o.chip = c > 2 ? v[2] : "gfx942"; o.emit = EmitKind::Asm; if (c>3) o.printAfterAll = true;
  auto s = readFile(v[1]); if (!s) return 2;
  auto r = compile(*s, v[1], o);
  if (!r) { llvm::errs() << toString(r.takeError()) << "\n"; return 1; }
  o.emit=EmitKind::CodeObject;
  auto r2 = compile(*s, v[1], o);
  if (!r2) { llvm::errs() << toString(r2.takeError()) << "\n";  llvm::outs()<<r->output; return 1; }
  llvm::outs() << r->output; }
