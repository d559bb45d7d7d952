#include "FloatRows.h"

#include "gtest/gtest.h"
#include <random>

namespace inflight::machine::test {

Values edgeValues(const FloatFormat &f) {
  const uint64_t one = uint64_t(f.bias) << f.mantissaBits, ulp = 1, step = f.leastNormal();
  Values v = {0,
              ulp,
              step / 2 + 1,
              step - 1,
              step,
              step + 1,
              one / 2,
              one - ulp,
              one,
              one + ulp,
              one + step / 2,
              one + step,
              one + 3 * step + 1,
              one + (f.mantissaBits / 2 + 1) * step + 3,
              one + (f.mantissaBits + 1) * step,
              one - (f.mantissaBits / 2) * step,
              f.infinity() - 1,
              f.infinity() - step,
              f.infinity(),
              f.infinity() + f.quietBit() + 5,
              f.infinity() + 3};
  for (size_t i = v.size(); i--;)
    v.push_back(v[i] | f.signBit());
  return v;
}

std::vector<Values> operands(const FloatFormat &f, unsigned sources) {
  const Values edges = edgeValues(f);
  std::mt19937_64 random(1);
  std::vector<Values> rows;
  const unsigned count = sources == 1 ? 128 : 448;
  for (unsigned i = 0; i < count; ++i) {
    Values row;
    for (unsigned s = 0; s < sources; ++s)
      row.push_back(random() % 4 ? edges[random() % edges.size()] : random() >> (64 - f.width));
    if (sources == 1)
      row[0] = i < edges.size() ? edges[i] : random() >> (64 - f.width);
    rows.push_back(row);
  }
  return rows;
}

std::vector<Mode> allModes() {
  std::vector<Mode> modes;
  for (unsigned rounding = 0; rounding < 4; ++rounding)
    for (unsigned denormals = 0; denormals < 4; ++denormals)
      modes.push_back({rounding, bool(denormals & 1), bool(denormals & 2)});
  return modes;
}

static std::string registers(unsigned first, unsigned count) {
  return count == 1 ? "v" + std::to_string(first)
                    : "v[" + std::to_string(first) + ":" + std::to_string(first + count - 1) + "]";
}

Values runRows(const std::string &chip, const std::string &mnemonic, const FloatFormat &from, const FloatFormat &to,
               const std::vector<Values> &rows, const Mode &mode, bool accumulates, const std::string &modifiers) {
  const unsigned inRegisters = from.width == 64 ? 2 : 1, outRegisters = to.width == 64 ? 2 : 1;
  Values results;
  for (size_t begin = 0; begin < rows.size();) {
    Snippet s;
    s.chip = chip;
    s.body = "  s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 32), " + std::to_string(mode.bits()) + "\n";
    const unsigned sources = rows[0].size(), perGroup = sources * inRegisters;
    unsigned groups = 0;
    for (; begin + 64 * groups < rows.size() && (groups + 1) * perGroup <= 28 && groups < 12; ++groups) {
      std::string text = "  " + mnemonic + " ", to = registers(40 + groups * outRegisters, outRegisters);
      std::vector<std::string> names;
      for (unsigned k = 0; k < sources; ++k) {
        const unsigned first = 10 + s.in.size();
        Register low, high;
        for (unsigned lane = 0; lane < 64; ++lane) {
          const uint64_t x = rows[std::min(begin + 64 * groups + lane, rows.size() - 1)][k];
          low[lane] = uint32_t(x);
          high[lane] = uint32_t(x >> 32);
        }
        s.in.push_back(low);
        if (inRegisters == 2)
          s.in.push_back(high);
        names.push_back(registers(first, inRegisters));
      }
      if (accumulates) {
        const unsigned first = 10 + s.in.size() - inRegisters;
        for (unsigned r = 0; r < inRegisters; ++r)
          s.body += "  v_mov_b32 v" + std::to_string(40 + groups * outRegisters + r) + ", v" +
                    std::to_string(first + r) + "\n";
        names.pop_back();
      }
      text += to;
      for (const std::string &name : names)
        text += ", " + name;
      s.body += text + modifiers + "\n";
    }
    s.outputs = groups * outRegisters;
    std::vector<Register> out = runSnippet(s);
    for (unsigned g = 0; g < groups; ++g)
      for (unsigned lane = 0; lane < 64 && begin + 64 * g + lane < rows.size(); ++lane)
        results.push_back(outRegisters == 2 ? out[2 * g][lane] | uint64_t(out[2 * g + 1][lane]) << 32 : out[g][lane]);
    begin += 64 * groups;
  }
  return results;
}

const FloatFormat &formatNamed(llvm::StringRef type) { return type == "f16" ? half : type == "f32" ? single : wide; }

void Failures::compare(uint64_t got, uint64_t want, const Values &row, const std::string &what) {
  if (got == want || ++count > 5)
    return;
  std::string operands;
  for (uint64_t x : row)
    operands += " " + llvm::Twine::utohexstr(x).str();
  ADD_FAILURE() << what << " of" << operands << ": got " << std::hex << got << ", expected " << want;
}

} // namespace inflight::machine::test
