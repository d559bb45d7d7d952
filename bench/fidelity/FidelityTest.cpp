// Every row of the fidelity table is as near to its reference as it says.
#include "Fidelity.h"

#include "gtest/gtest.h"
#include <cmath>

using namespace inflight::fidelity;

TEST(Fidelity, EveryNumberIsAsNearAsItsRowSays) {
  unsigned count = 0;
  for (const Table &table : measure())
    for (const Row &row : table.rows) {
      ++count;
      EXPECT_TRUE(row.allowedPercent <= 5 || !row.why.empty()) << row.name << " doesn't say why it is off";
      if (row.origin == Origin::Contradicted)
        continue;
      EXPECT_LE(std::fabs(row.errorPercent()), row.allowedPercent)
          << table.topic << ": " << row.name << ": " << row.model << " for " << row.reference;
    }
  EXPECT_GT(count, 0u);
}
