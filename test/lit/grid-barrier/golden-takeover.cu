// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A persistent kernel that takes a loop over, and loops that none can take
// over: those it does from the start.
//
// RUN: %rewrite-check %s %t.cu --rules=grid-barrier
// RUN: grep -vE '^//( |$)' %t.cu | FileCheck %s
// RUN: echo 'grid-barrier-from-start: true' > %t.yaml
// RUN: not %dry-run --rules=grid-barrier --config=%t.yaml %s | grep '^+' | FileCheck --check-prefix=START --implicit-check-not=Takeover %s
//
// START: launch_persistent_exact

#include <utility>

__global__ void jacobi(const float *in, float *out, int n, int t) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= 1 && i < n - 1)
    out[i] = 0.5f * (in[i - 1] + in[i + 1]) + t;
}

// What the loop begins with stays with the host; what lives on is computed by
// what the host does of the rest.
//
// CHECK:      {{^}}static __global__ void solve_persistent(barricade::GridBarrier bar, int t,
// CHECK-NEXT: {{^}}                                        int steps, float *a, float *b, int n) {
// CHECK-NEXT: {{^}}  for (; t < steps; ++t) {
// CHECK:      {{^}}  barricade::Takeover takeover(solve_persistent, (n + 255) / 256, 0);
// CHECK-NEXT: {{^}}  for (int t = 0; t < steps; ++t) {
// CHECK-NEXT: {{^}}    if (takeover.is_due(steps - t) &&
// CHECK-NEXT: {{^}}        barricade::launch_persistent_exact(solve_persistent, (n + 255) / 256,
// CHECK-NEXT: {{^}}                                           256, 0, 0, t, steps, a, b,
// CHECK-NEXT: {{^}}                                           n) == cudaSuccess) {
// CHECK-NEXT: {{^}}      for (; t < steps; ++t) {
// CHECK-NEXT: {{^}}        std::swap(a, b);
// CHECK-NEXT: {{^}}      }
// CHECK-NEXT: {{^}}      break;
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}    jacobi<<<(n + 255) / 256, 256>>>(a, b, n, t);
// CHECK-NEXT: {{^}}    std::swap(a, b);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  return a;
float *solve(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    jacobi<<<(n + 255) / 256, 256>>>(a, b, n, t);
    std::swap(a, b);
  }
  return a;
}

// Without braces, on one line, downwards; an array of two pointers.
//
// CHECK:      {{^}}  for (; i > last; i--)
// CHECK-NEXT: {{^}}    for (int half = 0; half < 2; ++half) {
// CHECK:      {{^}}    for (int i = n; i > last; i--) {
// CHECK-NEXT: {{^}}      if (takeover2.is_due(static_cast<long long>(i) - last) &&
// CHECK:      {{^}}        break;
// CHECK-NEXT: {{^}}      }
// CHECK-NEXT: {{^}}      for (int half = 0; half < 2; ++half)
// CHECK-NEXT: {{^}}        jacobi<<<4, 64, 0, stream>>>(buffers[half], buffers[1 - half], n, i);
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}}
void halves(float *(&buffers)[2], int n, int last, bool wanted, cudaStream_t stream) {
  if (wanted)
    for (int i = n; i > last; i--)
      for (int half = 0; half < 2; ++half)
        jacobi<<<4, 64, 0, stream>>>(buffers[half], buffers[1 - half], n, i);
}

// CHECK:      {{^}}  barricade::Takeover takeover3(onOneLine_persistent, 1, 0);
// CHECK-NEXT: {{^}}  for (int t = 0; t != 2 * n; t++) {
// CHECK-NEXT: {{^}}    if (takeover3.is_due(2 * n - t) &&
// CHECK:      {{^}}    jacobi<<<1, 64>>>(a, b, n, t); }
void onOneLine(float *a, float *b, int n) {
  for (int t = 0; t != 2 * n; t++) { jacobi<<<1, 64>>>(a, b, n, t); }
}

// A counter that goes on by more than one.
//
// CHECK:      {{^}}    if (takeover4.is_due(static_cast<long long>(n) - t, width) &&
void strides(float *a, float *b, int n, int width) {
  for (int t = 0; t < n; t += width) {
    jacobi<<<1, 64>>>(a, b, n, t);
  }
}

