// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops within loops that the threads leave at different times, over sizes
// below, at and above the block's. Prints what each thread has seen, in order;
// a rewrite must print the same.

#include "seen.h"

__global__ void triangle(const int *a, int *out, int n, int m) {
  int s = 0;
  for (int j = 0; j < (int)threadIdx.x % 13; ++j)
    for (int k = 0; k < n / 16; ++k)
      s = mix(s, a, k * 8 + j);
  out[GID] = s;
}

// As PolyBench's covariance: rows under a guard, each from the diagonal on.
__global__ void diagonal(const int *a, int *out, int n, int m) {
  int i, j2, j1 = GID;
  out[GID] = -1;
  if (j1 < m) {
    for (j2 = j1; j2 < m; j2++) {
      int s = j2;
      for (i = 0; i < n / 8; i++) {
        s = mix(s, a, i * m + j2);
      }
      out[GID] = out[GID] * 3 + s;
    }
  }
}

// As Rodinia's heartwall: rows shared out among the threads.
__global__ void rows(const int *a, int *out, int n, int m) {
  int row = threadIdx.x, position, s = 0;
  while (row < n) {
    int start = row * m;
    int sum = 0;
    for (position = start; position < start + m; position = position + 1) {
      sum = mix(sum, a, position);
    }
    s ^= sum;
    row = row + 32;
  }
  out[GID] = s;
}

// Each way of going on and of leaving, behind the inner loop.
__global__ void leaves(const int *a, int *out, int n, int m) {
  int s = 0;
  for (unsigned j = threadIdx.x;; j += 3) {
    int t = a[j % Elements];
    for (int k = 0; k < m; ++k) {
      if (a[(j + k) % Elements] % 9 == 0)
        break;
      if (a[(j + k) % Elements] % 5 == 0)
        continue;
      t = mix(t, a, j + k);
    }
    switch (t & 3) {
    case 0:
      s += 1;
      break;
    case 1:
      continue;
    }
    if (t % 11 == 0)
      break;
    if (t % 7 == 0)
      continue;
    if (j > (unsigned)n)
      break;
    s = s * 5 + t;
  }
  out[GID] = s;
}

// Inner loops of all kinds, one after the other and under conditions, in a do.
__global__ void several(const int *a, int *out, int n, int m) {
  int s = 0, j = threadIdx.x;
  do {
    int k = a[j % Elements] % 4;
    while (k < m) {
      s = mix(s, a, k++);
      if (s % 17 == 0)
        break;
    }
    do
      s = mix(s, a, ++k);
    while (k < m + j % 3);
    if (j % 2) {
      int odd = s % 8;
      for (k = odd; k < m; k += 2)
        s = mix(s, a, k);
    } else if (s % 3) {
      for (int l = s & 7; l > 0; --l)
        s = mix(s, a, l);
    } else {
      s += k;
    }
    s += k;
  } while ((j += 7) < n);
  out[GID] = s * 3 + j;
}

// Three deep; the middle one counts the same for all threads.
__global__ void deep(const int *a, int *out, int n, int m) {
  int s = 0;
  for (int j = threadIdx.x; j < n; j += 40) {
    s += j;
    for (int l = 0; l < m; l += 3) {
      int from = a[l % Elements] % 3;
      for (int k = from; k < 5; ++k)
        s = mix(s, a, j + k);
      s ^= l;
    }
    if (s % 4 == 1)
      break;
    for (int l = s & 3; l < 6; ++l)
      for (int k = j % 3; k < 4; ++k)
        s = mix(s, a, l + k);
  }
  out[GID] = s;
}

// Threads go on or leave before the inner loops, which they come to anyhow.
__global__ void skips(const int *a, int *out, int n, int m) {
  int s = 0, tests = 0;
  for (int j = threadIdx.x, last = 9; j < n; j += 4) {
    if (++tests, a[j % Elements] % 3 == 0)
      continue;
    int first = a[(j + 1) % Elements];
    if (first % 11 == 0) {
      break;
    }
    s += first;
    for (int k = 0; k < m; ++k)
      s = mix(s, a, j + k);
    s ^= first;
    if (s % 4)
      continue;
    for (last = 0; last < m; ++last)
      s = mix(s, a, first + last);
    if (s % 5 == 0)
      break;
    s += last;
  }
  out[GID] = s * 10 + tests;
}

