#include "program/decode/Disassemble.h"

#include "program/assemble/Assembler.h"
#include "program/decode/DecodedText.h"
#include "program/decode/Decoder.h"
#include "support/Diagnostics.h"
#include "support/Printable.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Object/ELF.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/YAMLParser.h"
#include <map>

using namespace llvm;

namespace inflight {

namespace {
struct Line {
  uint64_t offset;
  unsigned size;
  std::string text; ///< empty: data
};
} // namespace

/// Bytes of .text of a relocatable object made from `source`.
static Expected<std::string> textOf(const Isa &isa, StringRef source) {
  Expected<std::string> object = assembleObject(isa, source, "disassembly", TextFrom::Inflight);
  if (!object)
    return object.takeError();
  Expected<object::ELFFile<object::ELF64LE>> elf = object::ELFFile<object::ELF64LE>::create(*object);
  if (!elf)
    return elf.takeError();
  auto sections = elf->sections();
  if (!sections)
    return sections.takeError();
  for (const auto &section : *sections) {
    Expected<StringRef> name = elf->getSectionName(section);
    if (name && *name == ".text") {
      auto contents = elf->getSectionContents(section);
      if (!contents)
        return contents.takeError();
      return std::string(contents->begin(), contents->end());
    }
    if (!name)
      consumeError(name.takeError());
  }
  return makeError("no .text");
}

/// Numbers of the lines that the assembler's messages are about, from 1.
static std::vector<size_t> refusedLines(StringRef messages) {
  std::vector<size_t> numbers;
  SmallVector<StringRef> lines;
  messages.split(lines, '\n');
  for (StringRef line : lines) {
    size_t number;
    if (line.consume_front("disassembly:") && !line.consumeInteger(10, number) && line.starts_with(":"))
      numbers.push_back(number);
  }
  return numbers;
}

static std::string rawWords(ArrayRef<uint8_t> bytes) {
  std::string text;
  for (size_t i = 0; i + 4 <= bytes.size(); i += 4)
    text += formatv("{0}0x{1:x-8}", i ? ", " : ".long ",
                    bytes[i] | bytes[i + 1] << 8 | bytes[i + 2] << 16 | uint32_t(bytes[i + 3]) << 24)
                .str();
  return text;
}

/// A symbol as the assembler reads it again.
static std::string symbolText(StringRef name) {
  constexpr StringLiteral more = "_.$";
  if (!name.empty() && !isDigit(name.front()) && all_of(name, [&](char c) { return isAlnum(c) || more.contains(c); }))
    return name.str();
  std::string text = "\"";
  for (char c : name) {
    if (c == '"' || c == '\\')
      text += '\\';
    text += c;
  }
  return text + '"';
}

/// A scalar of YAML.
static std::string yamlText(StringRef text) {
  constexpr StringLiteral more = "_.";
  if (!text.empty() && isAlpha(text.front()) && all_of(text, [&](char c) { return isAlnum(c) || more.contains(c); }))
    return text.str();
  return "\"" + yaml::escape(text) + "\"";
}

static void emitDescriptor(const CodeObject &object, const Kernel &kernel, raw_ostream &os) {
  // The descriptor stands as data: every bit comes back, those without a directive too.
  const std::string symbol = symbolText(kernel.symbol);
  os << ".section .rodata,\"a\",@progbits\n.p2align 6\n.globl " << symbol << "\n.type " << symbol << ",@object\n"
     << ".size " << symbol << ", 64\n"
     << symbol << ":\n";
  ArrayRef<uint8_t> bytes = object.image().slice(kernel.descriptorAddress, 64);
  auto word = [&](unsigned at) {
    return bytes[at] | bytes[at + 1] << 8 | bytes[at + 2] << 16 | uint32_t(bytes[at + 3]) << 24;
  };
  for (unsigned at = 0; at < 64; at += 4) {
    if (at == 16) {
      os << "  .quad " << symbolText(kernel.name) << "-" << symbol << "\n";
      at += 4;
      continue;
    }
    os << formatv("  .long 0x{0:x-8}\n", word(at));
  }
}

static void emitMetadata(const CodeObject &object, unsigned lanesPerWave, raw_ostream &os) {
  os << ".amdgpu_metadata\n---\namdhsa.version: [1, 2]\namdhsa.target: amdgcn-amd-amdhsa--" << object.targetId()
     << "\namdhsa.kernels:\n";
  for (const Kernel &kernel : object.kernels()) {
    os << "  - .name: " << yamlText(kernel.name) << "\n    .symbol: " << yamlText(kernel.symbol)
       << "\n    .kernarg_segment_size: " << kernel.kernargSegmentSize
       << "\n    .kernarg_segment_align: " << kernel.kernargSegmentAlign
       << "\n    .group_segment_fixed_size: " << kernel.descriptor.groupSegmentFixedSize
       << "\n    .private_segment_fixed_size: " << kernel.descriptor.privateSegmentFixedSize
       << "\n    .wavefront_size: " << lanesPerWave << "\n    .sgpr_count: " << kernel.sgprCount
       << "\n    .vgpr_count: " << kernel.vgprCount << "\n    .agpr_count: " << kernel.agprCount
       << "\n    .sgpr_spill_count: " << kernel.sgprSpillCount << "\n    .vgpr_spill_count: " << kernel.vgprSpillCount
       << "\n    .max_flat_workgroup_size: " << (kernel.maxFlatWorkgroupSize ? kernel.maxFlatWorkgroupSize : 1024)
       << '\n';
    if (kernel.requiredWorkgroupSize[0])
      os << "    .reqd_workgroup_size: [" << kernel.requiredWorkgroupSize[0] << ", " << kernel.requiredWorkgroupSize[1]
         << ", " << kernel.requiredWorkgroupSize[2] << "]\n";
    if (kernel.clusterSize[0])
      os << "    .cluster_dims: [" << kernel.clusterSize[0] << ", " << kernel.clusterSize[1] << ", "
         << kernel.clusterSize[2] << "]\n";
    if (kernel.usesDynamicVgprs)
      os << "    .dynamic_vgpr_en: true\n";
    if (!kernel.arguments.empty())
      os << "    .args:\n";
    for (const KernelArgument &argument : kernel.arguments) {
      os << "      - .offset: " << argument.offset << "\n        .size: " << argument.size
         << "\n        .value_kind: " << yamlText(argument.valueKind) << '\n';
      if (!argument.name.empty())
        os << "        .name: \"" << yaml::escape(argument.name) << "\"\n";
      if (argument.valueKind == "global_buffer")
        os << "        .address_space: global\n";
      if (argument.valueKind == "dynamic_shared_pointer")
        os << "        .address_space: local\n        .pointee_align: 16\n";
    }
  }
  os << ".end_amdgpu_metadata\n";
}

namespace {

/// The text of one code object that assembles to the same bytes.
class Disassembly {
public:
  Disassembly(const CodeObject &object, const Isa &isa, const DisassemblyNotes &notes)
      : object(object), isa(isa), notes(notes), code(object.text()) {}

