// Variables and constants of a module as directives for the assembler: their bytes, and addresses of each other in
// them.
#include "compiler/import/ir/LlvmIr.h"

#include "compiler/lanes/MemorySpaces.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/DataLayout.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Operator.h"

using namespace llvm;

namespace inflight::import {

namespace {
/// The bytes of an initial value, and where addresses stand in them.
class InitialValue {
public:
  explicit InitialValue(const GlobalVariable &global)
      : layout(global.getDataLayout()),
        bytes(layout.getTypeAllocSize(global.getValueType()), 0),
        isKnown(add(*global.getInitializer(), 0)) {}

  struct Address {
    uint64_t at;
    const GlobalVariable *global;
    int64_t offset;
  };
  const DataLayout &layout;
  std::string bytes;
  SmallVector<Address> addresses; ///< from the first to the last
  const bool isKnown;             ///< or it has something else than numbers and addresses of data

private:
  bool add(const Constant &value, uint64_t at) {
    if (value.isNullValue() || isa<UndefValue>(value))
      return true;
    if (auto *number = dyn_cast<ConstantInt>(&value))
      return addBits(number->getValue(), at);
    if (auto *number = dyn_cast<ConstantFP>(&value))
      return addBits(number->getValueAPF().bitcastToAPInt(), at);
    if (auto *data = dyn_cast<ConstantDataSequential>(&value)) {
      // Elements lie side by side, in this machine's order of bytes, which is the chips'.
      const StringRef raw = data->getRawDataValues();
      bytes.replace(at, raw.size(), raw.str());
      return true;
    }
    if (auto *aggregate = dyn_cast<ConstantAggregate>(&value))
      return addParts(*aggregate, at);
    return value.getType()->isPointerTy() && addAddress(value, at);
  }

  bool addBits(const APInt &value, uint64_t at) {
    for (unsigned bit = 0; bit < value.getBitWidth(); bit += 8)
      bytes[at + bit / 8] = char(value.extractBitsAsZExtValue(std::min(8u, value.getBitWidth() - bit), bit));
    return true;
  }

  bool addParts(const ConstantAggregate &value, uint64_t at) {
    auto *structure = dyn_cast<StructType>(value.getType());
    auto *vector = dyn_cast<VectorType>(value.getType());
    if (vector && layout.getTypeSizeInBits(vector->getElementType()) % 8)
      return false;
    for (unsigned i = 0; i < value.getNumOperands(); ++i) {
      const Constant &part = *value.getOperand(i);
      const uint64_t size = vector ? layout.getTypeStoreSize(part.getType()) : layout.getTypeAllocSize(part.getType());
      const uint64_t offset = structure ? layout.getStructLayout(structure)->getElementOffset(i) : i * size;
      if (!add(part, at + offset))
        return false;
    }
    return true;
  }

  bool addAddress(const Constant &value, uint64_t at) {
    APInt offset(layout.getIndexTypeSizeInBits(value.getType()), 0);
    const Value *base = value.stripAndAccumulateConstantOffsets(layout, offset, /*AllowNonInbounds=*/true);
    while (auto *cast = dyn_cast<AddrSpaceCastOperator>(base))
      base = cast->getPointerOperand()->stripAndAccumulateConstantOffsets(layout, offset, true);
    auto *global = dyn_cast<GlobalVariable>(base);
    if (!global || !isData(*global) || layout.getTypeStoreSize(value.getType()) != sizeof(uint64_t))
      return false;
    addresses.push_back({at, global, offset.getSExtValue()});
    return true;
  }
};

/// What the assembler takes for a symbol without quotes.
std::string plainName(StringRef name) {
  std::string plain = name.str();
  for (char &c : plain)
    if (!isAlnum(c) && c != '_' && c != '.' && c != '$')
      c = '_';
  if (!isAlpha(plain[0]) && plain[0] != '_')
    plain.insert(0, "data");
  return plain;
}

class Writer {
public:
  std::string text;

  void write(const GlobalVariable &global, const InitialValue &value) {
    const std::string name = global.getName().str();
    const bool isZero = StringRef(value.bytes).find_first_not_of('\0') == StringRef::npos && value.addresses.empty();
    os << (global.isConstant() && value.addresses.empty() ? ".section .rodata,\"a\",@progbits\n"
           : isZero                                       ? ".bss\n"
                                                          : ".data\n");
    if (!global.hasLocalLinkage())
      os << (global.isWeakForLinker() ? ".weak " : ".globl ") << name << "\n.protected " << name << '\n';
    const uint64_t align = global.getAlign().value_or(value.layout.getPreferredAlign(&global)).value();
    os << ".type " << name << ",@object\n.p2align " << Log2_64(align) << '\n' << name << ":\n";
    uint64_t at = 0;
    for (const InitialValue::Address &address : value.addresses) {
      writeBytes(StringRef(value.bytes).slice(at, address.at));
      os << "  .quad " << address.global->getName() << '+' << address.offset << '\n';
      at = address.at + sizeof(uint64_t);
    }
    writeBytes(StringRef(value.bytes).drop_front(at));
    os << ".size " << name << ", " << std::max<size_t>(value.bytes.size(), 1) << '\n';
    if (value.bytes.empty())
      os << "  .zero 1\n"; // an address of its own
  }

private:
  void writeBytes(StringRef bytes) {
    constexpr size_t perLine = 16;
    while (!bytes.empty()) {
      const size_t zeros = std::min(bytes.find_first_not_of('\0'), bytes.size());
      if (zeros >= perLine || zeros == bytes.size()) {
        os << "  .zero " << zeros << '\n';
        bytes = bytes.drop_front(zeros);
        continue;
      }
      ListSeparator separator(",");
      os << "  .byte ";
      for (char byte : bytes.take_front(perLine))
        os << separator << unsigned(uint8_t(byte));
      os << '\n';
      bytes = bytes.drop_front(std::min(perLine, bytes.size()));
    }
  }
  raw_string_ostream os{text};
};
} // namespace

bool isData(const GlobalVariable &global) {
  const unsigned space = global.getAddressSpace();
  return space != ldsSpace && space != privateSpace && !global.getName().starts_with("llvm.");
}

std::string takeData(Module &module) {
  SmallVector<GlobalVariable *> data;
  for (GlobalVariable &global : module.globals())
    if (isData(global) && global.hasInitializer())
      data.push_back(&global);
  // What refers to something else than data has no place here, and nor has what refers to that.
  DenseMap<GlobalVariable *, std::unique_ptr<InitialValue>> values;
  for (GlobalVariable *global : data) {
    if (global->hasLocalLinkage() || plainName(global->getName()) != global->getName())
      global->setName(plainName(global->getName()));
    if (auto value = std::make_unique<InitialValue>(*global); value->isKnown)
      values[global] = std::move(value);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (GlobalVariable *global : data)
      if (auto value = values.find(global); value != values.end())
        if (any_of(value->second->addresses, [&](const InitialValue::Address &address) {
              return !values.contains(const_cast<GlobalVariable *>(address.global));
            })) {
          values.erase(value);
          changed = true;
        }
  }
  Writer writer;
  for (GlobalVariable *global : data)
    if (auto value = values.find(global); value != values.end())
      writer.write(*global, *value->second);
  for (GlobalVariable *global : data) {
    const bool isThere = values.contains(global);
    global->setInitializer(nullptr);
    global->setComdat(nullptr);
    global->setLinkage(isThere ? GlobalValue::ExternalLinkage : GlobalValue::ExternalWeakLinkage);
  }
  return writer.text;
}

} // namespace inflight::import
