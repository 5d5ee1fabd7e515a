// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nested loops written in odd ways, over sizes below, at and above the block's.
// Prints what each thread has seen, in order; a rewrite must print the same.

#include "seen.h"

// The inner loop steps the outer one's counter.
__global__ void changesOuter(const int *a, int *out, int n, int m) {
  int s = 0;
  for (int j = threadIdx.x; j < n; j += 2)
    for (int k = 0; k < m; ++k, j += a[k] % 2)
      s = mix(s, a, j + k);
  out[GID] = s;
}

// Names that mean another thing in each block.
__global__ void shadows(const int *a, int *out, int n, int m) {
  int s = 0, t = 3;
  for (int j = threadIdx.x; j < n; j += 5) {
    int t = a[j % Elements] % 4;
    for (int k = t; k < m; ++k) {
      int t = k * 2;
      s = mix(s, a, t);
    }
    s += t;
  }
  out[GID] = s + t;
}

// What a condition assigns is used after it.
__global__ void assignsInConditions(const int *a, int *out, int n, int m) {
  int s = 0, v, j = threadIdx.x;
  while ((v = a[j % Elements]), j < n) {
    int k = 0;
    while (k < m && (v = a[(j + k) % Elements]) % 7)
      s = mix(s, a, v + k++);
    j += 1 + (v & 3);
    s ^= v;
  }
  out[GID] = s + v;
}

// The outer bound is in shared memory, read through a pointer.
__global__ void boundInShared(const int *a, int *out, int n, int m) {
  __shared__ int lim[64];
  int *p = lim + threadIdx.x % 64;
  if (threadIdx.x < 64)
    *p = a[threadIdx.x] % 5;
  __syncthreads();
  int s = 0;
  int *q = &lim[threadIdx.x % 64];
  for (int j = 0; j < *q; ++j) {
    for (int k = 0; k < m; ++k)
      s = mix(s, a, j + k);
  }
  out[GID] = s;
}

// Counters that wrap around.
__global__ void wrapsAround(const int *a, int *out, int n, int m) {
  int s = 0;
  for (unsigned char j = 250 + threadIdx.x % 4; j != 4 + threadIdx.x % 4; ++j)
    for (unsigned k = m; k-- > 0;)
      s = mix(s, a, j + k);
  out[GID] = s;
}

// The outer counter changes through a pointer.
__device__ void bump(int *p) { *p += 3; }
__global__ void throughPointer(const int *a, int *out, int n, int m) {
  int s = 0, j = threadIdx.x;
  int *pj = &j;
  while (*pj < n) {
    for (int k = 0; k < m; ++k)
      s = mix(s, a, j + k);
    bump(pj);
  }
  out[GID] = s + j;
}

// A macro with a continue in it.
#define BODY(x)                                                                \
  {                                                                            \
    s = mix(s, a, x);                                                          \
    if (s % 9 == 0)                                                            \
      continue;                                                                \
    s += 1;                                                                    \
  }
__global__ void bodyInMacro(const int *a, int *out, int n, int m) {
  int s = 0;
  for (int j = threadIdx.x; j < n; j += 6) {
    for (int k = 0; k < m; ++k)
      BODY(j + k)
    s ^= j;
  }
  out[GID] = s;
}

// A loop in each branch of an else-if chain.
__global__ void elseIf(const int *a, int *out, int n, int m) {
  int s = 0;
  for (int j = threadIdx.x; j < n; j += 7)
    if (a[j % Elements] % 3 == 0)
      for (int k = 0; k < m; ++k)
        s = mix(s, a, j + k);
    else if (a[j % Elements] % 3 == 1) {
      int u = s;
      for (int k = 0; k < m; ++k)
        u = mix(u, a, k);
      s ^= u;
    } else
      s -= j;
  out[GID] = s;
}

// A break at each depth.
__global__ void breaksAtEachDepth(const int *a, int *out, int n, int m) {
  int s = 0;
  for (int i = threadIdx.x; i < n; i += 30) {
    for (int j = i % 3; j < m; ++j) {
      for (int k = j; k < 6; ++k) {
        s = mix(s, a, i + j + k);
        if (s % 10 == 3)
          break;
      }
      if (s % 10 == 4)
        break;
      s += 2;
    }
    if (s % 10 == 5)
      break;
    s += 3;
  }
  out[GID] = s;
}

// Only a uniform break ends the loop between guard and loop.
__global__ void uniformForever(const int *a, int *out, int n, int m) {
  int s = 0;
  if (GID % 3) {
    int r = 0;
    while (true) {
      for (int k = r; k < m; ++k)
        s = mix(s, a, k);
      if (++r > m)
        break;
    }
  }
  out[GID] = s;
}

// Another instantiation may have other types.
template <typename T, int K>
__global__ void pattern(const int *a, int *out, int n, int m) {
  T s = 0;
  for (T j = threadIdx.x; j < T(n); j += K)
    for (T k = j % 3; k < T(m); ++k)
      s = mix(s, a, j + k);
  out[GID] = s;
}
template __global__ void pattern<int, 5>(const int *, int *, int, int);

