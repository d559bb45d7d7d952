#include "machine/Hostcalls.h"

#include "machine/memory/DeviceHeap.h"
#include "machine/memory/Memory.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <atomic>
#include <bit>
#include <cstdio>
#include <cstring>
#include <string>

using namespace llvm;

namespace inflight::machine {

namespace {

struct PacketHeader {
  uint64_t next, active;
  uint32_t service, control; ///< control bit 0: the host is asked
};
struct Payload {
  uint64_t lanes[64][8];
};
struct Buffer {
  uint64_t headers, payloads, doorbell, freeStack, readyStack, indexMask;
};
/// amd_signal_t: without an event's mailbox nobody is woken by it.
struct Signal {
  int64_t kind, value;
  uint64_t mailbox, rest[5];
};
constexpr int64_t userSignal = 1;
constexpr uint32_t packets = 256; ///< as many waves are served at once, others wait for one; a power of two

// Where they are in the buffer. The kernel can write all of it, so what it holds isn't believed.
constexpr uint64_t signalAt = sizeof(Buffer), headersAt = signalAt + sizeof(Signal),
                   payloadsAt = headersAt + packets * sizeof(PacketHeader),
                   bufferBytes = payloadsAt + packets * sizeof(Payload);

enum Service : uint32_t { FunctionCall = 1, Printf = 2, DeviceMemory = 3 };

/// Word 0 of a lane's payload: bit 0 begins a message, bit 1 ends it, 5 to 7 count words, the rest is its number.
struct Descriptor {
  uint64_t bits;
  bool begins() const { return bits & 1; }
  bool ends() const { return bits & 2; }
  unsigned words() const { return bits >> 5 & 7; }
  uint64_t message() const { return bits >> 8; }
};

/// A message of printf: version and stream, format, arguments; texts are padded to words.
class Formatter {
public:
  explicit Formatter(ArrayRef<uint64_t> words) : words(words) {}
  /// The formatted text, or nothing when the message ends too soon.
  std::string format() {
    const std::string form = text();
    std::string out;
    for (size_t at = 0; at < form.size();) {
      const size_t percent = std::min(form.find('%', at), form.size());
      out.append(form, at, percent - at);
      if (percent == form.size())
        break;
      if (form.compare(percent, 2, "%%") == 0) {
        out += '%';
        at = percent + 2;
        continue;
      }
      const size_t end = form.find_first_of("diouxXfFeEgGaAcspn", percent + 1);
      if (end == std::string::npos)
        break;
      argument(form.substr(percent, end + 1 - percent), out);
      at = end + 1;
    }
    return out;
  }

private:
  uint64_t word() {
    if (words.empty())
      return 0;
    const uint64_t value = words.front();
    words = words.drop_front();
    return value;
  }
  std::string text() {
    const StringRef bytes(reinterpret_cast<const char *>(words.data()), words.size() * 8);
    const StringRef found = bytes.take_until([](char c) { return c == 0; });
    words = words.drop_front(std::min(words.size(), found.size() / 8 + 1));
    return found.str();
  }
  void argument(const std::string &spec, std::string &out) {
    int stars[2] = {0, 0};
    unsigned count = 0;
    for (char c : spec)
      if (c == '*' && count < 2)
        stars[count++] = int(word());
    auto print = [&](auto value) {
      auto write = [&](char *to, size_t bytes) {
        return count == 0   ? std::snprintf(to, bytes, spec.c_str(), value)
               : count == 1 ? std::snprintf(to, bytes, spec.c_str(), stars[0], value)
                            : std::snprintf(to, bytes, spec.c_str(), stars[0], stars[1], value);
      };
      const int needed = write(nullptr, 0);
      if (needed <= 0)
        return;
      std::string made(size_t(needed) + 1, 0);
      write(made.data(), made.size());
      made.pop_back();
      out += made;
    };
    switch (spec.back()) {
    case 's': print(text().c_str()); return;
    case 'n': (void)word(); return;
    default: break;
    }
    const uint64_t value = word();
    if (StringRef("fFeEgGaA").contains(spec.back()))
      print(std::bit_cast<double>(value));
    else
      print(value);
  }

