// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops of every form that artificial-barrier writes, over sizes below, at and
// above the block's, each kernel checked against the same code run by one
// thread at a time on the host.

#include <cstdio>
#include <cuda_runtime.h>
#include <functional>
#include <vector>

constexpr int Elements = 96;

__global__ void strided(const int *a, int *out, int n) {
  int s = 0;
  for (int i = threadIdx.x; i < n; i += blockDim.x)
    s += a[i];
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

__global__ void downward(const int *a, int *out, int n) {
  int s = 0;
  for (int i = n - 1 - (int)threadIdx.x; i >= 0; i -= blockDim.x) {
    if (a[i] % 3 == 0)
      continue;
    s += a[i];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

__global__ void breaks(const int *a, int *out, int n) {
  int s = 0;
  for (unsigned i = threadIdx.x; i < (unsigned)n; i += 2) {
    if (a[i] % 7 == 0)
      break;
    if (a[i] % 5 == 0)
      continue;
    s += a[i];
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

__global__ void collatz(const int *a, int *out, int n) {
  int t = threadIdx.x, steps = 0;
  unsigned v = n ? a[t % n] + 1 : 1;
  while (v != 1 && steps < 200) {
    v = v % 2 ? 3 * v + 1 : v / 2;
    steps += 1 + a[steps % 96] % 2;
  }
  out[blockIdx.x * blockDim.x + t] = steps;
}

__global__ void atLeastOnce(const int *a, int *out, int n) {
  int i = threadIdx.x, s = 0;
  do {
    s += a[i];
    if (s % 11 == 0)
      continue;
    s += 1;
  } while (++i < n);
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

__global__ void guarded(const int *a, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    const int *row = a + i / 2;
    int s = 0;
    for (int k = 0; k < n / 2; k++) {
      s += row[k];
    }
    out[i] = s;
  } else {
    out[i] = -1;
  }
}

__global__ void guardedTwice(const int *a, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 0;
  if (i < n) {
    int start = a[i] % 8;
    if (start % 2 == 0) {
      int end = start + a[i] % 16, s = 0;
      for (int j = start; j < end; j++)
        s += a[j];
      out[i] = s;
    }
    out[i] += 1;
  }
}

__global__ void early(const int *a, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = -2;
  if (i >= n)
    return;
  int s = 0;
  for (int k = 0; k < 8; ++k) {
    s += a[(i + k) % 96];
  }
  out[i] = s;
}

__global__ void once(const int *a, int *out, int n) {
  int i = threadIdx.x, s = 0, calls = 0;
  while (++calls, i < n && a[i] % 13 != 0) {
    s += a[i];
    i += 3;
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = s * 100 + calls;
}

// Two loops under one condition.
__global__ void guardedPair(const int *a, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = -1;
  if (i % 3 != 0 && i < n) {
    out[i] = a[i];
    int k;
    for (k = 0; k < n / 3; k++)
      out[i] += a[i + k];
    int last = out[i] % 16;
    for (k = last; k < n / 2; k++)
      out[i] ^= a[k + last];
  }
}

// Only a break ends these: who is done, or never came, must not run the body.
__global__ void forever(const int *a, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, s = 0;
  if (i % 3 != 0) {
    for (int k = i % 5;; k += 3) {
      s += a[k];
      if (k >= n / 2)
        break;
      s ^= a[k + 1];
    }
  }
  for (int k = i % 7;; ++k) {
    s = s / 2 + a[k];
    if (a[k] % 4 == 0)
      break;
  }
  out[i] = s;
}

// Loops in every branch, which the threads of a block run in turn.
__global__ void branches(const int *a, int *out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i % 2) {
    int s = a[i];
    for (int k = i % 5; k < n; k += 3)
      s += a[k];
    out[i] = s;
  } else if (i < n) {
    int s = 1;
    for (int k = 0; k < n / 2; ++k) {
      if (a[k] % 19 == 0)
        break;
      s = s / 2 + a[k];
    }
    out[i] = s;
  } else
    for (out[i] = 5; out[i] < n; out[i] += 7)
      out[i] += a[out[i]] % 2;
}

// Uniform loops, a block and a further condition between guard and loop.
template <typename T> __global__ void deep(const T *a, T *out, T n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = 0;
  if (i < n) {
    const T first = a[i];
    T s = first;
    for (int j = 0; j < 3; ++j) {
      T t = j;
      for (int k = j; k < n / 4; ++k)
        t += a[k];
      {
        T u = a[j + i % 2];
        for (int k = 0; k < 4; ++k)
          u ^= a[k] + s;
        t += u;
      }
      s += t;
    }
    if (first % 4 == 0) {
      for (int j = 0; j < n; j += 40)
        for (int k = 0; k < 3; ++k)
          s -= a[j + k];
    } else {
      s *= 2;
    }
    out[i] = s - first;
  } else {
    out[i] = 7;
  }
}

using Host = std::function<int(const std::vector<int> &, int, int, int)>;

static bool check(const char *name, void (*kernel)(const int *, int *, int),
                  const Host &host) {
  std::vector<int> a(2 * Elements);
  unsigned state = 12345;
  for (int &v : a)
    v = (state = state * 1664525u + 1013904223u) >> 20;
  int *deviceA, *deviceOut;
  cudaMalloc(&deviceA, a.size() * sizeof(int));
  cudaMemcpy(deviceA, a.data(), a.size() * sizeof(int), cudaMemcpyHostToDevice);
  bool right = true;
  for (int threads : {1, 33, 64})
    for (int n : {0, 1, 31, 32, 33, 64, 96}) {
      int total = 2 * threads;
      std::vector<int> out(total, 0x5a5a5a5a);
      cudaMalloc(&deviceOut, total * sizeof(int));
      cudaMemcpy(deviceOut, out.data(), total * sizeof(int),
                 cudaMemcpyHostToDevice);
      kernel<<<2, threads>>>(deviceA, deviceOut, n);
      cudaMemcpy(out.data(), deviceOut, total * sizeof(int),
                 cudaMemcpyDeviceToHost);
      cudaFree(deviceOut);
      for (int i = 0; i < total; ++i)
        if (int want = host(a, i, threads, n); out[i] != want && right) {
          std::printf("%s, %d threads, n = %d: out[%d] is %d, not %d\n", name,
                      threads, n, i, out[i], want);
          right = false;
        }
    }
  cudaFree(deviceA);
  return right;
}

int main() {
  bool right = true;
  right &= check("strided", strided, [](auto &a, int i, int threads, int n) {
    int s = 0;
    for (int k = i % threads; k < n; k += threads)
      s += a[k];
    return s;
  });
  right &= check("downward", downward, [](auto &a, int i, int threads, int n) {
    int s = 0;
    for (int k = n - 1 - i % threads; k >= 0; k -= threads)
      s += a[k] % 3 ? a[k] : 0;
    return s;
  });
  right &= check("breaks", breaks, [](auto &a, int i, int threads, int n) {
    int s = 0;
    for (int k = i % threads; k < n && a[k] % 7; k += 2)
      s += a[k] % 5 ? a[k] : 0;
    return s;
  });
  right &= check("collatz", collatz, [](auto &a, int i, int threads, int n) {
    int steps = 0;
    unsigned v = n ? a[i % threads % n] + 1 : 1;
    for (; v != 1 && steps < 200; steps += 1 + a[steps % 96] % 2)
      v = v % 2 ? 3 * v + 1 : v / 2;
    return steps;
  });
  right &=
      check("atLeastOnce", atLeastOnce, [](auto &a, int i, int threads, int n) {
        int k = i % threads, s = 0;
        do {
          s += a[k];
          s += s % 11 ? 1 : 0;
        } while (++k < n);
        return s;
      });
  right &= check("guarded", guarded, [](auto &a, int i, int, int n) {
    int s = i < n ? 0 : -1;
    for (int k = 0; i < n && k < n / 2; k++)
      s += a[i / 2 + k];
    return s;
  });
  right &= check("guardedTwice", guardedTwice, [](auto &a, int i, int, int n) {
    if (i >= n)
      return 0;
    int start = a[i] % 8, s = 0;
    for (int j = start; start % 2 == 0 && j < start + a[i] % 16; j++)
      s += a[j];
    return s + 1;
  });
  right &= check("early", early, [](auto &a, int i, int, int n) {
    int s = i < n ? 0 : -2;
    for (int k = 0; i < n && k < 8; ++k)
      s += a[(i + k) % 96];
    return s;
  });
  right &= check("once", once, [](auto &a, int i, int threads, int n) {
    int k = i % threads, s = 0, calls = 1;
    for (; k < n && a[k] % 13 != 0; k += 3, ++calls)
      s += a[k];
    return s * 100 + calls;
  });
  right &= check("guardedPair", guardedPair, [](auto &a, int i, int, int n) {
    if (i % 3 == 0 || i >= n)
      return -1;
    int s = a[i];
    for (int k = 0; k < n / 3; k++)
      s += a[i + k];
    for (int k = s % 16, last = k; k < n / 2; k++)
      s ^= a[k + last];
    return s;
  });
  right &= check("forever", forever, [](auto &a, int i, int, int n) {
    int s = 0, k = i % 5;
    for (; i % 3 && k < n / 2; k += 3)
      s = (s + a[k]) ^ a[k + 1];
    s += i % 3 ? a[k] : 0;
    for (k = i % 7, s = s / 2 + a[k]; a[k] % 4;)
      s = s / 2 + a[++k];
    return s;
  });
  right &= check("branches", branches, [](auto &a, int i, int, int n) {
    int s = i % 2 ? a[i] : i < n ? 1 : 5;
    if (i % 2)
      for (int k = i % 5; k < n; k += 3)
        s += a[k];
    else if (i < n)
      for (int k = 0; k < n / 2 && a[k] % 19 != 0; ++k)
        s = s / 2 + a[k];
    else
      for (; s < n; s += 7)
        s += a[s] % 2;
    return s;
  });
  right &= check("deep", deep<int>, [](auto &a, int i, int, int n) {
    if (i >= n)
      return 7;
    int s = a[i];
    for (int j = 0; j < 3; ++j) {
      int t = j, u = a[j + i % 2];
      for (int k = j; k < n / 4; ++k)
        t += a[k];
      for (int k = 0; k < 4; ++k)
        u ^= a[k] + s;
      s += t + u;
    }
    for (int j = 0; a[i] % 4 == 0 && j < n; j += 40)
      for (int k = 0; k < 3; ++k)
        s -= a[j + k];
    return (a[i] % 4 ? 2 * s : s) - a[i];
  });
  return !right;
}
