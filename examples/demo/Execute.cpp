#include "Execute.h"

#include "device/Launch.h"
#include <cmath>
#include <thread>

using namespace llvm;

namespace inflight::demo {

/// LLVM passes a memref as a descriptor if asked to: two pointers, of which the second is used, an
/// offset, sizes and strides. Returns where each argument's buffer is now.
static std::vector<size_t> expandDescriptors(std::vector<device::Argument> &arguments) {
  std::vector<device::Argument> expanded;
  std::vector<size_t> places;
  auto scalar = [&](int64_t value) {
    expanded.push_back(cantFail(device::parseArgument(("i64:" + Twine(value)).str())));
  };
  for (device::Argument &argument : arguments) {
    if (!argument.isBuffer) {
      places.push_back(expanded.size());
      expanded.push_back(std::move(argument));
      continue;
    }
    std::vector<int64_t> shape = argument.array.shape, strides(shape.size(), 1);
    for (size_t d = shape.size(); d-- > 1;)
      strides[d - 1] = strides[d] * shape[d];
    expanded.push_back(cantFail(device::parseArgument("zeros:1:i64")));
    places.push_back(expanded.size());
    expanded.push_back(std::move(argument));
    scalar(0);
    for (int64_t size : shape)
      scalar(size);
    for (int64_t stride : strides)
      scalar(stride);
  }
  arguments = std::move(expanded);
  return places;
}

Expected<Execution> execute(const Example &example, StringRef code, StringRef name,
                            const machine::check::Options &checks) {
  Expected<CodeObject> object = CodeObject::load(code, name);
  if (!object)
    return object.takeError();
  Expected<const Kernel *> kernel = object->findKernel(example.kernel);
  if (!kernel)
    return kernel.takeError();
  Execution execution;
  execution.kernel = **kernel;
  device::LaunchInputs inputs;
  std::vector<device::Argument> &arguments = inputs.arguments;
  std::vector<Array> expected;
  std::vector<size_t> places;
  for (const std::string &text : example.arguments) {
    Expected<device::Argument> argument = device::parseArgument(text);
    if (!argument)
      return argument.takeError();
    expected.push_back(argument->array);
    expected.back().bytes.resize(argument->bytes()); // zeros take no memory before the launch
    places.push_back(arguments.size());
    arguments.push_back(std::move(*argument));
  }
  // Without names, more parameters than arguments are descriptors.
  const auto &parameters = (*kernel)->arguments;
  size_t visible = count_if(parameters, [](const KernelArgument &p) { return !p.isHidden(); });
  if (visible > arguments.size() && all_of(parameters, [](const KernelArgument &p) { return p.name.empty(); }))
    places = expandDescriptors(arguments);
  machine::LaunchConfig config;
  config.grid = example.grid;
  config.block = example.block;
  config.checks = checks;
  config.threads = std::max(1u, std::thread::hardware_concurrency());
  Expected<machine::RunStats> stats = device::launch(*object, **kernel, config, inputs);
  if (!stats)
    return stats.takeError();
  execution.stats = *stats;
  example.reference->compute(expected, example.parameters);
  for (size_t a = 0; a < expected.size(); ++a)
    for (uint64_t i = 0, e = expected[a].elementCount(); i < e; ++i) {
      double x = elementAsDouble(expected[a], i), g = elementAsDouble(arguments[places[a]].array, i);
      double allowed = a == example.result ? example.absolute + example.relative * std::fabs(x) : 0,
             error = std::fabs(x - g);
      execution.mismatches += !(error <= allowed);
      if (error > 0)
        execution.worst = std::fmax(execution.worst, error / allowed);
    }
  return execution;
}

} // namespace inflight::demo
