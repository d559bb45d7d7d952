// What the compiler tells about a kernel beside its code: limits, pressure, spills, loops. In LLVM's terms, so that
// what reads opt's remarks reads these.
#pragma once

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Twine.h"
#include "llvm/Support/raw_ostream.h"
#include <string>
#include <tuple>
#include <vector>

namespace inflight::lir {

/// A place in the kernel's source. Lines and columns count from 1; 0: unknown.
struct Place {
  unsigned line = 0, column = 0;
  unsigned file = 0; ///< in Function::sourceFiles; 0: the kernel's own
  unsigned call = 0; ///< whose body it is in, inlined, as a number in Function::calls; 0: none
  bool known() const { return line != 0; }
  /// The same place of what was inlined several times is one.
  auto operator<=>(const Place &other) const {
    return std::tie(line, column, file) <=> std::tie(other.line, other.column, other.file);
  }
  bool operator==(const Place &other) const { return (*this <=> other) == 0; }
};

struct Remark {
  enum class Kind { Passed, Missed, Analysis };
  /// A piece of the message. "String" is the key of text that nobody looks up.
  struct Argument {
    std::string key, value;
    Place place; ///< of what the argument names
    bool operator==(const Argument &) const = default;
  };

  Kind kind = Kind::Analysis;
  std::string pass, name; ///< `pass` in opt's spelling, `name` in camel case
  Place place;            ///< unknown: the kernel's
  std::vector<Argument> arguments;

  Remark(Kind kind, llvm::StringRef pass, llvm::StringRef name, Place place = {})
      : kind(kind), pass(pass), name(name), place(place) {}
  Remark &text(const llvm::Twine &text) { return value("String", text); }
  Remark &value(llvm::StringRef key, const llvm::Twine &value, Place at = {}) {
    arguments.push_back({key.str(), value.str(), at});
    return *this;
  }
  Remark &number(llvm::StringRef key, uint64_t count) { return value(key, llvm::Twine(count)); }
  std::string message() const {
    std::string all;
    for (const Argument &argument : arguments)
      all += argument.value;
    return all;
  }
  bool operator==(const Remark &) const = default;
};

/// Remarks on one kernel, in the order of the passes.
class Remarks {
public:
  bool isWanted = false; ///< else none are kept; ask before doing work for one
  void add(Remark remark) {
    // Copies of iterations say the same again.
    if (isWanted && !llvm::is_contained(all, remark))
      all.push_back(std::move(remark));
  }
  const std::vector<Remark> &list() const LLVM_LIFETIME_BOUND { return all; }

private:
  std::vector<Remark> all;
};

struct Function;
/// `file:line:column: remark: message [-Rpass...=pass]` lines, as clang prints them.
void printRemarks(const Function &function, llvm::StringRef file, llvm::raw_ostream &os);
/// Prints remarks as opt writes them with -pass-remarks-output.
void printRemarksAsYaml(const Function &function, llvm::StringRef file, llvm::raw_ostream &os);

} // namespace inflight::lir
