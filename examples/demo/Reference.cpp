#include "Reference.h"

#include <cmath>

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

void copyReference(std::vector<Array> &arrays) { arrays[1].bytes = arrays[0].bytes; }

void vaddReference(std::vector<Array> &arrays) {
  std::vector<double> a = numbers(arrays[0]), b = numbers(arrays[1]);
  for (size_t i = 0; i < a.size(); ++i)
    a[i] += b[i];
  store(arrays[2], a);
}

void transposeReference(std::vector<Array> &arrays) {
  std::vector<double> a = numbers(arrays[0]), t(a.size());
  size_t rows = arrays[0].shape[0], columns = arrays[0].shape[1];
  for (size_t r = 0; r < rows; ++r)
    for (size_t c = 0; c < columns; ++c)
      t[c * rows + r] = a[r * columns + c];
  store(arrays[1], t);
}

void reduceReference(std::vector<Array> &arrays) {
  double sum = 0;
  for (double value : numbers(arrays[0]))
    sum += value;
  store(arrays[1], {sum});
}

void softmaxReference(std::vector<Array> &arrays) {
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

void layernormReference(std::vector<Array> &arrays) {
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

void gemmReference(std::vector<Array> &arrays) {
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

void batchedGemmReference(std::vector<Array> &arrays) {
  constexpr size_t batches = 3, m = 128, n = 128, depth = 96, row = 104, batch = 13400;
  std::vector<double> a = numbers(arrays[0]), b = numbers(arrays[1]), c(batches * m * n);
  for (size_t z = 0; z < batches; ++z)
    for (size_t i = 0; i < m; ++i)
      for (size_t j = 0; j < n; ++j) {
        double sum = 0;
        for (size_t x = 0; x < depth; ++x)
          sum += a[z * batch + i * row + x] * b[z * batch + j * row + x];
        c[(z * m + i) * n + j] = sum;
      }
  store(arrays[2], c);
}

} // namespace inflight::demo
