// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of every form that the rule grid-barrier takes, each checked against
// the same steps on the host, over sizes from one block up, and over numbers of
// steps from none up.

#include <cstdio>
#include <cuda_runtime.h>
#include <functional>
#include <utility>
#include <vector>

using Values = std::vector<int>;

__global__ void shift(const int *__restrict__ in, int *out, int n, int by) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = in[(i + by) % n] * 3 + i;
}

static void shiftOnHost(Values &values, int by) {
  const int n = int(values.size());
  const Values in = values;
  for (int i = 0; i < n; ++i)
    values[i] = in[(i + by) % n] * 3 + i;
}

/// Returns the array that holds the result.
static int *swaps(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    shift<<<(n + 31) / 32, 32>>>(a, b, n, t);
    std::swap(a, b);
  }
  return a;
}

/// With pointers of its own, which rotate, and the host waiting in each step.
static int *rotates(int *a, int *b, int n, int steps) {
  int *from = a, *to = b;
  int t = steps;
  while (t > 0) {
    shift<<<(n + 31) / 32, 32>>>(from, to, n, steps - t);
    cudaDeviceSynchronize();
    --t;
    int *old = from;
    from = to;
    to = old;
  }
  return from;
}

/// Two launches in a loop, and a loop in a loop.
static int *nested(int *a, int *b, int n, int steps) {
  const dim3 grid((n + 31) / 32), block(32);
  for (int t = 0; t < steps; ++t)
    for (int u = 0; u < 2; u++) {
      shift<<<grid, block>>>(a, b, n, t);
      if (u == 1 && t % 2)
        continue;
      shift<<<grid, block>>>(b, a, n, u + 1);
      shift<<<grid, block>>>(a, b, n, 0);
    }
  return b;
}

/// In a template, whose instances share one.
template <typename T, int Threads>
static T *inTemplate(T *a, T *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    const int blocks = (n + Threads - 1) / Threads;
    shift<<<blocks, Threads>>>(a, b, n, t);
    T *old = a;
    a = b;
    b = old;
  }
  return a;
}

/// From an array behind a pointer, which is read if there is a step only.
static int trade(int *buf[2], int n, int steps) {
  int src = 1, dst = 0;
  for (int t = 0; t < steps; ++t) {
    int temp = src;
    src = dst;
    dst = temp;
    shift<<<(n + 31) / 32, 32>>>(buf[src], buf[dst], n, t);
  }
  return dst;
}
static int *trades(int *a, int *b, int n, int steps) {
  int *buf[2] = {a, b};
  return buf[trade(steps > 0 ? buf : nullptr, n, steps)];
}

/// The same by the iteration, the host waiting, and with the last element found
/// in the loop.
static int *lastOf(int **buf, int *last, int n, unsigned steps) {
  unsigned t = 0;
  while (t < steps) {
    int *const to = buf[~t & 1];
    shift<<<(n + 31) / 32, 32>>>(buf[t & 1], to, n, t);
    cudaDeviceSynchronize();
    last = to;
    ++t;
  }
  return last;
}
static int *alternates(int *a, int *b, int n, int steps) {
  int *buf[2] = {a, b};
  return lastOf(steps > 0 ? buf : nullptr, a, n, steps);
}

/// With other values from an array, in a variable of the loop.
static void ofPlan(const int *const *plan, int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; t += 2) {
    const int *const by = plan[1];
    shift<<<(n + 31) / 32, 32>>>(a, b, n, t);
    shift<<<(n + 31) / 32, 32>>>(b, by == nullptr ? a : b, n, plan[0] - by);
  }
}
static int *plans(int *a, int *b, int n, int steps) {
  const int *plan[2] = {nullptr, nullptr};
  ofPlan(steps > 0 ? plan : nullptr, a, b, n, steps);
  return a;
}

using Loop = int *(*)(int *, int *, int, int);
using Host = std::function<void(Values &, int)>;

static bool check(const char *name, Loop loop, const Host &host) {
  bool right = true;
  for (int n : {1, 31, 32, 33, 150})
    for (int steps : {0, 1, 2, 5}) {
      Values values(n), want;
      for (int i = 0; i < n; ++i)
        values[i] = i * i % 17;
      want = values;
      host(want, steps);
      int *a, *b;
      const size_t bytes = n * sizeof(int);
      cudaMalloc(&a, bytes);
      cudaMalloc(&b, bytes);
      cudaMemcpy(a, values.data(), bytes, cudaMemcpyHostToDevice);
      cudaMemcpy(b, values.data(), bytes, cudaMemcpyHostToDevice);
      const int *result = loop(a, b, n, steps);
      cudaMemcpy(values.data(), result, bytes, cudaMemcpyDeviceToHost);
      cudaFree(a);
      cudaFree(b);
      if (values != want || cudaGetLastError() != cudaSuccess) {
        std::printf("%s is wrong for n = %d, steps = %d\n", name, n, steps);
        right = false;
      }
    }
  return right;
}

int main() {
  bool right = true;
  const Host each = [](Values &values, int steps) {
    for (int t = 0; t < steps; ++t)
      shiftOnHost(values, t);
  };
  right &= check("swaps", swaps, each);
  right &= check("rotates", rotates, each);
  right &= check("inTemplate 16", inTemplate<int, 16>, each);
  right &= check("inTemplate 64", inTemplate<int, 64>, each);
  right &= check("trades", trades, each);
  right &= check("alternates", alternates, each);
  right &= check("plans", plans, [](Values &values, int steps) {
    for (int t = 0; t < steps; t += 2) {
      shiftOnHost(values, t);
      shiftOnHost(values, 0);
    }
  });
  right &= check("nested", nested, [](Values &values, int steps) {
    // What b holds: a's values are a step behind.
    Values a = values, b = values;
    const auto step = [](const Values &from, Values &to, int by) {
      to = from;
      shiftOnHost(to, by);
    };
    for (int t = 0; t < steps; ++t)
      for (int u = 0; u < 2; u++) {
        step(a, b, t);
        if (u == 1 && t % 2)
          continue;
        step(b, a, u + 1);
        step(a, b, 0);
      }
    values = b;
  });
  return !right;
}