// Constants of an iteration.
__global__ void constants(const int *a, int *out, int n, int m) {
  int s = 0;
  for (int j = threadIdx.x; j < n; j += 11) {
    const int base = a[j % Elements], lim = base % 5 + m;
    static const int step = 2;
    for (int k = base % 2; k < lim; k += step)
      s = mix(s, a, base + k);
    s += lim;
  }
  out[GID] = s;
}

// A block of the macro writer's before the loop, left by a break.
__global__ void wrapperBefore(const int *a, int *out, int n, int m) {
  int s = 0;
  for (int j = threadIdx.x; j < n; j += 9) {
    do {
      if (a[j % Elements] % 2)
        break;
      s += 5;
    } while (0);
    for (int k = 0; k < m; ++k)
      s = mix(s, a, j + k);
  }
  out[GID] = s;
}

// The same around the loop.
__global__ void wrapperAround(const int *a, int *out, int n, int m) {
  int s = 0;
  for (int j = threadIdx.x; j < n; j += 9) {
    do {
      for (int k = 0; k < m; ++k)
        s = mix(s, a, j + k);
      if (s % 2)
        break;
      s += 5;
    } while (0);
  }
  out[GID] = s;
}

// A switch, a loop in it, and jumps to each of them.
__global__ void switchInside(const int *a, int *out, int n, int m) {
  int s = 0;
  for (int j = threadIdx.x; j < n; j += 9)
    for (int k = 0; k < m; ++k) {
      switch (a[(j + k) % Elements] % 4) {
      case 0:
        s += 1;
        break;
      case 1:
        continue;
      case 2:
        for (int l = 0; l < 2; ++l) {
          if (s % 3)
            continue;
          s = mix(s, a, l);
          break;
        }
      default:
        s = mix(s, a, k);
      }
      if (s % 13 == 0)
        break;
    }
  out[GID] = s;
}

// The bound is in memory that the kernel writes.
__global__ void boundInMemory(const int *a, int *out, int n, int m) {
  int s = 0;
  out[GID] = GID % 5;
  for (int j = 0; j < out[GID]; ++j) {
    for (int k = 0; k < m; ++k)
      s = mix(s, a, j + k);
  }
  out[GID] += s;
}

// The inner counter outlives both loops.
__global__ void counterOutlives(const int *a, int *out, int n, int m) {
  int s = 0, k = -1;
  for (int j = threadIdx.x; j < n; j += 9) {
    if (a[j % Elements] % 2) {
      for (k = 0; k < m; ++k) {
        s = mix(s, a, j + k);
        if (s % 5 == 0)
          break;
      }
    }
    s = s * 3 + k;
  }
  out[GID] = s + k;
}

__global__ void pointers(const int *a, int *out, int n, int m) {
  int s = 0;
  for (const int *p = a + threadIdx.x % 32; p < a + n % 64; p += 7)
    for (const int *q = p; q < p + m; ++q)
      s = s * 31 + *q;
  out[GID] = s;
}

__global__ void floats(const int *a, int *out, int n, int m) {
  int s = 0;
  for (float x = threadIdx.x; x > 0.5f; x *= 0.5f)
    for (float y = x; y < m; y += 1.5f)
      s = mix(s, a, unsigned(y));
  out[GID] = s;
}

// A device function that changes its caller's variable.
__device__ void work(const int *a, int &s, int j, int m) {
  while (j > 0) {
    for (int k = 0; k < m; ++k)
      s = mix(s, a, j + k);
    j -= 1 + j % 3;
  }
}
__global__ void byReference(const int *a, int *out, int n, int m) {
  int s = 1;
  work(a, s, threadIdx.x % 9, m);
  work(a, s, (threadIdx.x + n) % 7, m);
  out[GID] = s;
}

// Increments that choose.
__global__ void conditionalSteps(const int *a, int *out, int n, int m) {
  int s = 0;
  for (int j = threadIdx.x; j < n; a[j % Elements] % 2 ? j += 3 : j += 5)
    for (int k = 0; k < m; k += a[k] % 2 ? 1 : 2)
      s = mix(s, a, j + k);
  out[GID] = s;
}

// A guard's condition with a side effect.
__global__ void guardCounts(const int *a, int *out, int n, int m) {
  int s = 0, c = 0;
  for (int j = threadIdx.x; j < n; j += 9)
    if (++c, a[j % Elements] % 2)
      for (int k = 0; k < m; ++k)
        s = mix(s, a, j + k);
  out[GID] = s * 10 + c;
}

// Nothing in the headers.
__global__ void emptyHeaders(const int *a, int *out, int n, int m) {
  int s = 0, j = threadIdx.x, k;
  for (;;) {
    for (k = 0;;) {
      if (k >= m)
        break;
      s = mix(s, a, j + k++);
    }
    if (j >= n)
      break;
    j += 8;
  }
  out[GID] = s;
}