  std::string write() {
    findSymbols();
    decode();
    const std::string prefix = ".amdgcn_target \"amdgcn-amd-amdhsa--" + object.targetId() +
                               "\"\n.amdhsa_code_object_version 5\n.text\n.p2align 8\n";
    findData(prefix);
    std::string text = leftOut + prefix + body(true);
    raw_string_ostream os(text);
    for (const Kernel &kernel : object.kernels())
      emitDescriptor(object, kernel, os);
    os << '\n';
    emitMetadata(object, isa.target().lanesPerWave, os);
    return text;
  }

private:
  void findSymbols() {
    for (const Symbol &symbol : object.symbols())
      if (symbol.isFunction && symbol.address >= object.textAddress() &&
          symbol.address < object.textAddress() + code.size()) {
        const uint64_t offset = symbol.address - object.textAddress();
        // A name with control characters would be lines of its own.
        if (const std::string shown = printable(symbol.name); shown == symbol.name) {
          labels[offset] = symbol.name;
          if (std::vector<std::string> &here = functions[offset]; !is_contained(here, symbol.name))
            here.push_back(symbol.name);
        } else {
          leftOut += "// left out: the symbol " + shown + "\n";
        }
      }
  }

  /// Fills `lines` and `branches`, and gives labels to what branches go to.
  void decode() {
    Decoder decoder(isa);
    MCInst inst;
    for (uint64_t at = 0; at < code.size();) {
      unsigned size = decoder.decode(code.drop_front(at), object.textAddress() + at, inst);
      Line line{at, size ? size : unsigned(std::min<uint64_t>(4, code.size() - at)), ""};
      if (size) {
        line.text = isa.print(inst, 0);
        const InstrDesc &desc = isa.desc(inst.getOpcode());
        if (desc.isBranch && desc.format == Format::Sopp && inst.getNumOperands() == 1 && inst.getOperand(0).isImm()) {
          int64_t target = int64_t(at) + 4 + 4 * int64_t(int16_t(inst.getOperand(0).getImm()));
          if (target >= 0 && uint64_t(target) < code.size())
            branches[at] = target;
        }
      }
      lines.push_back(std::move(line));
      at += lines.back().size;
    }
    asData.assign(lines.size(), 0);
    // A branch into the middle of an instruction has no label to go to.
    auto startsLine = [&](uint64_t offset) {
      auto line = partition_point(lines, [&](const Line &l) { return l.offset < offset; });
      return line != lines.end() && line->offset == offset;
    };
    std::erase_if(branches, [&](const auto &branch) { return !startsLine(branch.second); });
    for (auto [from, target] : branches)
      labels.try_emplace(target, formatv(".L{0:x-}", target).str());
  }

