// Forms of random index arithmetic against what every lane computes.
#include "compiler/lanes/LaneForms.h"
#include "RandomArithmetic.h"
#include "gtest/gtest.h"

using namespace inflight;
using namespace inflight::lanes;
using namespace inflight::testing;

namespace {
/// What a form comes to in a lane; none if one of its terms isn't defined.
std::optional<int64_t> inLane(const LaneForm &form, unsigned lane, const Uniforms &given,
                              const ArithmeticKernel &kernel, const RandomArithmetic &arithmetic) {
  uint64_t sum = form.constant[lane];
  for (const LaneForm::Term &term : form.terms) {
    const auto number = arithmetic.values[kernel.numberOf.lookup(term.value)].in(lane, given);
    if (!number)
      return std::nullopt;
    sum += uint64_t(term.factor[lane]) * uint64_t(*number);
  }
  return int64_t(sum);
}

constexpr Workgroup groups[] = {{{64, 1, 1}}, {{128, 1, 1}}, {{16, 8, 2}}, {{4, 16, 1}}, {{24, 8, 1}}};
} // namespace

TEST(LaneForms, AreWhatEveryLaneComputes) {
  unsigned known = 0, tables = 0, uniform = 0, multiples = 0;
  for (unsigned seed = 0; seed < 200; ++seed) {
    RandomArithmetic arithmetic(seed, groups[seed % std::size(groups)]);
    for (unsigned i = 0; i < 30; ++i)
      arithmetic.step();
    ArithmeticKernel kernel(arithmetic);
    ASSERT_TRUE(kernel.module) << arithmetic.text;
    LaneForms forms(kernel.function);
    ASSERT_EQ(forms.lanes(), arithmetic.group.lanes());
    const Uniforms given[] = {arithmetic.pickUniforms(), arithmetic.pickUniforms()};
    for (auto [value, number] : kernel.numberOf) {
      const RandomArithmetic::Value &expected = arithmetic.values[number];
      const std::optional<LaneForm> form = forms.of(value), each = forms.ofEach(value);
      const bool isUniform = forms.isUniform(value);
      unsigned factor = 1;
      while (factor < 64 && forms.isMultiple(value, factor * 2))
        factor *= 2;
      known += form.has_value();
      tables += form && form->isTable();
      uniform += isUniform;
      multiples += factor > 1;
      for (const Uniforms &uniforms : given)
        for (unsigned lane = 0; lane < forms.lanes(); ++lane) {
          const std::optional<int64_t> wanted = expected.in(lane, uniforms), first = expected.in(0, uniforms);
          if (!wanted)
            continue;
          for (const std::optional<LaneForm> &one : {form, each})
            if (one)
              if (const auto found = inLane(*one, lane, uniforms, kernel, arithmetic))
                ASSERT_EQ(llvm::SignExtend64(*found, expected.bits), *wanted)
                    << "seed " << seed << ", lane " << lane << ", " << expected.name << "\n"
                    << arithmetic.text;
          if (isUniform && first)
            ASSERT_EQ(*wanted, *first) << "seed " << seed << ", " << expected.name << " isn't uniform\n"
                                       << arithmetic.text;
          ASSERT_EQ(*wanted % int64_t(factor), 0)
              << "seed " << seed << ", " << expected.name << " is no multiple of " << factor << "\n"
              << arithmetic.text;
        }
    }
  }
  // They say something.
  EXPECT_GT(known, 4000u);
  EXPECT_GT(tables, 2000u);
  EXPECT_GT(uniform, 1500u);
  EXPECT_GT(multiples, 1000u);
}

/// Sums and products of a lane's own and of uniform values, of 64 bits, are all known.
TEST(LaneForms, LinearArithmeticIsKnown) {
  RandomArithmetic arithmetic(1, {{64, 2, 1}});
  ArithmeticKernel kernel(arithmetic, "    %s = arith.muli %a0, %a1 : index\n    %t = arith.muli %v3, %s : index\n"
                                      "    %u = arith.addi %t, %v4 : index\n");
  ASSERT_TRUE(kernel.module);
  LaneForms forms(kernel.function);
  const mlir::Value sum = std::prev(kernel.function.getBody().front().end(), 2)->getResult(0);
  const std::optional<LaneForm> form = forms.of(sum);
  ASSERT_TRUE(form);
  ASSERT_EQ(form->terms.size(), 1u);
  EXPECT_FALSE(form->isUniform());
  EXPECT_EQ(form->terms[0].factor[5], 5);
  EXPECT_EQ(form->constant[64], 1);
}
