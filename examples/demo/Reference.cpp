#include "Reference.h"

#include "llvm/ADT/StringMap.h"
#include <cmath>

using namespace llvm;

namespace inflight::demo {

static std::vector<double> numbers(const Array &array) {
  std::vector<double> result(array.elementCount());
  for (size_t i = 0; i < result.size(); ++i)
    result[i] = elementAsDouble(array, i);
  return result;
}

static void store(Array &array, const std::vector<double> &values) {
  for (size_t i = 0; i < values.size(); ++i)
    setElement(array, i, values[i]);
}

static void copyArray(std::vector<Array> &arrays, ArrayRef<int64_t>) { arrays[1].bytes = arrays[0].bytes; }

static void vectorAdd(std::vector<Array> &arrays, ArrayRef<int64_t>) {
  std::vector<double> a = numbers(arrays[0]), b = numbers(arrays[1]);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] += b[i];
  store(arrays[2], a);
}

static void transpose(std::vector<Array> &arrays, ArrayRef<int64_t>) {
  std::vector<double> a = numbers(arrays[0]), t(a.size());
  size_t rows = arrays[0].shape[0], columns = arrays[0].shape[1];
  for (size_t r = 0; r < rows; ++r)
    for (size_t c = 0; c < columns; ++c)
      t[c * rows + r] = a[r * columns + c];
  store(arrays[1], t);
}

static void reduce(std::vector<Array> &arrays, ArrayRef<int64_t>) {
  double sum = 0;
  for (double value : numbers(arrays[0]))
    sum += value;
  store(arrays[1], {sum});
}

static void softmax(std::vector<Array> &arrays, ArrayRef<int64_t>) {
  std::vector<double> a = numbers(arrays[0]);
  size_t rows = arrays[0].shape[0], columns = arrays[0].shape[1];
  for (size_t r = 0; r < rows; ++r) {
    double *row = a.data() + r * columns, largest = row[0], sum = 0;
    for (size_t c = 0; c < columns; ++c)
      largest = std::fmax(largest, row[c]);
    for (size_t c = 0; c < columns; ++c)
      sum += row[c] = std::exp(row[c] - largest);
    for (size_t c = 0; c < columns; ++c)
      row[c] /= sum;
  }
  store(arrays[1], a);
}

static void layernorm(std::vector<Array> &arrays, ArrayRef<int64_t>) {
  std::vector<double> a = numbers(arrays[0]), scale = numbers(arrays[1]), shift = numbers(arrays[2]);
  size_t rows = arrays[0].shape[0], columns = arrays[0].shape[1];
  for (size_t r = 0; r < rows; ++r) {
    double *row = a.data() + r * columns, mean = 0, variance = 0;
    for (size_t c = 0; c < columns; ++c)
      mean += row[c] / columns;
    for (size_t c = 0; c < columns; ++c)
      variance += (row[c] - mean) * (row[c] - mean) / columns;
    for (size_t c = 0; c < columns; ++c)
      row[c] = (row[c] - mean) / std::sqrt(variance + 1e-5) * scale[c] + shift[c];
  }
  store(arrays[3], a);
}

static void gemm(std::vector<Array> &arrays, ArrayRef<int64_t>) {
  std::vector<double> a = numbers(arrays[0]), b = numbers(arrays[1]);
  size_t m = arrays[0].shape[0], k = arrays[0].shape[1], n = arrays[1].shape[0];
  std::vector<double> c(m * n);
  for (size_t i = 0; i < m; ++i)
    for (size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (size_t x = 0; x < k; ++x)
        sum += a[i * k + x] * b[j * k + x];
      c[i * n + j] = sum;
    }
  store(arrays[2], c);
}

/// C = A B^T for each matrix of a batch. Parameters: how many, M, N, K, the elements from row to row and from matrix to
/// matrix of A and B; C is dense.
static void batchedGemm(std::vector<Array> &arrays, ArrayRef<int64_t> parameters) {
  size_t batches = parameters[0], m = parameters[1], n = parameters[2], k = parameters[3], row = parameters[4],
         matrix = parameters[5];
  std::vector<double> a = numbers(arrays[0]), b = numbers(arrays[1]), c(batches * m * n);
  for (size_t z = 0; z < batches; ++z)
    for (size_t i = 0; i < m; ++i)
      for (size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (size_t x = 0; x < k; ++x)
          sum += a[z * matrix + i * row + x] * b[z * matrix + j * row + x];
        c[(z * m + i) * n + j] = sum;
      }
  store(arrays[2], c);
}

/// O = softmax(Q K^T / sqrt(D)) V for each head; parameter: 1 if queries see no later keys.
static void attention(std::vector<Array> &arrays, ArrayRef<int64_t> parameters) {
  std::vector<double> q = numbers(arrays[0]), k = numbers(arrays[1]), v = numbers(arrays[2]), o(q.size());
  size_t heads = arrays[0].shape[0], sequence = arrays[0].shape[1], dim = arrays[0].shape[2];
  for (size_t head = 0; head < heads; ++head)
    for (size_t i = 0; i < sequence; ++i) {
      size_t base = head * sequence * dim, keys = parameters[0] ? i + 1 : sequence;
      std::vector<double> score(keys);
      double largest = -INFINITY, sum = 0;
      for (size_t j = 0; j < keys; ++j) {
        for (size_t d = 0; d < dim; ++d)
          score[j] += q[base + i * dim + d] * k[base + j * dim + d];
        score[j] /= std::sqrt(double(dim));
        largest = std::fmax(largest, score[j]);
      }
      for (double &value : score)
        sum += value = std::exp(value - largest);
      for (size_t j = 0; j < keys; ++j)
        for (size_t d = 0; d < dim; ++d)
          o[base + i * dim + d] += score[j] / sum * v[base + j * dim + d];
    }
  store(arrays[3], o);
}

const ReferenceInfo *findReference(StringRef name) {
  static const StringMap<ReferenceInfo> references = {
      {"copy", {copyArray, 2, 0}}, {"vadd", {vectorAdd, 3, 0}},           {"transpose", {transpose, 2, 0}},
      {"reduce", {reduce, 2, 0}},  {"softmax", {softmax, 2, 0}},          {"layernorm", {layernorm, 4, 0}},
      {"gemm", {gemm, 3, 0}},      {"batched_gemm", {batchedGemm, 3, 6}}, {"attention", {attention, 4, 1}},
  };
  auto found = references.find(name);
  return found == references.end() ? nullptr : &found->second;
}

} // namespace inflight::demo