  void writeLabel(raw_ostream &os, uint64_t offset) const {
    auto label = labels.find(offset);
    if (label == labels.end())
      return;
    const auto named = functions.find(offset);
    if (named == functions.end()) {
      os << symbolText(label->second) << ":\n";
      return;
    }
    // Kernels without any code, for other chips, may begin where the next one does.
    for (const std::string &function : named->second) {
      const std::string name = symbolText(function);
      os << ".protected " << name << "\n.globl " << name << "\n.type " << name << ",@function\n" << name << ":\n";
    }
  }

  void writeSource(raw_ostream &os, uint64_t offset) const {
    if (!notes.source)
      return;
    if (const std::string line = notes.source(object.textAddress() + offset); !line.empty())
      os << "// " << line << '\n';
  }

  /// Ends the line that begins at `begin` of `text` with what is noted of its instruction.
  void writeNotes(std::string &text, size_t begin, const Line &line) const {
    if (!notes.addresses && !notes.bytes)
      return;
    constexpr size_t column = 60;
    const size_t width = text.size() - begin;
    text += std::string(width < column ? column - width : 1, ' ') + "//";
    if (notes.addresses)
      text += formatv(" 0x{0:x-}", object.textAddress() + line.offset).str();
    if (notes.bytes)
      for (unsigned at = 0; at + 4 <= line.size; at += 4)
        text += formatv(" {0:X-8}", support::endian::read32le(code.data() + line.offset + at)).str();
  }

  /// The code. Without labels branches are data, and each of `lines` is one line, without notes.
  std::string body(bool withLabels) const {
    std::string text;
    raw_string_ostream os(text);
    for (size_t i = 0; i < lines.size(); ++i) {
      const Line &line = lines[i];
      if (withLabels) {
        writeLabel(os, line.offset);
        writeSource(os, line.offset);
      }
      const size_t begin = text.size();
      ArrayRef<uint8_t> bytes = code.slice(line.offset, line.size);
      auto branch = branches.find(line.offset);
      if (line.size < 4) {
        for (uint8_t byte : bytes)
          os << formatv("  .byte 0x{0:x-2}\n", byte);
      } else if (line.text.empty() || asData[i] || (!withLabels && branch != branches.end())) {
        os << "  " << rawWords(bytes);
        if (withLabels && !line.text.empty())
          os << " // " << line.text;
      } else if (branch != branches.end()) {
        os << "  " << StringRef(line.text).split(' ').first << ' ' << symbolText(labels.at(branch->second));
      } else {
        os << "  " << line.text;
      }
      if (line.size >= 4) {
        if (withLabels)
          writeNotes(text, begin, line);
        os << '\n';
      }
    }
    return text;
  }

  bool keepsItsText(size_t i) const { return !lines[i].text.empty() && !asData[i] && !branches.count(lines[i].offset); }

