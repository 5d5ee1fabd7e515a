// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What relaunch loops do on the host between their launches: how they choose
// buffers, which variables they change, when they end, what they copy. Each is
// compared with the host, in what it leaves in memory and in its variables.

#include "relaunch_check.h"
#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <utility>

#define CHECK(call)                                                            \
  do {                                                                         \
    const cudaError_t result = (call);                                         \
    if (result != cudaSuccess) {                                               \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__,                  \
                   cudaGetErrorString(result));                                \
      std::exit(1);                                                            \
    }                                                                          \
  } while (0)

__global__ void mix(const int *in, int *out, int n, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = (in[(i + by) % n] * 3 + out[i] + by) % 1009;
}
static void mixOnHost(const Values &in, Values &out, int by) {
  const int n = int(in.size());
  for (int i = 0; i < n; ++i)
    out[i] = (in[(i + by) % n] * 3 + out[i] + by) % 1009;
}

__global__ void add(int *p, int n, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] = (p[i] + by) % 1009;
}
static void addOnHost(Values &p, int by) {
  for (int &value : p)
    value = (value + by) % 1009;
}

__global__ void raise(int *p, int n, int by) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += by;
}
static void raiseOnHost(Values &p, int by) {
  for (int &value : p)
    value += by;
}

//===----------------------------------------------------------------------===//
// Buffers
//===----------------------------------------------------------------------===//

static int toggles(int *a, int *b, int n, int steps) {
  int *const buffers[] = {a, b};
  int from = 0;
  for (int t = 0; t < steps; ++t) {
    mix<<<blocksFor(n), Threads>>>(buffers[from], buffers[from ^ 1], n, t);
    from ^= 1;
  }
  return from;
}

static int subtracts(int *a, int *b, int n, int steps) {
  int *buffers[2];
  buffers[0] = a;
  buffers[1] = b;
  unsigned from = 0, to = 1;
  for (int t = 0; t < steps; ++t, from = 1 - from, to = 1 - to)
    mix<<<blocksFor(n), Threads>>>(buffers[from], buffers[to], n, t);
  return int(from);
}

static int picks(int *a, int *b, int n, int steps) {
  const int blocks = blocksFor(n);
  for (int t = 0; t < steps; t++) {
    const int *in = t % 2 ? b : a;
    int *out = (t & 1) ? a : b;
    mix<<<blocks, Threads>>>(in, out, n, t);
  }
  return steps & 1;
}

static int backAndForthOnHost(Values &a, Values &b, int steps) {
  for (int t = 0; t < steps; ++t)
    mixOnHost(t % 2 ? b : a, t % 2 ? a : b, t);
  return steps & 1;
}

/// Plain data by value, of which the loop changes parts.
struct Field {
  int *from, *to;
  int size;
  short by[2];
};
__global__ void mixField(Field f, unsigned long long scale) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < f.size)
    f.to[i] = int((f.from[i] * scale + f.by[0] + f.by[1]) % 1009);
}
static int changesField(int *a, int *b, int n, int steps) {
  Field field = {a, b, n, {1, 5}};
  unsigned long long scale = 1ull << 33;
  for (int t = 0; t < steps; ++t) {
    mixField<<<blocksFor(n), Threads>>>(field, scale);
    std::swap(field.from, field.to);
    field.by[0] += 3;
    field.by[t & 1] -= 1;
    scale = scale * 5 + 1;
  }
  return field.by[0] * 100 + field.by[1] + int(scale >> 33) + (field.from == a);
}
static int changesFieldOnHost(Values &a, Values &b, int steps) {
  Values *from = &a, *to = &b;
  int by[2] = {1, 5};
  unsigned long long scale = 1ull << 33;
  for (int t = 0; t < steps; ++t) {
    for (size_t i = 0; i < a.size(); ++i)
      (*to)[i] = int(((*from)[i] * scale + by[0] + by[1]) % 1009);
    std::swap(from, to);
    by[0] += 3;
    by[t & 1] -= 1;
    scale = scale * 5 + 1;
  }
  return by[0] * 100 + by[1] + int(scale >> 33) + (from == &a);
}

