#include "rewrite/Rewrite.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace inflight {

namespace {

/// The line of an instruction and what stands on it.
struct Line {
  size_t begin, end;       ///< without the line's end
  StringRef lineEnd;       ///< "\n", "\r\n", "\r" or nothing
  StringRef before, after; ///< the instruction

  Line(StringRef source, const Instruction &instruction) {
    const size_t instructionEnd = instruction.offset + instruction.length;
    begin = source.find_last_of("\r\n", instruction.offset) + 1;
    end = instructionEnd;
    // A comment may go over several lines.
    while (end < source.size() && source[end] != '\n' && source[end] != '\r') {
      if (source.substr(end).starts_with("//") || source[end] == ';')
        end = std::min(source.find_first_of("\r\n", end), source.size());
      else if (source.substr(end).starts_with("/*"))
        end = std::min(source.find("*/", end + 2), source.size() - 2) + 2;
      else
        ++end;
    }
    lineEnd = source.substr(end, source.substr(end).starts_with("\r\n") ? 2 : 1);
    before = source.slice(begin, instruction.offset);
    after = source.slice(instructionEnd, end);
  }
};

class AssemblyEditor {
public:
  AssemblyEditor(const Program &program, StringRef source) : program(program), source(source) {}
  Expected<std::string> apply(ArrayRef<Edit> edits);

private:
  Error check(const Edit &edit) const;
  Error applyTo(uint32_t index, ArrayRef<Edit> edits);
  std::string indentOf(uint32_t index) const;
  std::string lineEndOf(const Line &line) const;
  void copyTo(size_t end) {
    result += source.slice(copied, end);
    copied = end;
  }

  const Program &program;
  StringRef source;
  std::string result;
  size_t copied = 0; ///< bytes of the source that are in `result`, changed or not
};

Error AssemblyEditor::check(const Edit &edit) const {
  if (edit.at >= program.instructions().size())
    return makeError("no instruction " + Twine(edit.at) + " to edit");
  const Instruction &instruction = program.instructions()[edit.at];
  if (size_t(instruction.offset) + instruction.length > source.size())
    return makeError("the text to edit is not the one that was read");
  if (!instruction.desc)
    return errorAt(program.location(edit.at), "data can't be edited");
  if (instruction.isFromMacro)
    return errorAt(program.location(edit.at),
                   "'" + program.text(edit.at) +
                       "' comes from a macro, a loop or an included file and can't be edited on its own");
  return Error::success();
}

/// The white space before the instruction, or where a label stands there, before its next neighbour without one.
std::string AssemblyEditor::indentOf(uint32_t index) const {
  constexpr uint32_t far = 8;
  ArrayRef<Instruction> all = program.instructions();
  for (uint32_t distance = 0; distance <= far; ++distance)
    for (int64_t i : {int64_t(index) + distance, int64_t(index) - distance}) {
      if (i < 0 || i >= int64_t(all.size()) || all[i].isFromMacro || !all[i].desc)
        continue;
      StringRef before = source.slice(source.find_last_of("\r\n", all[i].offset) + 1, all[i].offset);
      if (before.trim().empty())
        return before.str();
    }
  return "\t";
}

std::string AssemblyEditor::lineEndOf(const Line &line) const {
  if (!line.lineEnd.empty())
    return line.lineEnd.str();
  StringRef above = source.take_front(line.begin);
  return above.ends_with("\r\n") ? "\r\n" : above.ends_with("\r") ? "\r" : "\n";
}

Error AssemblyEditor::applyTo(uint32_t index, ArrayRef<Edit> edits) {
  const Instruction &instruction = program.instructions()[index];
  const Line line(source, instruction);
  const std::string separator = lineEndOf(line) + indentOf(index);
  SmallVector<std::string, 2> before, after, instead;
  bool isRemoved = false;
  for (const Edit &edit : edits) {
    const SmallVector<std::string, 2> texts = editTexts(edit, program.isa());
    switch (edit.action) {
    case Edit::Action::InsertBefore: append_range(before, texts); break;
    case Edit::Action::InsertAfter: append_range(after, texts); break;
    case Edit::Action::Replace:
    case Edit::Action::Remove:
      if (isRemoved)
        return errorAt(program.location(index), "replaced or removed twice");
      isRemoved = true;
      if (edit.action == Edit::Action::Replace)
        append_range(instead, texts);
      break;
    }
  }
  const size_t end = instruction.offset + instruction.length;
  if (isRemoved && instead.empty()) {
    // What is inserted takes the place.
    instead.append(before.begin(), before.end());
    instead.append(after.begin(), after.end());
    before.clear();
    after.clear();
  }
  if (isRemoved && instead.empty()) {
    const bool isAlone = line.before.trim().empty() && line.after.trim().empty();
    if (isAlone) {
      copyTo(line.begin);
      copied = line.end + line.lineEnd.size();
    } else if (line.after.trim().empty()) {
      copyTo(line.begin + line.before.rtrim().size());
      copied = end;
    } else {
      copyTo(instruction.offset);
      copied = end + (line.after.size() - line.after.ltrim(" \t").size());
    }
    return Error::success();
  }
  copyTo(instruction.offset);
  for (const std::string &text : before)
    result += text + separator;
  if (isRemoved) {
    result += join(instead, separator);
    copied = end;
  }
  if (!after.empty()) {
    copyTo(line.end);
    for (const std::string &text : after)
      result += separator + text;
  }
  return Error::success();
}

Expected<std::string> AssemblyEditor::apply(ArrayRef<Edit> unsorted) {
  for (const Edit &edit : unsorted)
    if (Error error = check(edit))
      return std::move(error);
  std::vector<Edit> edits = unsorted.vec();
  // In the order of the text; an instruction's place in the array follows its section.
  llvm::stable_sort(edits, [&](const Edit &a, const Edit &b) {
    return program.instructions()[a.at].offset < program.instructions()[b.at].offset;
  });
  result.reserve(source.size() + source.size() / 16);
  for (ArrayRef<Edit> rest = edits; !rest.empty();) {
    const uint32_t at = rest[0].at;
    ArrayRef<Edit> same = rest.take_while([&](const Edit &edit) { return edit.at == at; });
    rest = rest.drop_front(same.size());
    if (Error error = applyTo(at, same))
      return std::move(error);
  }
  copyTo(source.size());
  return std::move(result);
}

} // namespace

Expected<std::string> editAssembly(const Program &program, StringRef source, ArrayRef<Edit> edits) {
  return AssemblyEditor(program, source).apply(edits);
}

} // namespace inflight