  /// Assembles the instructions without branches, to see which come out the same. Each round makes data of what
  /// differs: first what the assembler refuses, then what it encodes otherwise.
  void findData(const std::string &prefix) {
    constexpr int rounds = 8;
    const StringRef wanted(reinterpret_cast<const char *>(code.data()), code.size());
    for (int round = 0; round < rounds; ++round) {
      Expected<std::string> again = textOf(isa, prefix + body(false));
      if (!again) {
        if (!takeRefused(toString(again.takeError()), StringRef(prefix).count('\n')))
          break;
        continue;
      }
      if (*again == wanted)
        return;
      takeDifferent(*again, wanted);
    }
    asData.assign(lines.size(), 1);
  }

  /// Whether there were any.
  bool takeRefused(StringRef messages, size_t prefixLines) {
    bool found = false;
    for (size_t line : refusedLines(messages))
      // Each line of `body` is one of `lines` but for a rest of less than four bytes at the end.
      if (line > prefixLines && line - prefixLines <= lines.size() && keepsItsText(line - prefixLines - 1))
        found = asData[line - prefixLines - 1] = 1;
    return found;
  }

  void takeDifferent(StringRef rest, StringRef wanted) {
    for (size_t i = 0; i < lines.size(); ++i) {
      StringRef bytes = wanted.substr(lines[i].offset, lines[i].size);
      if (rest.consume_front(bytes))
        continue;
      if (keepsItsText(i))
        asData[i] = 1;
      // Its encoding is as long as makes the next line fit, or else as the original.
      StringRef next = i + 1 < lines.size() ? wanted.substr(lines[i + 1].offset, lines[i + 1].size) : StringRef();
      constexpr size_t longest = 16;
      size_t length = 4;
      while (length <= longest && !rest.substr(length).starts_with(next))
        length += 4;
      if (length > longest)
        length = lines[i].size;
      rest = rest.drop_front(std::min(length, rest.size()));
    }
  }

  const CodeObject &object;
  const Isa &isa;
  const DisassemblyNotes &notes;
  ArrayRef<uint8_t> code;
  std::vector<Line> lines;
  std::vector<char> asData;                               ///< by line
  std::map<uint64_t, std::string> labels;                 ///< by offset in .text
  std::map<uint64_t, std::vector<std::string>> functions; ///< all that begin there
  std::map<uint64_t, uint64_t> branches;                  ///< offset -> target's offset
  std::string leftOut;                                    ///< comments on symbols
};

} // namespace

Expected<std::string> disassemble(const CodeObject &object, const DisassemblyNotes &notes) {
  Expected<const Isa *> isa = Isa::get(object.chip(), object.waveLanes());
  if (!isa)
    return isa.takeError();
  return Disassembly(object, **isa, notes).write();
}

/// The constant operand of an addition to the low half of an address.
static std::optional<int64_t> constantAdded(const InstrDesc &desc, const MCInst &inst) {
  if (desc.id != Mnemonic::s_add_u32)
    return std::nullopt;
  for (const MCOperand &operand : inst)
    if (operand.isImm())
      return int32_t(operand.getImm());
  return std::nullopt;
}

Expected<std::vector<uint64_t>> findDataReferences(const CodeObject &object) {
  Expected<const Isa *> isa = Isa::get(object.chip(), object.waveLanes());
  if (!isa)
    return isa.takeError();
  const DecodedText text(**isa, object.text(), object.textAddress());
  std::vector<uint64_t> found;
  DenseMap<unsigned, uint64_t> places; ///< by the low half's register: the address after an s_getpc_b64
  for (const auto &[offset, size, inst] : text.instructions()) {
    const InstrDesc &desc = (*isa)->desc(inst.getOpcode());
    if (!desc.isSalu())
      continue;
    const uint64_t address = text.address() + offset;
    const RegAccess access = (*isa)->regAccess(inst);
    if (const std::optional<int64_t> constant = constantAdded(desc, inst))
      for (const RegRange &read : access.reads)
        if (auto place = places.find(read.first); place != places.end())
          if (place->second + *constant - object.textAddress() >= object.textSize())
            found.push_back(address);
    for (const RegRange &written : access.writes)
      places.erase(written.first);
    if (desc.id == Mnemonic::s_getpc_b64)
      places[access.writes[0].first] = address + size;
  }
  return found;
}

} // namespace inflight
