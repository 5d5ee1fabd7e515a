// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which function a default argument calls is found by its operands, among those
// that are declared where the kernel stands. Written after it, it might call
// another one.
//
// RUN: %barricade --rules=grid-barrier --grid-barrier-from-start --explain %s -- nvcc -std=c++17 2>&1 | FileCheck %s

namespace space {
struct Base {};
struct Tag : Base {};
__host__ __device__ constexpr int number(Base) { return 3; }
} // namespace space
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: note: {{.*}} [default-argument]
__global__ void called(int *x, int by = number(space::Tag{})) {
  x[threadIdx.x] += by;
}

enum Flags { Add = 1, Twice = 2 };
// CHECK: :[[#@LINE+1]]:{{[0-9]+}}: note: {{.*}} [default-argument]
__global__ void combined(int *x, int flags = Add | Twice) {
  x[threadIdx.x] += flags;
}

// CHECK-NOT: [default-argument]
__global__ void counted(int *x, int by = 3 * int(sizeof(Flags))) {
  x[threadIdx.x] += by;
}

namespace space {
__host__ __device__ constexpr int number(Tag) { return 4; }
} // namespace space
inline Flags operator|(Flags a, Flags b) { return Flags(int(a) | int(b)); }

void run(int *x, int steps) {
  for (int step = 0; step < steps; ++step)
    called<<<1, 64>>>(x);
  for (int step = 0; step < steps; ++step)
    combined<<<1, 64>>>(x);
  for (int step = 0; step < steps; ++step)
    counted<<<1, 64>>>(x);
}
