// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs what a golden holds on the CPU executor, for %rewrite-check: what it
// computes from small data is printed, and a rewrite must print the same.

#include <cstdio>
#include <cuda_runtime.h>
#include <vector>

template <typename T> struct AsGiven {
  using type = T;
};

/// Small whole numbers, the same in each run.
template <typename T> std::vector<T> someValues(size_t count) {
  std::vector<T> values(count);
  unsigned state = 12345;
  for (T &v : values)
    v = T((state = state * 1664525u + 1013904223u) >> 25);
  return values;
}

template <typename T> T *onDevice(const std::vector<T> &values) {
  T *copy;
  cudaMalloc(&copy, values.size() * sizeof(T));
  cudaMemcpy(copy, values.data(), values.size() * sizeof(T),
             cudaMemcpyHostToDevice);
  return copy;
}

/// Prints \p count elements of the device's memory.
template <typename T> void show(const char *name, const T *data, size_t count) {
  std::vector<T> values(count);
  cudaMemcpy(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost);
  std::printf("%s:", name);
  for (T value : values)
    std::printf(" %g", double(value));
  std::printf("\n");
}
#define SHOW(data, count) show(#data, data, count);

/// A buffer of small numbers on the device, whose contents are printed when it
/// goes out of scope.
template <typename T> class Buffer {
public:
  explicit Buffer(const char *name, size_t count)
      : name(name), count(count), data(onDevice(someValues<T>(count))) {}
  ~Buffer() {
    show(name, data, count);
    cudaFree(data);
  }
  operator T *() const { return data; }

private:
  const char *name;
  size_t count;
  T *data;
};

/// One block of \p Kernel, with blocks of several sizes. Its first parameter is
/// read; kernels may look 1024 elements before it, and 7168 behind. The second
/// has room for 128 elements at least.
template <typename Input, typename Output, typename... Rest>
void run(const char *name, void (*kernel)(const Input *, Output *, Rest...),
         typename AsGiven<Rest>::type... rest) {
  Input *input = onDevice(someValues<Input>(8192));
  for (int threads : {1, 33, 64}) {
    Output *output = onDevice(std::vector<Output>(128, Output(-1)));
    kernel<<<1, threads>>>(input + 1024, output, rest...);
    std::printf("%d threads, ", threads);
    show(name, output, threads);
    cudaFree(output);
  }
  cudaFree(input);
}
#define RUN(kernel, ...) run(#kernel, kernel, __VA_ARGS__)
