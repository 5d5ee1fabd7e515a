// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that begin with a namespace's, where the host function's own namespaces
// have one of that name.
//
// RUN: %barricade --rules=launch-fusion --explain %s -- nvcc -std=c++17 -arch=sm_80 > %t.out 2>&1
// RUN: FileCheck --implicit-check-not=not-verified %s < %t.out

namespace lib {
struct Conf {
  int w;
};
enum class Mode { A };
template <class T> __global__ void adds(int *x, T c) {
  x[blockIdx.x * blockDim.x + threadIdx.x] += c.w;
}
template <Mode M> __global__ void moded(int *x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] += int(M) + 1;
}
template <class M> __global__ void typed(int *x) {
  x[blockIdx.x * blockDim.x + threadIdx.x] += sizeof(M);
}
// CHECK: :[[#@LINE+2]]:3: warning: 2 launches {{.*}} without a barrier
void within(int *x, int n, Conf c) {
  adds<<<n / 64, 64>>>(x, c);
  adds<<<n / 64, 64>>>(x, c);
}
} // namespace lib

namespace other {
namespace lib {
struct Conf {
  int w;
  Conf(::lib::Conf c) : w(2 * c.w) {}
};
// CHECK: :[[#@LINE+2]]:3: remark: 2 launches
void types(int *x, int n, ::lib::Conf c) {
  ::lib::adds<<<n / 64, 64>>>(x, c);
  ::lib::adds<<<n / 64, 64>>>(x, c);
}
// CHECK: [name-clash]
// CHECK: :[[#@LINE+3]]:3: remark: 2 launches
void arguments(int *x, int n, ::lib::Conf c) {
  using Same = ::lib::Conf;
  ::lib::typed<Same><<<n / 64, 64>>>(x);
  ::lib::typed<Same><<<n / 64, 64>>>(x);
}
// CHECK: [name-clash]
} // namespace lib
namespace more {
// CHECK: :[[#@LINE+2]]:3: remark: 2 launches
void types(int *x, int n, ::lib::Conf c) {
  ::lib::adds<<<n / 64, 64>>>(x, c);
  ::lib::adds<<<n / 64, 64>>>(x, c);
}
// CHECK: [name-clash]
} // namespace more
} // namespace other

namespace beside {
// CHECK: :[[#@LINE+2]]:3: warning: 2 launches {{.*}} without a barrier
void types(int *x, int n, ::lib::Conf c) {
  ::lib::adds<<<n / 64, 64>>>(x, c);
  ::lib::adds<<<n / 64, 64>>>(x, c);
}
} // namespace beside
