// A probe: runs variants of a kernel and puts what the clocks said into tables and curves.
#pragma once

#include "probes/Bench.h"

namespace llvm {
class raw_ostream;
}

namespace inflight::probes {

struct Cell {
  Cell(double number) : number(number), isNumber(true) {}
  Cell(std::string text) : text(std::move(text)) {}
  Cell(const char *text) : text(text) {}
  std::string text;
  double number = 0;
  bool isNumber = false;
};

struct Table {
  std::string title;
  std::vector<std::string> columns;
  std::vector<std::vector<Cell>> rows;
};

struct Series {
  std::string name;
  std::vector<std::pair<double, double>> points; ///< all series of a curve have the same x
};

struct Curve {
  std::string title, x, y;
  std::vector<Series> series;
  bool isLogX = false;
};

struct Report {
  const Template *about = nullptr;
  std::vector<Table> tables;
  std::vector<Curve> curves;
  std::vector<std::string> notes;
};

struct Probe {
  llvm::StringRef name; ///< of its template
  void (*measure)(Bench &bench, Report &report);
};

/// All probes, in the order in which --all runs them.
llvm::ArrayRef<Probe> probes();
/// An error lists those there are.
llvm::Expected<const Probe *> findProbe(llvm::StringRef name);
llvm::Expected<Report> measure(const Probe &probe, Bench &bench);

void printText(llvm::raw_ostream &os, const Report &report);
/// All reports as one JSON document.
void printJson(llvm::raw_ostream &os, const device::Device &device, llvm::ArrayRef<Report> reports);

// By subject, one file each.
void measureClock(Bench &, Report &);
void measureSlots(Bench &, Report &);
void measureValu(Bench &, Report &);
void measureValuToScalar(Bench &, Report &);
void measureSalu(Bench &, Report &);
void measureBranch(Bench &, Report &);
void measureFetch(Bench &, Report &);
void measureBarrier(Bench &, Report &);
void measureCoissue(Bench &, Report &);
void measureFairness(Bench &, Report &);
void measureWaves(Bench &, Report &);
void measureOccupancy(Bench &, Report &);
void measureMfma(Bench &, Report &);
void measureMfmaShadow(Bench &, Report &);
void measureLds(Bench &, Report &);
void measureLdsStride(Bench &, Report &);
void measureLdsQueue(Bench &, Report &);
void measureLdsDma(Bench &, Report &);
void measureVmem(Bench &, Report &);
void measureVmemIssue(Bench &, Report &);
void measureVmemArrival(Bench &, Report &);
void measureChase(Bench &, Report &);
void measureSmem(Bench &, Report &);
void measureSmemIssue(Bench &, Report &);

} // namespace inflight::probes
