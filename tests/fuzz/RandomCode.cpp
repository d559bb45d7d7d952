// Kernels of random instructions on the machine, functionally and with all checks: whatever the words, registers and
// descriptor are, an error, findings or a result come out.
//
//     random_code FIRST COUNT      the mutants FIRST to FIRST + COUNT - 1; one that crashes or hangs is named
#include "isa/chip/TargetInfo.h"
#include "machine/Machine.h"
#include "program/assemble/Assembler.h"
#include "program/decode/Decoder.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/raw_ostream.h"
#include <csignal>
#include <cstring>
#include <random>
#include <unistd.h>

using namespace llvm;
using namespace inflight;

extern "C" const char *__asan_default_options() {
  return "abort_on_error=1:detect_leaks=0:detect_container_overflow=0:handle_abort=0";
}
extern "C" const char *__ubsan_default_options() { return "abort_on_error=1:print_stacktrace=1"; }

namespace {

uint64_t current;

void report(int signal) {
  char text[64];
  const int length = snprintf(text, sizeof text, "\nmutant %llu: signal %d\n", (unsigned long long)current, signal);
  (void)!write(2, text, length);
  _exit(1);
}

void require(Error error, StringRef what) {
  if (error) {
    errs() << what << ": " << toString(std::move(error)) << '\n';
    exit(1);
  }
}

/// Words of the template's code that a mutant fills.
constexpr unsigned room = 48;

/// Registers that lead somewhere let more of the handlers see more than a first fault: pairs are pointers to the
/// buffer, groups of four buffer descriptors, one VGPR in four holds small numbers.
std::string templateText(StringRef chip) {
  std::string text = ".amdgcn_target \"amdgcn-amd-amdhsa--" + chip.str() +
                     "\"\n.text\n.globl k\n.p2align 8\n.type k,@function\nk:\n"
                     "  s_load_dwordx2 s[2:3], s[0:1], 0x0\n  v_and_b32 v0, 0x3ff, v0\n  s_waitcnt lgkmcnt(0)\n";
  auto line = [&](const Twine &words) { text += "  " + words.str() + "\n"; };
  for (unsigned s = 4; s < 100; s += 2) {
    line("s_mov_b32 s" + Twine(s) + (s % 4 ? ", 0x800" : ", s2"));
    line("s_mov_b32 s" + Twine(s + 1) + (s % 4 ? ", 0x24fac" : ", s3"));
  }
  for (unsigned v = 4; v < 256; v += 4) {
    line("v_lshl_add_u32 v" + Twine(v) + ", v0, 2, s2");
    line("v_mov_b32 v" + Twine(v + 1) + ", s3");
    line("v_lshlrev_b32 v" + Twine(v + 2) + ", 2, v0");
    line("v_cvt_f32_u32 v" + Twine(v + 3) + ", v0");
  }
  line("s_mov_b32 m0, 0x1000");
  text += ".fill " + std::to_string(room) +
          ", 4, 0xbf800007\n  s_endpgm\n.Lend:\n.size k, .Lend-k\n"
          ".rodata\n.p2align 6\n.amdhsa_kernel k\n  .amdhsa_next_free_vgpr 512\n  .amdhsa_accum_offset 256\n"
          "  .amdhsa_next_free_sgpr 100\n  .amdhsa_user_sgpr_kernarg_segment_ptr 1\n  .amdhsa_group_segment_fixed_size "
          "4096\n"
          "  .amdhsa_private_segment_fixed_size 64\n.end_amdhsa_kernel\n.amdgpu_metadata\n---\namdhsa.version: [1, 2]\n"
          "amdhsa.target: amdgcn-amd-amdhsa--" +
          chip.str() +
          "\namdhsa.kernels:\n  - {.name: k, .symbol: k.kd, "
          ".kernarg_segment_size: 8, .kernarg_segment_align: 8, .group_segment_fixed_size: 4096, "
          ".private_segment_fixed_size: 64, .wavefront_size: 64, .sgpr_count: 100, .vgpr_count: 512, "
          ".max_flat_workgroup_size: 1024, .args: [{.name: a, .offset: 0, .size: 8, .value_kind: global_buffer, "
          ".address_space: global}]}\n.end_amdgpu_metadata\n";
  return text;
}

struct Template {
  std::unique_ptr<Decoder> decoder;
  std::string bytes;
  size_t codeAt = 0, descriptorAt = 0; ///< in bytes