/// Pointers that move on.
static int walks(int *a, int *b, int n, int steps) {
  int *at = a;
  for (int left = n; left > 0 && steps-- >= 0; left /= 2) {
    add<<<(left + 31) / 32, 32>>>(at, left, steps + 1);
    mix<<<(left + 31) / 32, 32>>>(&a[n - left], b + n - left, left, 1);
    at += left / 2 > 0 ? left - left / 2 : 0;
  }
  return int(at - a) + steps;
}
static int walksOnHost(Values &a, Values &b, int steps) {
  const int n = int(a.size());
  int at = 0;
  for (int left = n; left > 0 && steps-- >= 0; left /= 2) {
    for (int i = at; i < at + left; ++i)
      a[i] = (a[i] + steps + 1) % 1009;
    Values in(a.end() - left, a.end()), out(b.end() - left, b.end());
    mixOnHost(in, out, 1);
    std::copy(out.begin(), out.end(), b.end() - left);
    at += left / 2 > 0 ? left - left / 2 : 0;
  }
  return at + steps;
}

//===----------------------------------------------------------------------===//
// Variables
//===----------------------------------------------------------------------===//

__global__ void addTime(int *p, int n, float x, double time) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    p[i] += int(x * 8) + int(time * 1000);
}
static int countsInFloat(int *a, int *, int n, int steps) {
  const float end = steps * 0.25f;
  double time = 0;
  for (float x = 0; x < end; x += 0.25f) {
    addTime<<<blocksFor(n), Threads>>>(a, n, x, time);
    time += 0.1 + x / 3;
  }
  return int(time * 1000);
}
static int countsInFloatOnHost(Values &a, Values &, int steps) {
  double time = 0;
  float x = 0;
  for (int t = 0; t < steps; ++t) {
    for (int &value : a)
      value += int(x * 8) + int(time * 1000);
    time += 0.1 + x / 3;
    x += 0.25f;
  }
  return int(time * 1000);
}

/// A launch behind the loop takes its variables.
static int goesOn(int *a, int *b, int n, int steps) {
  int t, sum = 0;
  for (t = 0; t < steps; ++t) {
    mix<<<blocksFor(n), Threads>>>(a, b, n, sum);
    sum += t;
  }
  mix<<<blocksFor(n), Threads>>>(b, a, n, t + sum);
  return t;
}
static int goesOnOnHost(Values &a, Values &b, int steps) {
  int sum = 0;
  for (int t = 0; t < steps; ++t) {
    mixOnHost(a, b, sum);
    sum += t;
  }
  mixOnHost(b, a, steps + sum);
  return steps;
}

/// Whole numbers of all kinds.
enum Phase { Even, Odd };
static int computes(int *a, int *b, int n, int steps) {
  unsigned seed = 4000000000u;
  long long wide = -1;
  signed char narrow = 125;
  bool odd = false;
  Phase phase = Even;
  do {
    int by = int(seed >> 20) + (phase == Odd) + (odd ? narrow : -narrow);
    if (by < 0)
      by = -by;
    mix<<<blocksFor(n), Threads>>>(a, b, n, by);
    seed = seed * 1664525u + 1013904223u;
    wide = (wide << 7) ^ by;
    narrow += 2;
    odd = !odd;
    phase = odd ? Odd : Even;
  } while (--steps > 0);
  return int(seed % 1000) + int(wide % 1000) + narrow + odd + phase + steps;
}
static int computesOnHost(Values &a, Values &b, int steps) {
  unsigned seed = 4000000000u;
  long long wide = -1;
  signed char narrow = 125;
  bool odd = false;
  do {
    int by = int(seed >> 20) + odd + (odd ? narrow : -narrow);
    by = std::abs(by);
    mixOnHost(a, b, by);
    seed = seed * 1664525u + 1013904223u;
    wide = (wide << 7) ^ by;
    narrow = (signed char)(narrow + 2);
    odd = !odd;
  } while (--steps > 0);
  return int(seed % 1000) + int(wide % 1000) + narrow + 2 * odd + steps;
}

//===----------------------------------------------------------------------===//
// Control
//===----------------------------------------------------------------------===//