// A counter that has no value before the loop, and one that has.
//
// CHECK:      {{^}}static __global__ void assigned_persistent(barricade::GridBarrier bar, int k,
// CHECK-NEXT: {{^}}                                           int t, int n, float *a, float *b) {
// CHECK-NEXT: {{^}}  for (; k < n; ++k) {
// CHECK:      {{^}}  for (k = 1, t = 7; k < n; ++k) {
// CHECK-NEXT: {{^}}    if (takeover5.is_due(n - k) &&
int assigned(float *a, float *b, int n) {
  int k, t = 3;
  for (k = 1, t = 7; k < n; ++k) {
    jacobi<<<1, 64>>>(a, b, n, t + k);
  }
  return t;
}

// A condition that nothing can be told of, and waiting for the own stream.
//
// CHECK:      {{^}}  barricade::Takeover takeover6(halving_persistent, 1, 0);
// CHECK-NEXT: {{^}}  while (left > 0) {
// CHECK-NEXT: {{^}}    if (takeover6.is_due() &&
// CHECK:      {{^}}      cudaStreamSynchronize(0);
// CHECK-NEXT: {{^}}      break;
void halving(float *a, float *b, int n, int left) {
  while (left > 0) {
    jacobi<<<1, 64>>>(a, b, n, left);
    cudaStreamSynchronize(0);
    left /= 2;
  }
}

// CHECK:      {{^}}  barricade::Takeover takeover7(doing_persistent, 1, 0);
// CHECK-NEXT: {{^}}  do {
// CHECK-NEXT: {{^}}    if (takeover7.is_due() &&
// CHECK:      {{^}}  } while (--left > 0);
void doing(float *a, float *b, int n, int left) {
  do {
    jacobi<<<1, 64>>>(a, b, n, left);
  } while (--left > 0);
}

template <typename T> __global__ void scale(T *a, T by) {
  a[blockIdx.x * blockDim.x + threadIdx.x] *= by;
}

// CHECK:      {{^}}    if (takeover8.is_due(steps - t) &&
// CHECK-NEXT: {{^}}        barricade::launch_persistent_exact(scaled_persistent<T>, 1, 64, 0, 0, t,
template <typename T> void scaled(T *a, int steps) {
  for (int t = 0; t < steps; ++t) {
    scale<T><<<1, 64>>>(a, T(2));
  }
}
template void scaled<float>(float *, int);
template void scaled<double>(double *, int);

// Instances of which one counts in another type.
//
// CHECK:      {{^}}    if (takeover9.is_due() &&
template <typename N> void counted(float *a, N n) {
  for (int t = 0; t < n; ++t) {
    scale<float><<<1, 64>>>(a, 2);
  }
}
template void counted<int>(float *, int);
template void counted<long>(float *, long);

// What only the host needs, the kernel does not get.
//
// CHECK:      {{^}}static __global__ void sized_persistent(barricade::GridBarrier bar, int t,
// CHECK-NEXT: {{^}}                                        int n, float *a, float *b) {
void sized(float *a, float *b, int n) {
  for (int blocks = 4, t = 0; t < n; ++t) {
    const dim3 grid(blocks);
    jacobi<<<grid, 64>>>(a, b, n, t);
  }
}

// Those that the kernel does from the start: a condition that counts, ...
//
// CHECK:      {{^}}  if (barricade::launch_persistent_exact(counting_persistent,
void counting(float *a, float *b, int n, int left) {
  while (left-- > 0) {
    jacobi<<<1, 64>>>(a, b, n, left);
  }
}

// ... a value that one iteration leaves for the next, ...
//
// CHECK:      {{^}}  if (barricade::launch_persistent_exact(leaving_persistent,
void leaving(float *a, float *b, int n, int steps) {
  int t;
  for (int k = 0; k < steps; ++k) {
    if (k == 0)
      t = n;
    jacobi<<<1, 64>>>(a, b, n, t);
  }
}

