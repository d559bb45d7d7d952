// A run as one HTML file: a timeline, the listing beside it and what waits waited for. Nothing is loaded from
// elsewhere. Another run may stand below it.
//
// The file is the built page of web/trace, cut where its data goes:
//  - before its program: a head (the run, the code, sums for each line, what data follows), the waves, and a coarse
//  timeline (PageBins),
//    so that the page shows the whole run as soon as these are there;
//  - after it: finer tiles, and the records in chunks (PageChunk), which it reads when it shows their time.
// Each is a script element of base-64 text that no browser runs, compressed by itself. Memory doesn't grow with the run
// but for a few dozen bytes a chunk and a wave: the pieces wait in a temporary file.
#pragma once

#include "events/Events.h"
#include "trace/run/SourceFiles.h"
#include "trace/silicon/Against.h"
#include "llvm/Support/Error.h"
#include <memory>

namespace inflight::trace {

class HtmlPage : public events::Sink {
public:
  /// Whether this program has the page in it.
  static bool isBuilt();
  /// The commands that build one that has.
  static llvm::StringRef howToBuild();
  static llvm::Expected<std::unique_ptr<HtmlPage>> create(llvm::StringRef path, const SourcePolicy &sources = {});
  /// Adds, before commit(), a thread trace's numbers beside the model's, in the listing.
  virtual void setSilicon(const Comparison &comparison) = 0;
  /// Another run that is shown below this one, as it was before a change, say: where its events go, all of them before
  /// commit().
  virtual llvm::Expected<events::Sink *> beside() = 0;
  /// Writes the file after finish(), or says what went wrong at any time before. Without it nothing is left.
  virtual llvm::Error commit() = 0;
  /// Sources that exist and weren't put into the page, after commit().
  virtual unsigned sourcesLeftOut() const = 0;
  /// The disk is full, say: there will be no page, whatever comes.
  virtual bool failed() const = 0;
};

} // namespace inflight::trace