/// Conditions move to the device.
static int chooses(int *a, int *b, int n, int steps) {
  const int blocks = blocksFor(n);
  int k = 0;
  for (; k < steps; ++k)
    if (k % 2)
      mix<<<blocks, Threads>>>(a, b, n, k);
    else
      add<<<blocks, Threads>>>(a, n, k + 1);
  for (k = 0; k < 10; ++k) {
    if (k == 3) {
      add<<<blocks, Threads>>>(a, n, 7);
      continue;
    } else if (k > steps) {
      break;
    } else if (k < 2 && n > 1) {
      mix<<<blocks, Threads>>>(b, a, n, 2);
    }
    add<<<blocks, Threads>>>(b, n, k);
  }
  return k;
}
static int choosesOnHost(Values &a, Values &b, int steps) {
  int k = 0;
  for (; k < steps; ++k)
    if (k % 2)
      mixOnHost(a, b, k);
    else
      addOnHost(a, k + 1);
  for (k = 0; k < 10; ++k) {
    if (k == 3) {
      addOnHost(a, 7);
      continue;
    } else if (k > steps) {
      break;
    } else if (k < 2 && a.size() > 1) {
      mixOnHost(b, a, 2);
    }
    addOnHost(b, k);
  }
  return k;
}

static int countsDown(int *a, int *b, int n, int steps) {
  int sum = 0;
  while (steps--) {
    mix<<<blocksFor(n), Threads>>>(a, b, n, steps);
    add<<<1, Threads>>>(a, n < Threads ? n : Threads, sum);
    sum += steps;
  }
  return steps + sum;
}
static int countsDownOnHost(Values &a, Values &b, int steps) {
  int sum = 0;
  while (steps--) {
    mixOnHost(a, b, steps);
    for (size_t i = 0; i < a.size() && i < Threads; ++i)
      a[i] = (a[i] + sum) % 1009;
    sum += steps;
  }
  return steps + sum;
}

static int leaves(int *a, int *b, int n, int steps) {
  int t = 0;
  while (true) {
    if (t >= steps)
      break;
    mix<<<blocksFor(n), Threads>>>(a, b, n, t);
    if (++t % 2)
      std::swap(a, b);
  }
  for (;;) {
    add<<<blocksFor(n), Threads>>>(a, n, t);
    if (t-- < 2)
      break;
  }
  return t;
}
static int leavesOnHost(Values &a, Values &b, int steps) {
  Values *from = &a, *to = &b;
  int t = 0;
  while (t < steps) {
    mixOnHost(*from, *to, t);
    if (++t % 2)
      std::swap(from, to);
  }
  do
    addOnHost(*from, t);
  while (t-- >= 2);
  return t;
}

/// Loops in loops, of which some run not at all.
static int nests(int *a, int *b, int n, int steps) {
  int count = 0;
  for (int t = 0; t < steps; ++t) {
    for (int u = t; u < 3; u += 2, ++count)
      mix<<<blocksFor(n), Threads>>>(a, b, n, u + count);
    int v = t;
    while (v-- > 1) {
      std::swap(a, b);
      add<<<blocksFor(n), Threads>>>(b, n, v);
    }
  }
  return count;
}
static int nestsOnHost(Values &a, Values &b, int steps) {
  Values *from = &a, *to = &b;
  int count = 0;
  for (int t = 0; t < steps; ++t) {
    for (int u = t; u < 3; u += 2)
      mixOnHost(*from, *to, u + count++);
    int v = t;
    while (v-- > 1) {
      std::swap(from, to);
      addOnHost(*to, v);
    }
  }
  return count;
}

//===----------------------------------------------------------------------===//
// Waits, copies, convergence
//===----------------------------------------------------------------------===//

/// In a stream of its own, for which the host waits each time.
static int inStream(int *a, int *b, int n, int steps) {
  cudaStream_t stream;
  CHECK(cudaStreamCreate(&stream));
  for (int t = 0; t < steps; ++t) {
    mix<<<blocksFor(n), Threads, 0, stream>>>(a, b, n, t);
    CHECK(cudaGetLastError());
    CHECK(cudaStreamSynchronize(stream));
    int *old = a;
    a = b;
    b = old;
  }
  CHECK(cudaStreamDestroy(stream));
  return steps & 1;
}