// ... a name that means something else where the loop begins, ...
//
// CHECK:      {{^}}  if (barricade::launch_persistent_exact(hiding_persistent,
void hiding(float *a, float *b, int n, int steps) {
  for (int blocks = steps, steps = 0; steps < n; ++steps) {
    jacobi<<<blocks, 64>>>(a, b, n, steps);
  }
}

// ... also where a macro says so, ...
//
// CHECK:      {{^}}  if (barricade::launch_persistent_exact(hidden_persistent,
#define STEPS steps
void hidden(float *a, float *b, int n, int steps) {
  for (int blocks = STEPS, steps = 0; steps < n; ++steps) {
    jacobi<<<blocks, 64>>>(a, b, n, steps);
  }
}

// ... types that are not numbers ...
//
// CHECK:      {{^}}  if (barricade::launch_persistent_exact(walking_persistent,
void walking(float *a, float *b, int n, int steps) {
  for (float *p = a; p < b; p += n) {
    jacobi<<<1, 64>>>(p, b, n, steps);
  }
}

// ... and a value that only some iterations read back.
//
// CHECK:      {{^}}  if ({{.*}}barricade::launch_persistent_exact(sometimes_persistent,
__global__ void mark(int *flag, float *a) {
  if (threadIdx.x == 0)
    *flag = a[0] > 1;
}
void sometimes(float *a, int *flags, int steps) {
  int flag;
  for (int t = 0; t < steps; ++t) {
    mark<<<1, 64>>>(flags, a);
    if (t % 2 == 0)
      cudaMemcpy(&flag, flags, sizeof(int), cudaMemcpyDeviceToHost);
    if (flag)
      scale<float><<<1, 64>>>(a, 0.5f);
  }
}

// What the loop reads back, and needs for the next iteration.
//
// CHECK:      {{^}}static __global__ void reading_persistent(barricade::GridBarrier bar, int flag,
// CHECK:      {{^}}  barricade::Takeover [[T:takeover[0-9]+]](reading_persistent, 1, 0);
// CHECK-NEXT: {{^}}  while (flag) {
// CHECK-NEXT: {{^}}    if ([[T]].is_due() &&
// CHECK:      {{^}}      cudaStreamSynchronize(0);
// CHECK-NEXT: {{^}}      break;
void reading(float *a, int *flags) {
  int flag = 1;
  while (flag) {
    scale<float><<<1, 64>>>(a, 0.5f);
    mark<<<1, 64>>>(flags, a);
    cudaMemcpy(&flag, flags, sizeof(int), cudaMemcpyDeviceToHost);
  }
}

// Set anew by each iteration, so that no value need be passed on; and what the
// host looks at afterwards, for which memory is taken once it is due.
//
// CHECK:      {{^}}static __global__ void rounds_persistent(barricade::GridBarrier bar, int rounds,
// CHECK-NEXT: {{^}}                                         float *a, int *flags, int *last_flag,
// CHECK-NEXT: {{^}}                                         int *last_rounds) {
// CHECK-NEXT: {{^}}  int flag;
// CHECK-NEXT: {{^}}  do {
// CHECK:      {{^}}    if ([[T:takeover[0-9]+]].is_due()) {
// CHECK-NEXT: {{^}}      const barricade::Result<int> last_flag(0);
// CHECK-NEXT: {{^}}      const barricade::Result<int> last_rounds(0);
// CHECK-NEXT: {{^}}      if (last_flag && last_rounds &&
// CHECK-NEXT: {{^}}          barricade::launch_persistent_exact(rounds_persistent, 1, 64, 0, 0,
// CHECK-NEXT: {{^}}                                             rounds, a, flags,
// CHECK-NEXT: {{^}}                                             last_flag.device(),
// CHECK-NEXT: {{^}}                                             last_rounds.device()) == cudaSuccess) {
// CHECK-NEXT: {{^}}        last_flag.copy_to(flag);
// CHECK-NEXT: {{^}}        last_rounds.copy_to(rounds);
// CHECK-NEXT: {{^}}        break;
// CHECK-NEXT: {{^}}      }
// CHECK-NEXT: {{^}}    }
int rounds(float *a, int *flags) {
  int flag, rounds = 0;
  do {
    scale<float><<<1, 64>>>(a, 0.5f);
    mark<<<1, 64>>>(flags, a);
    cudaMemcpy(&flag, flags, sizeof(int), cudaMemcpyDeviceToHost);
    ++rounds;
  } while (flag && rounds < 9);
  return flag + rounds;
}

