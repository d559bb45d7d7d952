// Contexts, their memory and modules.
#include "capi/Context.h"

#include "machine/Dispatch.h"
#include "machine/memory/Unwritten.h"
#include "machine/wave/KernelFault.h"
#include "program/read/KernelText.h"
#include "program/read/LoadCodeObject.h"
#include "support/Diagnostics.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Alignment.h"
#include <cstdlib>
#include <cstring>

using namespace llvm;
using namespace inflight;
using namespace inflight::capi;

static thread_local std::string lastError;
static thread_local machine::Fault lastFault = machine::Fault::Instruction;

namespace inflight::capi {

ifl_status fail(ifl_status status, const Twine &message) {
  lastError = message.str();
  return status;
}

ifl_status fail(ifl_status status, Error error) {
  if (status == IFL_FAULT)
    lastFault = machine::Fault::Instruction;
  handleAllErrors(
      std::move(error),
      [](const machine::KernelFault &fault) {
        lastFault = fault.kind;
        lastError = fault.message;
      },
      [](const ErrorInfoBase &other) { lastError = other.message(); });
  return status;
}

void *copied(StringRef bytes) {
  char *made = static_cast<char *>(std::malloc(bytes.size() + 1));
  if (!made)
    return nullptr;
  std::memcpy(made, bytes.data(), bytes.size());
  made[bytes.size()] = 0;
  return made;
}

ifl_status hand(char **json, const json::Value &value) {
  if (!json)
    return IFL_OK;
  std::string text;
  raw_string_ostream(text) << value;
  *json = static_cast<char *>(copied(text));
  return *json ? IFL_OK : fail(IFL_INVALID, "out of memory");
}

ifl_status hand(void **output, size_t *bytes, StringRef contents) {
  if (output)
    *output = copied(contents);
  if (bytes)
    *bytes = contents.size();
  return !output || *output ? IFL_OK : fail(IFL_INVALID, "out of memory");
}

} // namespace inflight::capi

int ifl_api_version(void) { return IFL_API_VERSION; }
const char *ifl_version(void) { return INFLIGHT_VERSION; }
const char *ifl_last_error(void) { return lastError.c_str(); }
ifl_fault ifl_last_fault(void) {
  switch (lastFault) {
  case machine::Fault::Instruction: break;
  case machine::Fault::Memory: return IFL_FAULT_MEMORY;
  case machine::Fault::Trap: return IFL_FAULT_TRAP;
  case machine::Fault::Endless: return IFL_FAULT_ENDLESS;
  }
  return IFL_FAULT_INSTRUCTION;
}
void ifl_free(void *bytes) { std::free(bytes); }

ifl_status ifl_context_create(ifl_context **context) {
  if (!context)
    return fail(IFL_INVALID, "ifl_context_create: no place for the context");
  *context = new ifl_context;
  return IFL_OK;
}

void ifl_context_destroy(ifl_context *context) { delete context; }

static_assert(IFL_MEMORY_NEAR == machine::Memory::nearBytes);

ifl_status ifl_memory_register(ifl_context *context, void *begin, uint64_t bytes, const char *name) {
  if (!context)
    return fail(IFL_INVALID, "ifl_memory_register: no context");
  std::lock_guard lock(context->mutex);
  if (Error error = context->memory.registerRange(reinterpret_cast<uint64_t>(begin), bytes, textOf(name).str()))
    return fail(IFL_INVALID, std::move(error));
  return IFL_OK;
}

ifl_status ifl_memory_unregister(ifl_context *context, void *begin) {
  if (!context)
    return fail(IFL_INVALID, "ifl_memory_unregister: no context");
  std::lock_guard lock(context->mutex);
  if (!context->memory.unregisterRange(reinterpret_cast<uint64_t>(begin)))
    return fail(IFL_NOT_FOUND, "no registered memory begins there");
  return IFL_OK;
}

ifl_status ifl_memory_retire(ifl_context *context, void *begin) {
  if (!context)
    return fail(IFL_INVALID, "ifl_memory_retire: no context");
  std::lock_guard lock(context->mutex);
  if (!context->memory.retireRange(reinterpret_cast<uint64_t>(begin)))
    return fail(IFL_NOT_FOUND, "no registered memory begins there");
  return IFL_OK;
}

