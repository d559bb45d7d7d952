// rocPRIM's algorithms on the device, and the standard library's on the host.
#include <hip/hip_runtime.h>
#include <rocprim/rocprim.hpp>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

static int failures;

static void check(hipError_t error, const char *what) {
  if (error == hipSuccess)
    return;
  printf("%s: %s\n", what, hipGetErrorString(error));
  ++failures;
}

template <class T> struct Device {
  T *data = nullptr;
  explicit Device(size_t count) { check(hipMalloc(&data, count * sizeof(T)), "hipMalloc"); }
  explicit Device(const std::vector<T> &from) : Device(from.size()) {
    check(hipMemcpy(data, from.data(), from.size() * sizeof(T), hipMemcpyHostToDevice), "to the device");
  }
  ~Device() { check(hipFree(data), "hipFree"); }
  std::vector<T> get(size_t count) const {
    std::vector<T> result(count);
    check(hipMemcpy(result.data(), data, count * sizeof(T), hipMemcpyDeviceToHost), "to the host");
    return result;
  }
};

/// rocPRIM's convention: the first call says how much memory the second one needs.
template <class Call> static void run(const char *name, Call call) {
  size_t bytes = 0;
  check(call(nullptr, bytes), name);
  Device<char> scratch(std::max<size_t>(bytes, 1));
  check(call(scratch.data, bytes), name);
}

template <class T> static void compare(const char *name, const std::vector<T> &is, const std::vector<T> &wanted) {
  const bool isRight = is == wanted;
  failures += !isRight;
  printf("%s: %s\n", name, isRight ? "right" : "WRONG");
}

int main() {
  using Ints = std::vector<int>;
  const int n = 5000;
  Ints keys(n), runs(n);
  for (int i = 0; i < n; ++i) {
    keys[i] = int(i * 2654435761u >> 12) - (1 << 19);
    runs[i] = i / 7 % 31;
  }
  Ints order(n);
  std::iota(order.begin(), order.end(), 0);
  Device<int> input(keys), repeated(runs), values(order), out(n), outValues(n), count(1);

  run("radix_sort_pairs", [&](void *scratch, size_t &bytes) {
    return rocprim::radix_sort_pairs(scratch, bytes, input.data, out.data, values.data, outValues.data, n);
  });
  Ints sorted = keys;
  std::sort(sorted.begin(), sorted.end());
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return keys[a] < keys[b]; });
  compare("radix_sort_pairs", out.get(n), sorted);
  compare("radix_sort_pairs, values", outValues.get(n), order);

  run("merge_sort", [&](void *scratch, size_t &bytes) {
    return rocprim::merge_sort(scratch, bytes, input.data, out.data, n, rocprim::greater<int>());
  });
  compare("merge_sort", out.get(n), Ints(sorted.rbegin(), sorted.rend()));

  run("inclusive_scan", [&](void *scratch, size_t &bytes) {
    return rocprim::inclusive_scan(scratch, bytes, repeated.data, out.data, n, rocprim::plus<int>());
  });
  Ints sums(n);
  std::partial_sum(runs.begin(), runs.end(), sums.begin());
  compare("inclusive_scan", out.get(n), sums);

  run("reduce", [&](void *scratch, size_t &bytes) {
    return rocprim::reduce(scratch, bytes, input.data, count.data, 7, n, rocprim::maximum<int>());
  });
  compare("reduce", count.get(1), Ints{std::max(7, sorted.back())});

  auto isOdd = [] __host__ __device__(int x) { return (x & 1) != 0; };
  run("select", [&](void *scratch, size_t &bytes) {
    return rocprim::select(scratch, bytes, input.data, out.data, count.data, n, isOdd);
  });
  Ints odd;
  std::copy_if(keys.begin(), keys.end(), std::back_inserter(odd), isOdd);
  compare("select", out.get(count.get(1)[0]), odd);

  run("unique", [&](void *scratch, size_t &bytes) {
    return rocprim::unique(scratch, bytes, repeated.data, out.data, count.data, n);
  });
  Ints single;
  std::unique_copy(runs.begin(), runs.end(), std::back_inserter(single));
  compare("unique", out.get(count.get(1)[0]), single);

  run("run_length_encode", [&](void *scratch, size_t &bytes) {
    return rocprim::run_length_encode(scratch, bytes, repeated.data, n, out.data, outValues.data, count.data);
  });
  Ints lengths;
  for (int i = 0; i < n; ++i)
    if (i && runs[i] == runs[i - 1])
      ++lengths.back();
    else
      lengths.push_back(1);
  compare("run_length_encode", out.get(count.get(1)[0]), single);
  compare("run_length_encode, lengths", outValues.get(count.get(1)[0]), lengths);

  const int bins = 16;
  run("histogram_even", [&](void *scratch, size_t &bytes) {
    return rocprim::histogram_even(scratch, bytes, repeated.data, n, out.data, bins + 1, 0, 32);
  });
  Ints histogram(bins);
  for (int value : runs)
    ++histogram[value / 2];
  compare("histogram_even", out.get(bins), histogram);

  run("reduce_by_key", [&](void *scratch, size_t &bytes) {
    return rocprim::reduce_by_key(scratch, bytes, repeated.data, values.data, n, out.data, outValues.data, count.data);
  });
  Ints keyed;
  for (int i = 0; i < n; ++i)
    if (i && runs[i] == runs[i - 1])
      keyed.back() += i;
    else
      keyed.push_back(i);
  compare("reduce_by_key", outValues.get(count.get(1)[0]), keyed);
  return failures != 0;
}
