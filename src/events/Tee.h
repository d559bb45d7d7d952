// Several consumers of one run.
#pragma once

#include "events/Events.h"

namespace inflight::events {

class Tee : public Sink {
public:
  void add(Sink &sink) { sinks.push_back(&sink); }
  void start(const RunInfo &info) override {
    for (Sink *sink : sinks)
      sink->start(info);
  }
  void waveBegin(const WaveBegin &record) override {
    for (Sink *sink : sinks)
      sink->waveBegin(record);
  }
  void instruction(const Instruction &record) override {
    for (Sink *sink : sinks)
      sink->instruction(record);
  }
  void operation(const Operation &record) override {
    for (Sink *sink : sinks)
      sink->operation(record);
  }
  void wait(const Wait &record) override {
    for (Sink *sink : sinks)
      sink->wait(record);
  }
  void waveEnd(const WaveEnd &record) override {
    for (Sink *sink : sinks)
      sink->waveEnd(record);
  }
  void finish(const Summary &summary) override {
    for (Sink *sink : sinks)
      sink->finish(summary);
  }

private:
  std::vector<Sink *> sinks;
};

} // namespace inflight::events