void ifl_memory_forget(ifl_context *context, void *begin) {
  if (!context)
    return;
  std::lock_guard lock(context->mutex);
  context->memory.forgetRetired(reinterpret_cast<uint64_t>(begin));
}

ifl_status ifl_memory_hide(ifl_context *context, const void *address, const char *why) {
  if (!context)
    return fail(IFL_INVALID, "ifl_memory_hide: no context");
  std::lock_guard lock(context->mutex);
  if (!context->memory.hide(reinterpret_cast<uint64_t>(address), textOf(why).str()))
    return fail(IFL_NOT_FOUND, "no memory that kernels reach is there");
  return IFL_OK;
}

ifl_status ifl_memory_show(ifl_context *context, const void *address) {
  if (!context)
    return fail(IFL_INVALID, "ifl_memory_show: no context");
  std::lock_guard lock(context->mutex);
  if (!context->memory.show(reinterpret_cast<uint64_t>(address)))
    return fail(IFL_NOT_FOUND, "no hidden memory is there");
  return IFL_OK;
}

ifl_status ifl_memory_set_unwritten(ifl_context *context, void *begin, uint64_t bytes) {
  if (!context)
    return fail(IFL_INVALID, "ifl_memory_set_unwritten: no context");
  std::lock_guard lock(context->mutex);
  const auto address = reinterpret_cast<uint64_t>(begin);
  if (!context->memory.contains(address, bytes))
    return fail(IFL_NOT_FOUND, "no registered memory is there");
  context->memory.unwritten().add(address, bytes);
  return IFL_OK;
}

void ifl_memory_set_written(ifl_context *context, const void *begin, uint64_t bytes) {
  if (!context)
    return;
  std::lock_guard lock(context->mutex);
  context->memory.unwritten().write(reinterpret_cast<uint64_t>(begin), bytes);
}

void ifl_memory_copy_written(ifl_context *context, const void *to, const void *from, uint64_t bytes) {
  if (!context)
    return;
  std::lock_guard lock(context->mutex);
  context->memory.unwritten().copy(reinterpret_cast<uint64_t>(to), reinterpret_cast<uint64_t>(from), bytes);
}

uint64_t ifl_memory_find_unwritten(ifl_context *context, const void *begin, uint64_t bytes, const void **run) {
  if (!context)
    return 0;
  std::lock_guard lock(context->mutex);
  const machine::Unwritten::Run found = context->memory.unwritten().longestIn(reinterpret_cast<uint64_t>(begin), bytes);
  if (run && found.bytes)
    *run = machine::hostMemory(found.begin);
  return found.bytes;
}

ifl_status ifl_memory_note(ifl_context *context, void *begin, uint64_t bytes) {
  if (!context)
    return fail(IFL_INVALID, "ifl_memory_note: no context");
  std::lock_guard lock(context->mutex);
  const auto address = reinterpret_cast<uint64_t>(begin);
  if (!context->memory.contains(address, bytes))
    return fail(IFL_NOT_FOUND, "no registered memory is there");
  context->memory.unwritten().noted.add(address, bytes);
  return IFL_OK;
}

int ifl_memory_take_noted(ifl_context *context, uint64_t page_bytes, ifl_noted_page page, void *data) {
  if (!context || !page || !page_bytes)
    return 0;
  std::lock_guard lock(context->mutex);
  return context->memory.unwritten().noted.take(
      page_bytes, [&](uint64_t begin, bool isWritten) { page(data, machine::hostMemory(begin), isWritten); });
}

ifl_status ifl_memory_allocate(ifl_context *context, uint64_t bytes, const char *name, void **begin) {
  if (!context || !begin)
    return fail(IFL_INVALID, "ifl_memory_allocate: no context, or no place for the address");
  // Zero-filled, and aligned as a device's allocations are.
  constexpr size_t alignment = 256;
  std::unique_ptr<uint8_t[]> made(new (std::nothrow) uint8_t[std::max<uint64_t>(bytes, 1) + alignment]());
  if (!made)
    return fail(IFL_INVALID, "cannot allocate " + Twine(bytes) + " bytes");
  void *const aligned = made.get() + offsetToAlignedAddr(made.get(), Align(alignment));
  if (ifl_status status = ifl_memory_register(context, aligned, std::max<uint64_t>(bytes, 1), name))
    return status;
  std::lock_guard lock(context->mutex);
  context->owned[aligned] = std::move(made);
  *begin = aligned;
  return IFL_OK;
}

