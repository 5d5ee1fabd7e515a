// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user puts beside the library's functions, by their names: overloads,
// specialisations, an order of an enumeration's values. Only the library's own
// is what the runtime has for the device, too.
//
// RUN: %barricade --rules=grid-barrier --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck %s

#include <algorithm>
#include <utility>

__global__ void inc(float *x, int n) { x[threadIdx.x] += x[n - 1 - threadIdx.x]; }

struct Pair { int a, b; };
struct Special { int a, b; };
struct Order { int v[2]; };
struct Range { int begin, end; };
enum Color { Red, Green, Blue };
enum class Size { Small, Large };
inline bool operator<(Color x, Color y) { return int(x) > int(y); }

namespace std {
template <> inline void swap<Special>(Special &x, Special &y) noexcept { y.b = x.a; }
inline void swap(Range &x, Range &y) noexcept { y.end = x.begin; }
inline int max(int x, short y) { return x + y; }
template <> inline const short &max<short>(const short &x, const short &) { return x; }
} // namespace std

// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warning: {{.*}} can become one
void plain(float *x, Pair a, Pair b, int steps) { for (int t = 0; t < steps; ++t) {
    inc<<<1, 64>>>(x, a.b);
    std::swap(a, b);
  } }
// CHECK: :[[#@LINE+3]]:5: note: {{.*}} [host-call]
void specialised(float *x, Special a, Special b, int steps) { for (int t = 0; t < steps; ++t) {
    inc<<<1, 64>>>(x, a.b);
    std::swap(a, b);
  } }
// CHECK: :[[#@LINE+3]]:5: note: {{.*}} [host-call]
void overloaded(float *x, Range a, Range b, int steps) { for (int t = 0; t < steps; ++t) {
    inc<<<1, 64>>>(x, a.end);
    std::swap(a, b);
  } }
// CHECK: :[[#@LINE+3]]:5: note: {{.*}} [host-call]
void arrays(float *x, Order a, Order b, int steps) { for (int t = 0; t < steps; ++t) {
    inc<<<1, 64>>>(x, a.v[1]);
    std::swap(a.v, b.v);
  } }
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: warning: {{.*}} can become one
void elements(float *x, Order a, Order b, int steps) { for (int t = 0; t < steps; ++t) {
    inc<<<1, 64>>>(x, a.v[1]);
    std::swap(a.v[1], b.v[1]);
  } }

// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: warning: {{.*}} can become one
void numbers(float *x, int n, int steps) {
  for (int t = 0; t < steps; ++t) inc<<<1, 64>>>(x, std::max(n, t));
}
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: note: {{.*}} [host-call]
void colors(float *x, Color c, int steps) {
  for (int t = 0; t < steps; ++t) inc<<<1, 64>>>(x, t + std::max(c, Green));
}
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: note: {{.*}} [host-call]
void sizes(float *x, Size s, int steps) {
  for (int t = 0; t < steps; ++t) inc<<<1, 64>>>(x, t + int(std::min(s, Size::Large)));
}
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: note: {{.*}} [host-call]
void mixed(float *x, int n, short k, int steps) {
  for (int t = 0; t < steps; ++t) inc<<<1, 64>>>(x, t + std::max(n, k));
}
// CHECK: :[[#@LINE+2]]:{{[0-9]+}}: note: {{.*}} [host-call]
void shorts(float *x, short n, short k, int steps) {
  for (int t = 0; t < steps; ++t) inc<<<1, 64>>>(x, t + std::max(n, k));
}
