// The timed model against published numbers.
#pragma once

#include <string>
#include <vector>

namespace inflight::fidelity {

/// What a number is to the model.
enum class Origin {
  Input,        ///< the model's data were made to give it
  Prediction,   ///< it follows from others
  Contradicted, ///< other measurements, which the model follows, say otherwise: `why` names them; not tested
};

struct Row {
  std::string name;
  double model = 0, reference = 0;
  std::string unit;
  Origin origin = Origin::Prediction;
  std::string source;
  double allowedPercent = 5; ///< beyond that `why` says what is known of it
  std::string why = {};

  double errorPercent() const {
    return reference == 0 ? (model == 0 ? 0 : 100) : 100 * (model - reference) / reference;
  }
};

using Producer = std::vector<Row> (*)();

/// A static object of this kind makes rows known; topics are printed in alphabetical order.
struct Topic {
  Topic(const char *name, Producer rows);
};

struct Table {
  std::string topic;
  std::vector<Row> rows;
};
/// Measures all, or the topics whose name contains `part`.
std::vector<Table> measure(const std::string &part = "");

} // namespace inflight::fidelity
