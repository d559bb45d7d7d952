// DWARF that follows code which moves.
#pragma once

#include "rewrite/CodeLayout.h"
#include "llvm/ADT/StringMap.h"
#include <functional>
#include <map>
#include <optional>

namespace inflight {

/// A section's new bytes, and where in them its parts are.
struct MovedSection {
  std::string bytes;
  std::vector<std::pair<uint64_t, uint64_t>> parts; ///< old and new offsets of parts that keep their length; sorted

  uint64_t offset(uint64_t old) const;
  /// What is at `old` will be at the end of the bytes that there are now.
  void mark(uint64_t old) {
    if (offset(old) != bytes.size())
      parts.push_back({old, bytes.size()});
  }
};
using DebugSections = llvm::StringMap<std::string>; ///< by name
using MovedSections = llvm::StringMap<MovedSection>;

/// The debug sections whose bytes change. `sections` has all debug sections by name, with unified addresses of code and
/// offsets in other debug sections filled in. An error says what in them is broken.
llvm::Expected<MovedSections> moveDebugInfo(const DebugSections &sections, const CodeLayout &layout);

// Its parts, a section each.
llvm::Error moveLines(const DebugSections &sections, const CodeLayout &layout, MovedSections &moved);
llvm::Error moveFrames(const DebugSections &sections, const CodeLayout &layout, MovedSections &moved);
llvm::Error moveAddresses(const DebugSections &sections, const CodeLayout &layout, MovedSections &moved);

/// A list of ranges or locations that .debug_info names.
struct DebugList {
  uint64_t base = 0;                                                ///< what its offsets count from
  std::function<std::optional<uint64_t>(uint64_t index)> addressAt; ///< in .debug_addr
};
using DebugLists = std::map<uint64_t, DebugList>; ///< by offset

/// .debug_rnglists and .debug_loclists.
llvm::Error moveLists(llvm::StringRef name, bool haveLocations, const DebugLists &lists, const DebugSections &sections,
                      const CodeLayout &layout, MovedSections &moved);
/// .debug_ranges and .debug_loc, of DWARF before version 5.
llvm::Error movePlainLists(llvm::StringRef name, bool haveLocations, const DebugLists &lists,
                           const DebugSections &sections, const CodeLayout &layout, MovedSections &moved);
/// Changes the addresses in a DWARF expression, in place.
void moveExpression(llvm::MutableArrayRef<char> expression, const CodeLayout &layout);

/// .debug_info, and the lists that it names; the tables of lines have been moved.
llvm::Error moveEntries(const DebugSections &sections, const CodeLayout &layout, MovedSections &moved);

} // namespace inflight