// Counters that are fields.
struct P {
  int x, y;
};
__global__ void fields(const int *a, int *out, int n, int m) {
  int s = 0;
  P p;
  for (p.x = threadIdx.x, p.y = 0; p.x < n; p.x += 9)
    for (p.y = 0; p.y < m; ++p.y)
      s = mix(s, a, p.x + p.y);
  out[GID] = s + p.x + p.y;
}

// Counters that are elements.
__global__ void elements(const int *a, int *out, int n, int m) {
  int s = 0, c[2] = {int(threadIdx.x), 0};
  while (c[0] < n) {
    for (c[1] = 0; c[1] < m; ++c[1])
      s = mix(s, a, c[0] + c[1]);
    c[0] += 9;
  }
  out[GID] = s + c[0] + c[1];
}

template <bool B>
__global__ void ifConstexpr(const int *a, int *out, int n, int m) {
  int s = 0;
  for (int j = threadIdx.x; j < n; j += 9) {
    if constexpr (B) {
      for (int k = 0; k < m; ++k)
        s = mix(s, a, j + k);
    } else
      s += j;
  }
  out[GID] = s;
}
template __global__ void ifConstexpr<true>(const int *, int *, int, int);

// Threads that return before the loops, and a break in a branch without one.
__global__ void earlyAndElse(const int *a, int *out, int n, int m) {
  int s = 0;
  out[GID] = -4;
  if (GID >= n)
    return;
  if (a[GID % Elements] % 2) {
    for (int j = GID % 4; j < m; ++j) {
      if (a[j] % 3) {
        for (int k = 0; k < m; ++k)
          s = mix(s, a, j + k);
      } else {
        s += 2;
        if (s > 1000)
          break;
      }
    }
  }
  out[GID] = s;
}

// The user's own variables have the names of the flags.
__global__ void takenNames(const int *a, int *out, int n, int m) {
  int s = 0;
  int active = 0, staying = 1, inside = 2;
  for (int j = threadIdx.x; j < n; j += 9) {
    if (j % 2)
      for (int k = 0; k < m; ++k)
        s = mix(s, a, j + k + active + staying + inside);
    ++inside;
    staying ^= 3;
  }
  out[GID] = s + inside + staying + active;
}

// A directive within the outer loop, which then takes the barrier itself.
__global__ void directive(const int *a, int *out, int n, int m) {
  int s = 0;
  for (int j = threadIdx.x; j < n; j += 9) {
#if __CUDA_ARCH__ >= 900
    s += 1;
#endif
    for (int k = 0; k < m; ++k)
      s = mix(s, a, j + k);
  }
  out[GID] = s;
}

// Loops behind the inner one, in a switch.
__global__ void loopsInSwitch(const int *a, int *out, int n, int m) {
  int s = 0;
  for (int j = threadIdx.x; j < n; j += 9) {
    for (int k = 0; k < m; ++k)
      s = mix(s, a, j + k);
    switch (s % 4) {
    case 0: {
      for (int k = 0; k < m; ++k) {
        s = mix(s, a, k);
        if (s & 1)
          break;
      }
      break;
    }
    case 1:
      s++;
    default:
      break;
    }
    if (s % 6 == 0) {
      s++;
      {
        if (j > 3)
          break;
      }
    }
  }
  out[GID] = s;
}

// Counters of several widths.
__global__ void widths(const int *a, int *out, int n, int m) {
  int s = 0;
  for (long long j = (long long)threadIdx.x - 5; j < n; j += 9)
    for (short k = short(j); k < j + m; ++k)
      s = mix(s, a, k);
  out[GID] = s;
}
static void print(const char *name, Kernel kernel, const int *a) {
  printSeen(name, kernel, a, {2}, {0, 1, 33, 70}, {0, 1, 5});
}

#define RUN(kernel) print(#kernel, kernel, a)
int main() {
  const int *a = deviceValues();
  RUN(changesOuter);
  RUN(shadows);
  RUN(assignsInConditions);
  RUN(boundInShared);
  RUN(wrapsAround);
  RUN(throughPointer);
  RUN(bodyInMacro);
  RUN(elseIf);
  RUN(breaksAtEachDepth);
  RUN(uniformForever);
  print("pattern", pattern<int, 5>, a);
  RUN(constants);
  RUN(wrapperBefore);
  RUN(wrapperAround);
  RUN(switchInside);
  RUN(boundInMemory);
  RUN(counterOutlives);
  RUN(pointers);
  RUN(floats);
  RUN(byReference);
  RUN(conditionalSteps);
  RUN(guardCounts);
  RUN(emptyHeaders);
  RUN(fields);
  RUN(elements);
  print("ifConstexpr", ifConstexpr<true>, a);
  RUN(earlyAndElse);
  RUN(takenNames);
  RUN(directive);
  RUN(loopsInSwitch);
  RUN(widths);
  return 0;
}