// Other streams are waited for before the kernel, too.
//
// CHECK:      {{^}}    if ([[T:takeover[0-9]+]].is_due(steps - t)) {
// CHECK-NEXT: {{^}}      cudaDeviceSynchronize();
// CHECK-NEXT: {{^}}      if (barricade::launch_persistent_exact(waiting_persistent, 1, 64, 0, 0, t,
// CHECK-NEXT: {{^}}                                             steps, a, b, n) == cudaSuccess) {
// CHECK-NEXT: {{^}}        cudaDeviceSynchronize();
// CHECK-NEXT: {{^}}        break;
// CHECK-NEXT: {{^}}      }
// CHECK-NEXT: {{^}}    }
void waiting(float *a, float *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    jacobi<<<1, 64>>>(a, b, n, t);
    cudaDeviceSynchronize();
  }
}

// The first counter is the loop's own, and no result; how many iterations are
// left nobody knows where there is a `break`.
//
// CHECK:      {{^}}  for (k = 5, t = 0; t < steps; ++t) {
// CHECK-NEXT: {{^}}    if ([[T:takeover[0-9]+]].is_due()) {
// CHECK-NEXT: {{^}}      const barricade::Result<int> last_t(0);
// CHECK-NEXT: {{^}}      if (last_t &&
// CHECK:      {{^}}        last_t.copy_to(t);
// CHECK-NEXT: {{^}}        break;
int breaking(float *a, int *flags, int steps) {
  int k, t;
  for (k = 5, t = 0; t < steps; ++t) {
    int flag;
    scale<float><<<1, 64>>>(a, 0.5f);
    mark<<<1, 64>>>(flags, a);
    cudaMemcpy(&flag, flags, sizeof(int), cudaMemcpyDeviceToHost);
    if (!flag)
      break;
  }
  return t + k;
}

// Grids that the loop computes, over all of it.
//
// CHECK:      {{^}}  barricade::LargestGrid largest;
// CHECK-NEXT: {{^}}  for (int blocks = n; blocks > 0; blocks /= 2) {
// CHECK-NEXT: {{^}}    largest.include(blocks);
// CHECK-NEXT: {{^}}  }
// CHECK-NEXT: {{^}}  barricade::Takeover [[T:takeover[0-9]+]](shrinking_persistent, largest, 0);
// CHECK-NEXT: {{^}}  for (int blocks = n; blocks > 0; blocks /= 2) {
// CHECK-NEXT: {{^}}    if ([[T]].is_due() &&
void shrinking(float *a, float *b, int n) {
  for (int blocks = n; blocks > 0; blocks /= 2) {
    jacobi<<<blocks, 64>>>(a, b, n, blocks);
  }
}

// CHECK:      {{^}}  const dim3 [[L:largest[0-9]+]] = [=]() mutable -> dim3 {
// CHECK-NEXT: {{^}}    barricade::LargestGrid grids;
// CHECK-NEXT: {{^}}    int t;
// CHECK-NEXT: {{^}}    for (t = 0; t < n; ++t) {
// CHECK-NEXT: {{^}}      blocks += 2;
// CHECK-NEXT: {{^}}      grids.include(blocks);
// CHECK-NEXT: {{^}}    }
// CHECK-NEXT: {{^}}    return grids;
// CHECK-NEXT: {{^}}  }();
// CHECK-NEXT: {{^}}  barricade::Takeover [[T:takeover[0-9]+]](growing_persistent, [[L]], 0);
// CHECK-NEXT: {{^}}  for (t = 0; t < n; ++t) {
// CHECK-NEXT: {{^}}    if ([[T]].is_due(n - t) &&
// CHECK:      {{^}}      for (; t < n; ++t) {
// CHECK-NEXT: {{^}}        blocks += 2;
// CHECK-NEXT: {{^}}      }
// CHECK-NEXT: {{^}}      break;
int growing(float *a, float *b, int n, int blocks) {
  int t;
  for (t = 0; t < n; ++t) {
    blocks += 2;
    jacobi<<<blocks, 64>>>(a, b, n, t);
  }
  return blocks;
}