  explicit Template(StringRef chip) {
    Expected<const Isa *> isa = Isa::get(chip);
    require(isa.takeError(), chip);
    Expected<std::string> linked = assembleCodeObject(**isa, templateText(chip), "random.s");
    require(linked.takeError(), "template");
    bytes = std::move(*linked);
    decoder = std::make_unique<Decoder>(**isa);
    Expected<CodeObject> object = CodeObject::load(bytes, "template");
    require(object.takeError(), "template");
    constexpr unsigned descriptorBytes = 64;
    descriptorAt = StringRef(bytes).find(
        toStringRef(object->image().slice(object->kernels()[0].descriptorAddress, descriptorBytes)));
    codeAt = StringRef(bytes).find(StringRef("\x07\x00\x80\xbf\x07\x00\x80\xbf", 8));
  }
};

class Mutant {
public:
  Mutant(const Template &base, uint64_t seed) : base(base), random(seed), bytes(base.bytes) {
    fillCode();
    if (chance(4))
      changeDescriptor();
    if (chance(40)) // anywhere: headers, symbols, metadata
      for (unsigned i = 0; i < 4; ++i)
        bytes[below(bytes.size())] = char(random());
  }
  uint64_t below(uint64_t limit) { return random() % limit; }
  bool chance(unsigned oneIn) { return below(oneIn) == 0; }

private:
  void fillCode();
  void changeDescriptor();
  void instruction(uint32_t (&words)[4]);

  const Template &base;
  std::mt19937_64 random;

public:
  std::string bytes;
};

/// The formats' fixed upper bits (ISA manuals, "Microcode Formats") and how many bits they are.
struct Prefix {
  uint32_t bits;
  unsigned count;
};
constexpr Prefix prefixes[] = {{0b10, 2},     {0b1011, 4},      {0b101111101, 9}, {0b101111110, 9}, {0b101111111, 9},
                               {0b110000, 6}, {0b0, 1},         {0b0111111, 7},   {0b0111110, 7},   {0b110100, 6},
                               {0b110100, 6}, {0b110100111, 9}, {0b110110, 6},    {0b111000, 6},    {0b111010, 6},
                               {0b110111, 6}, {0b110111, 6},    {0b110100111, 9}};

void Mutant::instruction(uint32_t (&words)[4]) {
  const Prefix &prefix = prefixes[below(std::size(prefixes))];
  for (uint32_t &word : words)
    word = uint32_t(random());
  words[0] = (words[0] & ~0u >> prefix.count) | prefix.bits << (32 - prefix.count);
  // The ends of the register files, zero, literals, DPP and SDWA, in some byte.
  constexpr uint8_t ends[] = {0xff, 0xfe, 0xfd, 0xfa, 0xf9, 0x7e, 0x7f, 0x6a, 0x65, 0x66, 0x67, 0x7c, 0x00, 0x80, 0xf8};
  if (chance(2)) {
    const unsigned shift = 8 * below(4), word = below(2);
    if (word || shift != 24)
      words[word] = (words[word] & ~(0xffu << shift)) | uint32_t(ends[below(std::size(ends))]) << shift;
  }
  if (chance(3)) // 64-bit encodings: the registers that hold pointers
    words[1] = (words[1] & 0xff00ff00) | (below(64) * 4 & 0xff) | uint32_t(chance(2) ? 0x7f : 4 * below(24)) << 16;
  if (chance(2) && prefix.bits >= 0b110110 && prefix.count == 6) // small offsets
    words[0] &= ~0xff0u;
  if (prefix.bits == 0b110110 && chance(2)) // addresses within the LDS
    words[1] |= 2, words[1] &= ~1u;
}

void Mutant::fillCode() {
  const unsigned tries = 1 + below(room / 2);
  unsigned at = 0;
  MCInst inst;
  for (unsigned i = 0; i < tries && at + 4 <= room; ++i) {
    uint32_t words[4];
    unsigned size = 0;
    const bool anything = chance(16);
    for (unsigned attempt = 0; attempt < 64 && !size; ++attempt) {
      instruction(words);
      size = base.decoder->decode(ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(words), sizeof words), 0, inst);
      if (anything)
        size = 4;
      else if (size && base.decoder->isa().desc(inst.getOpcode()).isBranch && !chance(4))
        size = 0;
    }
    const uint32_t special[] = {0xbefe0180u /* s_mov_b64 exec, 0 */,
                                0xbefc0000u | 0xc1 /* s_mov_b32 m0, -1 */,
                                0xb9000000u | uint32_t(below(1 << 16)) | 16 << 16 /* s_setreg_b32, any register */,
                                0xbf110000u | uint32_t(below(16)) << 8 | 0x7c /* s_set_gpr_idx_on m0 */,
                                0xbf100000u | 0x80 << 8 | 0xc1 /* s_setvskip -1, 0 */,
                                0xbefe01c1u /* s_mov_b64 exec, -1 */};
    if (!size || chance(12)) {
      words[0] = special[below(std::size(special))];
      size = 4;
    }
    std::memcpy(&bytes[base.codeAt + 4 * at], words, size);
    at += size / 4;
  }
}