// The variable of the outer header keeps its value where an iteration is
// skipped.
__global__ void skipsAndKeeps(const int *a, int *out, int n, int m) {
  int s = 0, j = threadIdx.x;
  do {
    s = s * 3 + 1;
    if (j % 3 == 1)
      continue;
    int t = s % 4;
    for (int l = 0; l < m; ++l)
      for (int k = t; k < 5; ++k)
        s = mix(s, a, l + k);
    if (m == 5) {
      if (s % 3)
        continue;
    }
    s += 2;
  } while ((j += 5) < n);
  for (int i = threadIdx.x, k = 7; i < n; i += 9) {
    s = s * 5 + k;
    if (a[i % Elements] % 2)
      continue;
    for (k = 0; k < m; ++k)
      s = mix(s, a, k);
  }
  out[GID] = s;
}

// Conditions and steps with side effects are evaluated as often as before.
__global__ void effects(const int *a, int *out, int n, int m) {
  int s = 0, tests = 0, steps = 0;
  for (int j = threadIdx.x; ++tests, j < n && a[j % Elements] % 13;
       j += 5, ++steps) {
    int k = 0;
    while (++tests, k < m && a[(j + k) % Elements] % 6) {
      s = mix(s, a, j + k);
      ++k;
    }
    s += k;
  }
  out[GID] = s * 100 + tests * 10 + steps;
}

// What is set before a loop is kept where only some threads come to the loop.
__global__ void keeps(const int *a, int *out, int n, int m) {
  int s = 0;
  for (int j = threadIdx.x; j < n; j += 9) {
    int k = 5, l = 7;
    if (a[j % Elements] % 2)
      for (k = 0; k < m; ++k)
        s = mix(s, a, j + k);
    if (a[j % Elements] % 3)
      for (l = 0; l < m; ++l)
        for (int i = 0; i < 3; ++i)
          s = mix(s, a, l + i);
    s = s * 11 + k + l;
  }
  out[GID] = s;
}

// The same in a guard that is no loop.
__global__ void keepsUnderGuard(const int *a, int *out, int n, int m) {
  int i = GID;
  out[i] = -3;
  if (i < n) {
    int k = 5, l = 7, s = 0;
    if (m > 2)
      for (l = 0; l < n / 9; ++l)
        s = mix(s, a, l);
    if (a[i % Elements] % 2)
      for (k = 0; k < m; ++k)
        s = mix(s, a, k);
    if (m > 4)
      for (l = 0; l < n / 9; ++l)
        for (int j = 0; j < 2; ++j)
          s = mix(s, a, l + j);
    out[i] = s * 11 + k * 3 + l;
  }
}

// A search tree in every thread: the levels differ, and the steps on each.
template <typename T> __device__ T walk(const T *a, T from, T n, int m) {
  T s = 0;
  for (T j = from; j < n; j = 2 * j + 1 + a[j % Elements] % 2) {
    T t = j % 5;
    while (t < T(m)) {
      s = s * 31 + a[(j + t) % Elements];
      t += 1 + a[t] % 2;
    }
    if (s == 77)
      break;
  }
  return s;
}
__global__ void called(const int *a, int *out, int n, int m) {
  out[GID] = walk<int>(a, threadIdx.x, n, m);
}

// Threads that return before the loops.
__global__ void early(const int *a, int *out, int n, int m) {
  int s = 0, i = GID;
  out[i] = -2;
  if (i >= n)
    return;
  for (int j = i; j > 0; j /= 2) {
    for (int k = 0; k < m; ++k)
      s = mix(s, a, j + k);
    s += j;
  }
  out[i] = s;
}

static void print(const char *name, Kernel kernel, const int *a) {
  printSeen(name, kernel, a, {2}, {0, 1, 32, 64, 65, 130}, {0, 1, 5});
}

int main() {
  const int *a = deviceValues();
  print("triangle", triangle, a);
  print("diagonal", diagonal, a);
  print("rows", rows, a);
  print("leaves", leaves, a);
  print("several", several, a);
  print("deep", deep, a);
  print("skips", skips, a);
  print("skipsAndKeeps", skipsAndKeeps, a);
  print("effects", effects, a);
  print("keeps", keeps, a);
  print("keepsUnderGuard", keepsUnderGuard, a);
  print("called", called, a);
  print("early", early, a);
  return 0;
}