// Counters that are negative though what they begin with is not: converted,
// set by the body, going down by a sum.
//
// CHECK: .is_due(static_cast<long long>(1400000000) - t, 700000000) &&
// CHECK: .is_due(static_cast<long long>(n) - t) &&
// CHECK: .is_due(static_cast<long long>(last) - t, -1) &&
void converted(float *a, float *b, unsigned first, int n) {
  for (int t = first; t < 1400000000; t += 700000000) {
    jacobi<<<4, 64>>>(a, b, n, t);
    jacobi<<<4, 64>>>(b, a, n, t);
  }
}
void set(float *a, float *b, int n) {
  for (int t = 0; t < n; ++t) {
    jacobi<<<4, 64>>>(a, b, n, t);
    jacobi<<<4, 64>>>(b, a, n, t);
    if (t == 0)
      t = -n;
  }
}
void down(float *a, float *b, int n, int last) {
  for (int t = 5; t != last; t += -1) {
    jacobi<<<4, 64>>>(a, b, n, t);
    jacobi<<<4, 64>>>(b, a, n, t);
  }
}

// What the loop begins with is all that lives on: the host has it, and does not
// look for the end of a loop that only the device can tell.
//
// CHECK: {{^}}int onlyBegins(
// CHECK:      {{^}}  for (from = n, done = 0; !done;) {
// CHECK:      == cudaSuccess) {
// CHECK-NEXT: {{^}}      cudaStreamSynchronize(0);
// CHECK-NEXT: {{^}}      break;
__global__ void finish(const float *a, int *flag) {
  if (threadIdx.x == 0)
    *flag = a[0] < 1.f;
}
int onlyBegins(float *a, float *b, int n, int *flag) {
  int from, done;
  for (from = n, done = 0; !done;) {
    jacobi<<<4, 64>>>(a, b, n, 0);
    jacobi<<<4, 64>>>(b, a, n, 1);
    finish<<<1, 64>>>(a, flag);
    cudaMemcpy(&done, flag, sizeof(int), cudaMemcpyDeviceToHost);
  }
  return from;
}

// Records that are made from a number, and that are read back.
//
// CHECK: {{^}}int readsMade(
// CHECK: const barricade::Result<Made> last_made
struct Made {
  int value;
  explicit Made(int v) : value(v) {}
};
__global__ void make(const float *a, Made *to) {
  if (threadIdx.x == 0)
    to->value = int(a[0]);
}
int readsMade(float *a, float *b, int n, Made *to) {
  Made made(n);
  for (int t = 0; t < n; ++t) {
    jacobi<<<4, 64>>>(a, b, n, 0);
    jacobi<<<4, 64>>>(b, a, n, 1);
    make<<<1, 64>>>(a, to);
    cudaMemcpy(&made, to, sizeof(Made), cudaMemcpyDeviceToHost);
    if (made.value == 3)
      break;
  }
  return made.value;
}

// A literal has no type that it would be converted from.
//
// CHECK: .is_due(t - 0) &&
// CHECK: .is_due(steps - t, 2) &&
// CHECK: .is_due(100 - t) &&
void downToZero(float *a, float *b, int n, size_t steps) {
  for (size_t t = steps; t > 0; --t) {
    jacobi<<<4, 64>>>(a, b, n, 0);
    jacobi<<<4, 64>>>(b, a, n, 0);
  }
}
void byTwo(float *a, float *b, int n, long long steps) {
  for (long long t = 0; t < steps; t += 2) {
    jacobi<<<4, 64>>>(a, b, n, 0);
    jacobi<<<4, 64>>>(b, a, n, 0);
  }
}
void upToLiteral(float *a, float *b, int n) {
  for (unsigned t = 0; t < 100; ++t) {
    jacobi<<<4, 64>>>(a, b, n, 0);
    jacobi<<<4, 64>>>(b, a, n, 0);
  }
}