ifl_status ifl_memory_release(ifl_context *context, void *begin) {
  if (!context)
    return fail(IFL_INVALID, "ifl_memory_release: no context");
  {
    std::lock_guard lock(context->mutex);
    if (!context->owned.count(begin))
      return fail(IFL_NOT_FOUND, "nothing that the library has allocated begins there");
  }
  if (ifl_status status = ifl_memory_unregister(context, begin))
    return status;
  std::lock_guard lock(context->mutex);
  context->owned.erase(begin);
  return IFL_OK;
}

static_assert(IFL_HEAP_BYTES == machine::DeviceHeap::usualBytes);

ifl_status ifl_heap_create(ifl_context *context, uint64_t bytes, int unwritten, ifl_heap **heap, void **begin) {
  if (!context || !heap)
    return fail(IFL_INVALID, "ifl_heap_create: no context, or no place for the heap");
  std::lock_guard lock(context->mutex);
  Expected<std::unique_ptr<machine::DeviceHeap>> made = machine::DeviceHeap::create(context->memory, bytes);
  if (!made)
    return fail(IFL_INVALID, made.takeError());
  if (unwritten)
    (*made)->followWrites();
  if (begin)
    *begin = machine::hostMemory((*made)->address());
  auto owned = std::make_unique<ifl_heap>(context, std::move(*made));
  *heap = owned.get();
  context->heaps[*heap] = std::move(owned);
  return IFL_OK;
}

void ifl_heap_destroy(ifl_heap *heap) {
  if (!heap)
    return;
  ifl_context &context = *heap->context;
  std::lock_guard lock(context.mutex);
  context.heaps.erase(heap);
}

ifl_status ifl_module_load(ifl_context *context, const void *image, size_t bytes, const char *chip,
                           ifl_module **module) {
  if (!context || !image || !module)
    return fail(IFL_INVALID, "ifl_module_load: no context, no image or no place for the module");
  Expected<LoadedCodeObject> loaded =
      loadCodeObject(StringRef(static_cast<const char *>(image), bytes), "the image", choiceOf(textOf(chip)));
  if (!loaded)
    return fail(IFL_INVALID, loaded.takeError());
  auto lines = std::make_shared<const SourceLines>(loaded->bytes);
  std::unique_ptr<ifl_module> made(
      new ifl_module{context, std::move(loaded->bytes), std::move(loaded->object), std::move(lines)});
  std::lock_guard lock(context->mutex);
  made->imageBytes = made->object.image().size();
  Expected<uint64_t> place = machine::loadImage(made->object, context->memory);
  if (!place)
    return fail(IFL_INVALID, place.takeError());
  made->image = *place;
  *module = made.get();
  context->modules[made.get()] = std::move(made);
  return IFL_OK;
}

void ifl_module_unload(ifl_module *module) {
  if (!module)
    return;
  ifl_context &context = *module->context;
  std::lock_guard lock(context.mutex);
  context.memory.forget(module->image);
  context.modules.erase(module);
}

const char *ifl_module_chip(const ifl_module *module) { return module ? module->object.chip().c_str() : ""; }

ifl_status ifl_module_info(const ifl_module *module, char **json) {
  if (!module || !json)
    return fail(IFL_INVALID, "ifl_module_info: no module, or no place for the text");
  Expected<const TargetInfo *> target = TargetInfo::get(module->object.chip());
  if (!target)
    return fail(IFL_UNSUPPORTED, target.takeError());
  json::Array kernels;
  for (const Kernel &kernel : module->object.kernels())
    kernels.push_back(kernelObject(kernel, **target));
  return hand(json, json::Object{{"chip", module->object.chip()}, {"kernels", std::move(kernels)}});
}

ifl_status ifl_module_symbol(const ifl_module *module, const char *name, void **address, uint64_t *bytes) {
  if (!module || !name)
    return fail(IFL_INVALID, "ifl_module_symbol: no module or no name");
  for (const Symbol &symbol : module->object.symbols())
    if (symbol.name == name && !symbol.isFunction) {
      if (address)
        *address = machine::hostMemory(module->image + symbol.address);
      if (bytes)
        *bytes = symbol.size;
      return IFL_OK;
    }
  return fail(IFL_NOT_FOUND, "the module has no variable '" + Twine(name) + "'");
}
