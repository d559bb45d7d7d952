#include "isa/instr/Comparison.h"

#include "llvm/ADT/StringSwitch.h"

using namespace llvm;

namespace inflight {

std::optional<Comparison> comparisonOf(StringRef mnemonic) {
  if (!mnemonic.consume_front("s_cmp_") && !mnemonic.consume_front("s_cmpk_") && !mnemonic.consume_front("v_cmp_"))
    return std::nullopt;
  const auto [name, type] = mnemonic.split('_');
  const int relation = StringSwitch<int>(name)
                           .Case("eq", int(Relation::Equal))
                           .Cases({"lg", "ne"}, int(Relation::NotEqual))
                           .Case("lt", int(Relation::Less))
                           .Case("le", int(Relation::LessEqual))
                           .Case("gt", int(Relation::Greater))
                           .Case("ge", int(Relation::GreaterEqual))
                           .Default(-1);
  Comparison comparison;
  const bool isInteger =
      type.size() == 3 && (type[0] == 'u' || type[0] == 'i') && !type.drop_front().getAsInteger(10, comparison.bits);
  if (relation < 0 || !isInteger)
    return std::nullopt;
  comparison.relation = Relation(relation);
  comparison.isSigned = type[0] == 'i';
  return comparison;
}

} // namespace inflight