/// The next level of a breadth-first search along i -> i + 1, i + step.
__global__ void visit(const int *level, int *next, int n, int step, int current,
                      int *more) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  next[i] = level[i];
  if (level[i] >= 0 || ((i == 0 || level[i - 1] != current) &&
                        (i < step || level[i - step] != current)))
    return;
  next[i] = current + 1;
  *more = 1;
}
static int searches(int *a, int *b, int n, int steps) {
  int *flag, more = 1, level = 0;
  CHECK(cudaMalloc(&flag, sizeof(int)));
  CHECK(cudaMemset(a, -1, n * sizeof(int)));
  CHECK(cudaMemset(a, 0, sizeof(int)));
  while (more) {
    more = 0;
    CHECK(cudaMemcpy(flag, &more, sizeof(more), cudaMemcpyHostToDevice));
    visit<<<blocksFor(n), Threads>>>(a, b, n, 5 * steps + 2, level, flag);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&more, flag, sizeof(more), cudaMemcpyDeviceToHost));
    std::swap(a, b);
    ++level;
  }
  CHECK(cudaFree(flag));
  return level;
}
static int searchesOnHost(Values &a, Values &b, int steps) {
  const int n = int(a.size()), step = 5 * steps + 2;
  int last = 0;
  a[0] = 0;
  for (int i = 1; i < n; ++i) {
    a[i] = 1 + (i >= step && a[i - step] < a[i - 1] ? a[i - step] : a[i - 1]);
    last = a[i] > last ? a[i] : last;
  }
  b = a;
  return last + 1;
}

/// Until what the values change by, all together, is small.
__global__ void halve(const int *in, int *out, int n, float *change) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  out[i] = in[i] / 2;
  atomicAdd(change, float(in[i] - out[i]));
}
static int converges(int *a, int *b, int n, int steps) {
  float *onDevice, change = 100;
  cudaMalloc(&onDevice, sizeof(float));
  int rounds = 0;
  while (change > 10.0f && rounds < steps) {
    cudaMemset(onDevice, 0, sizeof(float));
    halve<<<blocksFor(n), Threads>>>(a, b, n, onDevice);
    cudaMemcpy(&change, onDevice, sizeof(float), cudaMemcpyDeviceToHost);
    std::swap(a, b);
    rounds++;
  }
  cudaFree(onDevice);
  return rounds * 100000 + int(change * 10);
}
static int convergesOnHost(Values &a, Values &b, int steps) {
  Values *in = &a, *out = &b;
  float change = 100;
  int rounds = 0;
  while (change > 10 && rounds < steps) {
    change = 0;
    for (size_t i = 0; i < a.size(); ++i) {
      (*out)[i] = (*in)[i] / 2;
      change += (*in)[i] - (*out)[i];
    }
    std::swap(in, out);
    ++rounds;
  }
  return rounds * 100000 + int(change * 10);
}

/// Fills and copies within the device, one of them of a part.
__global__ void addUp(const int *in, int n, int *sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    atomicAdd(sum, in[i]);
}
__global__ void scatter(int *out, int n, const int *sum) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    out[i] = (out[i] + *sum) % (i + 2);
}
static int copies(int *a, int *b, int n, int steps) {
  int *sum;
  cudaStream_t stream;
  CHECK(cudaMalloc(&sum, sizeof(int)));
  CHECK(cudaStreamCreate(&stream));
  for (int t = 0; t < steps; ++t) {
    CHECK(cudaMemsetAsync(sum, t, sizeof(int), stream));
    addUp<<<blocksFor(n), Threads, 0, stream>>>(a, n, sum);
    scatter<<<blocksFor(n), Threads, 0, stream>>>(b, n, sum);
    CHECK(cudaMemcpyAsync(a, b, (n - n / 3) * sizeof(int),
                          cudaMemcpyDeviceToDevice, stream));
  }
  CHECK(cudaStreamSynchronize(stream));
  for (int t = 0; t < steps; ++t) {
    cudaMemset(sum, 0, sizeof *sum);
    addUp<<<blocksFor(n), Threads>>>(a, n, sum);
    scatter<<<blocksFor(n), Threads>>>(b, n, sum);
    if (t % 2)
      cudaMemcpy(a, b, n * sizeof(int), cudaMemcpyDeviceToDevice);
    cudaDeviceSynchronize();
  }
  CHECK(cudaStreamDestroy(stream));
  CHECK(cudaFree(sum));
  return 0;
}
static int copiesOnHost(Values &a, Values &b, int steps) {
  const int n = int(a.size());
  const auto spread = [&](int sum) {
    for (int value : a)
      sum += value;
    for (int i = 0; i < n; ++i)
      b[i] = (b[i] + sum) % (i + 2);
  };
  for (int t = 0; t < steps; ++t) {
    spread(t * 0x01010101);
    std::copy(b.begin(), b.end() - n / 3, a.begin());
  }
  for (int t = 0; t < steps; ++t) {
    spread(0);
    if (t % 2)
      a = b;
  }
  return 0;
}