  ArrayRef<uint64_t> words;
};

} // namespace

void Hostcalls::print(uint64_t *payload) {
  Descriptor descriptor{payload[0]};
  if (descriptor.begins()) {
    descriptor.bits = (descriptor.bits & 0xfe) | nextMessage++ << 8;
    payload[0] = descriptor.bits;
  }
  std::vector<uint64_t> &message = messages[descriptor.message()];
  message.insert(message.end(), payload + 1, payload + 1 + descriptor.words());
  if (!descriptor.ends())
    return;
  const ArrayRef<uint64_t> words = message;
  const std::string text = words.empty() ? "" : Formatter(words.drop_front()).format();
  std::FILE *const stream = !words.empty() && words[0] & 1 ? stderr : stdout;
  std::fwrite(text.data(), 1, text.size(), stream);
  payload[0] = text.size();
  messages.erase(descriptor.message());
}

void Hostcalls::serveMemory(uint64_t *payload) {
  DeviceHeap *const heap = memory.heapInUse(); // who asks has its address, or has read no such argument
  if (payload[0] && heap)
    heap->free(payload[0]);
  else
    payload[0] = heap ? heap->allocate(payload[1]) : 0;
}

void Hostcalls::serve() {
  std::lock_guard lock(mutex);
  uint8_t *const begin = memory.pointer(buffer);
  auto *const headers = reinterpret_cast<PacketHeader *>(begin + headersAt);
  auto *const payloads = reinterpret_cast<Payload *>(begin + payloadsAt);
  uint64_t at = std::atomic_ref(reinterpret_cast<Buffer *>(begin)->readyStack).exchange(0, std::memory_order_acquire);
  for (uint32_t served = 0; at && served < packets; ++served) {
    const uint64_t index = at & (packets - 1);
    PacketHeader &header = headers[index];
    at = header.next; // the packet is the wave's again once it is served
    for (uint64_t active = header.active; active; active &= active - 1) {
      uint64_t *const lane = payloads[index].lanes[std::countr_zero(active)];
      if (header.service == Printf)
        print(lane);
      else if (header.service == DeviceMemory)
        serveMemory(lane);
      else
        lane[0] = lane[1] = 0; // no function of the host
    }
    std::atomic_ref(header.control).fetch_and(~1u, std::memory_order_release);
  }
}

Hostcalls::~Hostcalls() {
  serve();
  std::fflush(stdout);
}

Expected<std::unique_ptr<Hostcalls>> Hostcalls::create(Memory &memory) {
  Expected<uint64_t> buffer = memory.allocate(bufferBytes, "the host's buffer for printf");
  if (!buffer)
    return buffer.takeError();
  memory.addShared(*buffer, bufferBytes);
  const Buffer head{*buffer + headersAt, *buffer + payloadsAt, *buffer + signalAt, packets - 1, 0, packets - 1};
  std::memcpy(memory.pointer(*buffer), &head, sizeof(head));
  const Signal doorbell{userSignal, 0, 0, {}};
  std::memcpy(memory.pointer(head.doorbell), &doorbell, sizeof(doorbell));
  // A packet's number has a tag in its upper bits, and 0 ends a stack: packet 0 has the tag 1.
  for (uint32_t i = 0; i < packets; ++i) {
    const PacketHeader header{i == 0 ? 0 : i == 1 ? uint64_t(packets) : i - 1, 0, 0, 0};
    std::memcpy(memory.pointer(head.headers + i * sizeof(header)), &header, sizeof(header));
  }
  return std::unique_ptr<Hostcalls>(new Hostcalls(memory, *buffer));
}

} // namespace inflight::machine
