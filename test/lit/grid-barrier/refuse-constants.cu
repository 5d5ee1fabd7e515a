// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Constants and records that are others on the device, or where the persistent
// kernel would stand.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- -std=c++20 --cuda-gpu-arch=sm_80 2>&1 | FileCheck %s

#include <cstddef>

__global__ void mix(const int *in, int *out, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] += in[n - 1 - i] + by;
}

//===--- Another value on the device --------------------------------------===//

constexpr int Bytes = sizeof(long double);
enum { AlsoBytes = sizeof(long double) };
template <class T> constexpr int SizeOf = sizeof(T);
consteval int bytes() { return sizeof(long double); }
#ifdef __CUDA_ARCH__
#define SIDE 1
#else
#define SIDE 2
#endif
consteval int side() { return SIDE; }
constexpr int Table[] = {1, side()};
void bothPasses(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    mix<<<n / 64, 64>>>(a, b, n, Bytes);
  for (int t = 0; t < steps; ++t)
    mix<<<n / 64, 64>>>(a, b, n, AlsoBytes);
  for (int t = 0; t < steps; ++t)
    mix<<<n / 64, 64>>>(a, b, n, SizeOf<long double>);
  for (int t = 0; t < steps; ++t)
    mix<<<n / 64, 64>>>(a, b, n, bytes());
  for (int t = 0; t < steps; ++t)
    mix<<<n / 64, 64>>>(a, b, n, side());
  for (int t = 0; t < steps; ++t)
    mix<<<n / 64, 64>>>(a, b, n, Table[t & 1]);
  const int local = sizeof(long double);
  for (int t = 0; t < steps; ++t)
    mix<<<n / 64, 64>>>(a, b, n, local);
}
// CHECK: :[[#@LINE-16]]:{{.*}}[passes-differ]
// CHECK: :[[#@LINE-15]]:{{.*}}[passes-differ]
// CHECK: :[[#@LINE-14]]:{{.*}}[passes-differ]
// CHECK: :[[#@LINE-13]]:{{.*}}[passes-differ]
// CHECK: :[[#@LINE-12]]:{{.*}}[passes-differ]
// CHECK: :[[#@LINE-11]]:{{.*}}[passes-differ]
// CHECK: :[[#@LINE-9]]:{{.*}}[passes-differ]

struct Aligned {
  char first;
  alignas(std::max_align_t) char second;
  int third;
};
struct Sized {
  char first[sizeof(long double)];
  int second;
};
struct Within : Sized {
  int third;
};
template <class T> void instances(T *a, T *b, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    mix<<<n / 64, 64>>>((int *)a, (int *)b, n, SizeOf<T>);
}
template void instances(long double *, long double *, int, int);
void layouts(int *a, int *b, int n, int steps, Aligned v, Within w) {
  for (int t = 0; t < steps; ++t)
    mix<<<n / 64, 64>>>(a, b, n, v.third);
  for (int t = 0; t < steps; ++t)
    mix<<<n / 64, 64>>>(a, b, n, w.third);
}
// CHECK: :[[#@LINE-10]]:{{.*}}[passes-differ]
// CHECK: :[[#@LINE-6]]:{{.*}}[passes-differ]
// CHECK: :[[#@LINE-5]]:{{.*}}[passes-differ]

//===--- Another value elsewhere ------------------------------------------===//

consteval int value() { return 1; }
constexpr int Value = 1;
namespace outer {
consteval int value() { return 2; }
constexpr int Value = 2;
constexpr int Own = 3;
namespace inner {
void names(int *a, int *b, int n, int steps) {
  using ::value;
  using ::Value;
  namespace same = outer;
  for (int t = 0; t < steps; ++t)
    mix<<<n / 64, 64>>>(a, b, n, value());
  for (int t = 0; t < steps; ++t)
    mix<<<n / 64, 64>>>(a, b, n, Value);
  for (int t = 0; t < steps; ++t)
    mix<<<n / 64, 64>>>(a, b, n, same::Own);
}
// CHECK: :[[#@LINE-6]]:{{.*}}[local-name]
// CHECK: :[[#@LINE-5]]:{{.*}}[local-name]
// CHECK: :[[#@LINE-4]]:{{.*}}[local-name]
} // namespace inner
} // namespace outer

consteval int length(const char *name = __builtin_FUNCTION()) {
  int count = 0;
  while (name[count])
    ++count;
  return count;
}
void place(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t)
    mix<<<n / 64, 64>>>(a, b, n, length());
}
// CHECK: :[[#@LINE-2]]:{{.*}}[place-dependent]

//===--- The same ---------------------------------------------------------===//

struct Plain {
  double first;
  int second;
};
void agreed(int *a, int *b, int n, int steps, Plain v) {
  using outer::Own;
  for (int t = 0; t < steps; ++t)
    mix<<<n / 64, 64>>>(a, b, n, SizeOf<double> + v.second);
  for (int t = 0; t < steps; ++t)
    mix<<<n / 64, 64>>>(a, b, n, ::value() + ::Value + outer::value());
  for (int t = 0; t < steps; ++t)
    mix<<<n / 64, 64>>>(a, b, n, length("name"));
}
// CHECK: :[[#@LINE-7]]:{{.*}}can become
// CHECK: :[[#@LINE-5]]:{{.*}}[local-name]
// CHECK: :[[#@LINE-5]]:{{.*}}can become

// A constant becomes a parameter, of which compilers warn where it is compared
// with a number without a sign.
void signs(int *a, int *b, int n) {
  const int known = 512;
  for (unsigned k = 1; k <= known; k <<= 1)
    mix<<<n / 64, 64>>>(a, b, n, k);
}
// CHECK: :[[#@LINE-4]]:13: note: {{.*}}[local-name]
void noSigns(int *a, int *b, int n) {
  const unsigned known = 512;
  const int count = 3;
  for (unsigned k = 1; k <= known; k <<= 1)
    mix<<<n / 64, 64>>>(a, b, n, k + count);
}
// CHECK: :[[#@LINE-3]]:{{.*}}can become