void Mutant::changeDescriptor() {
  char *descriptor = &bytes[base.descriptorAt];
  constexpr uint32_t sizes[] = {0,       1,          4,       63,      512,        0xffff,    0x10000,
                                0x10001, 160 * 1024, 1 << 17, 1 << 20, 0x7fffffff, 0xffffffff};
  switch (below(6)) {
  case 0: support::endian::write32le(descriptor, sizes[below(std::size(sizes))]); break;     // LDS
  case 1: support::endian::write32le(descriptor + 4, sizes[below(std::size(sizes))]); break; // scratch
  case 2:
    support::endian::write64le(descriptor + 16, chance(2) ? random() : uint64_t(int64_t(below(0x8000)) - 0x4000));
    break;
  case 3: support::endian::write32le(descriptor + 44 + 4 * below(3), uint32_t(random())); break; // PGM_RSRC3, 1, 2
  case 4: support::endian::write32le(descriptor + 56, uint32_t(random())); break; // properties and preloading
  default: descriptor[below(64)] = char(random());
  }
}

void runBytes(Mutant &mutant) {
  Expected<CodeObject> object = CodeObject::load(mutant.bytes, "random.hsaco");
  if (!object)
    return consumeError(object.takeError());
  for (const Kernel &kernel : object->kernels().take_front(1))
    for (const char *checks : {"", "all"}) {
      machine::Memory memory;
      machine::LaunchConfig config;
      config.block = {uint32_t(64 * (1 + mutant.below(2)) - mutant.below(2)), 1, 1};
      config.maxInstructions = 4000;
      config.checks = cantFail(machine::check::parseOptions(checks, mutant.chance(2) ? "latest" : "random:7"));
      constexpr unsigned bufferBytes = 1 << 16;
      Expected<uint64_t> buffer = memory.allocate(bufferBytes);
      require(buffer.takeError(), "device memory");
      const uint64_t argument = *buffer + bufferBytes / 2; // offsets may be negative
      consumeError(machine::run(*object, kernel, config,
                                ArrayRef<uint8_t>(reinterpret_cast<const uint8_t *>(&argument), 8), memory)
                       .takeError());
    }
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 3) {
    errs() << "usage: random_code FIRST COUNT\n";
    return 2;
  }
  for (int number : {SIGABRT, SIGALRM, SIGSEGV, SIGBUS, SIGFPE, SIGILL})
    if (number == SIGABRT || number == SIGALRM || !__has_feature(address_sanitizer))
      signal(number, report);
  const uint64_t first = strtoull(argv[1], nullptr, 10), count = strtoull(argv[2], nullptr, 10);
  std::vector<Template> templates;
  for (StringRef chip : executedChips())
    templates.emplace_back(chip);
  for (current = first; current < first + count; ++current) {
    constexpr unsigned hangSeconds = 20; // sanitizers and a busy host are slow
    alarm(hangSeconds);
    Mutant mutant(templates[current % templates.size()], current);
    runBytes(mutant);
  }
  outs() << count << " mutants\n";
  return 0;
}
