// Stops as people read them.
#pragma once

#include "machine/debug/ValueText.h"
#include "support/report/SourceText.h"

namespace inflight::machine::debug {

/// Writes each stop when it happens.
class StopText final : public Listener {
public:
  /// `sources` may be null: then no source lines are shown.
  StopText(llvm::raw_ostream &os, const TableStyle &style, SourceText *sources)
      : os(os), style(style), sources(sources) {}
  void stopped(const Stop &stop) override;
  void watched(const WatchReport &watch) override;
  void note(const std::string &text) override;

private:
  void writeHeading(const Stop &stop);
  void writeOperands(const Stop &stop);
  void writeBold(const std::string &text);
  void writeSource(const SourceLocation &source);

  llvm::raw_ostream &os;
  TableStyle style;
  SourceText *sources;
  bool isFirst = true;
};

} // namespace inflight::machine::debug