/// Variables that hide others.
static int shadows(int *a, int *b, int n, int steps) {
  int t = 7, last = 0;
  for (int t = 0; t < steps; ++t) {
    int last = t * 2;
    raise<<<blocksFor(n), Threads>>>(a, n, last);
    {
      int t = last + 1;
      raise<<<blocksFor(n), Threads>>>(b, n, t);
    }
  }
  return t + last;
}
static int shadowsOnHost(Values &a, Values &b, int steps) {
  for (int t = 0; t < steps; ++t) {
    raiseOnHost(a, t * 2);
    raiseOnHost(b, t * 2 + 1);
  }
  return 7;
}

/// Conditions with side effects.
static int conditions(int *a, int *b, int n, int steps) {
  int i = 0, j = steps * 2;
  for (; i++ < steps && --j;)
    raise<<<blocksFor(n), Threads>>>(a, n, i * 10 + j);
  int k = 3;
  do {
    if ((k & 1) && steps > 1 || k == 2)
      raise<<<blocksFor(n), Threads>>>(b, n, k);
  } while (k-- > 0);
  unsigned u = steps;
  while (u-- > 0)
    raise<<<blocksFor(n), Threads>>>(b, n, int(u));
  return i * 100 + j * 10 + k + int(u);
}
static int conditionsOnHost(Values &a, Values &b, int steps) {
  int i = 0, j = steps * 2;
  for (; i++ < steps && --j;)
    raiseOnHost(a, i * 10 + j);
  int k = 3;
  do {
    if ((k & 1) && steps > 1 || k == 2)
      raiseOnHost(b, k);
  } while (k-- > 0);
  unsigned u = steps;
  while (u-- > 0)
    raiseOnHost(b, int(u));
  return i * 100 + j * 10 + k + int(u);
}

/// Parts of numbers.
static int bytes(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    cudaMemset(a, -1 - t, n * 4 - 1);
    raise<<<blocksFor(n), Threads>>>(a, n, t);
    raise<<<blocksFor(n), Threads>>>(b, n, t);
    cudaMemcpy(b, a, n * 4 - 3, cudaMemcpyDeviceToDevice);
  }
  return 0;
}
static int bytesOnHost(Values &a, Values &b, int steps) {
  for (int t = 0; t < steps; ++t) {
    memset(a.data(), -1 - t, a.size() * 4 - 1);
    raiseOnHost(a, t);
    raiseOnHost(b, t);
    memcpy(b.data(), a.data(), a.size() * 4 - 3);
  }
  return 0;
}

/// A counter that may be left out: CUDA refuses to fill it, and nobody minds.
__global__ void raiseAndCount(int *p, int n, int by, int *count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n)
    return;
  p[i] += by;
  if (count)
    atomicAdd(count, 1);
}
static void raiseSomeTimes(int *p, int *count, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    cudaMemset(count, 0, sizeof(int));
    raiseAndCount<<<blocksFor(n), Threads>>>(p, n, t, count);
  }
  cudaDeviceSynchronize();
  cudaGetLastError();
}
static int leftOut(int *a, int *, int n, int steps) {
  raiseSomeTimes(a, nullptr, n, steps);
  return 0;
}
static int leftOutOnHost(Values &a, Values &, int steps) {
  for (int t = 0; t < steps; ++t)
    raiseOnHost(a, t);
  return 0;
}

/// Both are filled in turn.
static int fillsInTurn(int *a, int *b, int n, int steps) {
  for (int t = 0; t < steps; ++t) {
    cudaMemset(a, t, n * sizeof(int));
    mix<<<blocksFor(n), Threads>>>(b, a, n, t);
    std::swap(a, b);
  }
  return 0;
}
static int fillsInTurnOnHost(Values &a, Values &b, int steps) {
  Values *to = &a, *from = &b;
  for (int t = 0; t < steps; ++t) {
    for (int &each : *to)
      each = t * 0x01010101;
    mixOnHost(*from, *to, t);
    std::swap(to, from);
  }
  return 0;
}

/// The host looks in some rounds only.
static int residual(int *a, int *b, int n, int steps) {
  int left = 100, k;
  for (k = 0; k < 20; ++k) {
    raise<<<blocksFor(n), Threads>>>(a, n, -1);
    if (k % 3 == 2) {
      cudaMemcpy(&left, a, sizeof(int), cudaMemcpyDeviceToHost);
      if (left < -steps)
        break;
    }
    raise<<<blocksFor(n), Threads>>>(b, n, left);
  }
  return left * 100 + k;
}
static int residualOnHost(Values &a, Values &b, int steps) {
  int left = 100, k;
  for (k = 0; k < 20; ++k) {
    raiseOnHost(a, -1);
    if (k % 3 == 2) {
      left = a[0];
      if (left < -steps)
        break;
    }
    raiseOnHost(b, left);
  }
  return left * 100 + k;
}

/// In an inner loop that may have no iteration; in one that counts down.
static int waitsInside(int *a, int *b, int n, int steps) {
  int count = 0;
  for (int t = 0; t < steps; ++t) {
    raise<<<blocksFor(n), Threads>>>(a, n, t);
    for (int u = 3; u < t; ++u) {
      raise<<<1, Threads>>>(b, std::min(n, Threads), u);
      cudaDeviceSynchronize();
      count += u;
    }
  }
  while (steps--) {
    raise<<<blocksFor(n), Threads>>>(a, n, steps);
    cudaStreamSynchronize(0);
  }
  return count + steps;
}
static int waitsInsideOnHost(Values &a, Values &b, int steps) {
  int count = 0;
  for (int t = 0; t < steps; ++t) {
    raiseOnHost(a, t);
    for (int u = 3; u < t; ++u) {
      for (size_t i = 0; i < a.size() && i < 32; ++i)
        b[i] += u;
      count += u;
    }
  }
  while (steps--)
    raiseOnHost(a, steps);
  return count + steps;
}

int main() {
  bool right = agree("toggles", toggles, backAndForthOnHost);
  right &= agree("subtracts", subtracts, backAndForthOnHost);
  right &= agree("picks", picks, backAndForthOnHost);
  right &= agree("changesField", changesField, changesFieldOnHost);
  right &= agree("walks", walks, walksOnHost);
  right &= agree("countsInFloat", countsInFloat, countsInFloatOnHost);
  right &= agree("goesOn", goesOn, goesOnOnHost);
  right &= agree("computes", computes, computesOnHost);
  right &= agree("chooses", chooses, choosesOnHost);
  right &= agree("countsDown", countsDown, countsDownOnHost);
  right &= agree("leaves", leaves, leavesOnHost);
  right &= agree("nests", nests, nestsOnHost);
  right &= agree("inStream", inStream, backAndForthOnHost);
  right &= agree("searches", searches, searchesOnHost);
  right &= agree("converges", converges, convergesOnHost);
  right &= agree("copies", copies, copiesOnHost);
  right &= agree("shadows", shadows, shadowsOnHost);
  right &= agree("conditions", conditions, conditionsOnHost);
  right &= agree("bytes", bytes, bytesOnHost);
  right &= agree("leftOut", leftOut, leftOutOnHost);
  right &= agree("fillsInTurn", fillsInTurn, fillsInTurnOnHost);
  right &= agree("residual", residual, residualOnHost);
  right &= agree("waitsInside", waitsInside, waitsInsideOnHost);
  return !right;
}
