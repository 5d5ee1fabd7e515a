// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Loops that wait for what another thread writes, without anything that orders
// memory: compilers may read it once, but often do not.
//
// RUN: %barricade --explain --min-memory-ratio=0 --min-instructions=0 %s 2>&1 | FileCheck %s

// The thread that ends it would stand at the vote.
__global__ void polls(const int *a, int *out, int *flag) {
  // CHECK: :[[#@LINE+1]]:3: remark: while loop cannot take
  while (*flag == 0 && threadIdx.x != 5) // CHECK: [spin-wait]
    out[threadIdx.x] += a[threadIdx.x];
  if (threadIdx.x == 5)
    *flag = 1;
}

__device__ void raise(int *flag) { *flag = 1; }
__device__ int look(const int *flag) { return *flag; }

__global__ void pollsByVariable(const int *a, int *out, int *flag) {
  bool done = threadIdx.x == 5;
  // CHECK: :[[#@LINE+1]]:3: remark: while loop cannot take
  while (!done) { // CHECK: [spin-wait]
    out[threadIdx.x] += a[threadIdx.x];
    const int seen = look(flag);
    if (seen)
      done = true;
  }
  raise(flag);
}

__global__ void leaves(const int *a, int *out) {
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0;; ++k) { // CHECK: [spin-wait]
    out[threadIdx.x] += a[k];
    if (threadIdx.x == 5 || out[400] != 0)
      break;
  }
  out[400] = 1;
}

// It is not read in every iteration, so that it cannot be read ahead of them.
__global__ void pollsWhereNeeded(const int *a, int *out, float *limit, int k) {
  // CHECK: :[[#@LINE+1]]:3: remark: while loop cannot take
  while (a[k] > 0 && threadIdx.x + *limit > 5) { // CHECK: [spin-wait]
    out[threadIdx.x] += a[k];
    k = k * 2 & 1023;
  }
  *limit = 3;
}

// What the loop does not store as cannot change, so that it is read once, should
// both pointers lead to one place.
// CHECK: :[[#@LINE+3]]:3: warning: memory-bound while loop can take
__global__ void ofOtherType(const int *a, int *out, const float *limit,
                            float *next, int k) {
  while (k < *limit) {
    out[threadIdx.x] += a[k];
    k = k * 2 + 1;
  }
  *next = 3;
}

// What is read decides nothing.
// CHECK: :[[#@LINE+2]]:3: warning: memory-bound while loop can take
__global__ void decidesNothing(const int *__restrict__ next, int *out, int k) {
  while (k >= 0) {
    out[threadIdx.x] += k;
    k = next[k];
  }
}

// A thread's own variable.
// CHECK: :[[#@LINE+3]]:3: warning: memory-bound while loop can take
__global__ void ownVariable(const int *__restrict__ a, int *out, int n) {
  int k = threadIdx.x;
  while (k < n) {
    out[threadIdx.x] += a[k];
    k = k * 2 + threadIdx.x;
  }
}

// Read before the loop, once.
// CHECK: :[[#@LINE+3]]:3: warning: memory-bound for loop can take
__global__ void readBefore(const int *__restrict__ a, int *out, int n) {
  const int end = out[0];
  for (int k = out[1]; k != end + n; k += 3)
    out[threadIdx.x] += a[k];
}

// Nothing is stored, but each iteration reads another element.
__global__ void pollsInTurns(const int *a, int *out, int *flag) {
  int i = 0, s = 0, t = threadIdx.x;
  // CHECK: :[[#@LINE+1]]:3: remark: while loop cannot take
  while (flag[i & 1] == 0 && t != 5) { // CHECK: [spin-wait]
    s += a[i * 256 + t];
    ++i;
  }
  if (t == 5) {
    atomicExch(flag, 1);
    atomicExch(flag + 1, 1);
  }
  out[t] = s;
}

__device__ bool isRaised(const int *flag, int i) { return flag[i & 1] != 0; }

__global__ void pollsByCall(const int *a, int *out, int *flag) {
  int i = 0, s = 0;
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (;; i += 2) { // CHECK: [spin-wait]
    if (threadIdx.x == 5 || isRaised(flag, i))
      break;
    s += a[i * 256 + threadIdx.x];
  }
  raise(flag);
  out[threadIdx.x] = s;
}

__global__ void pollsByPointer(const int *a, int *out, int *flag) {
  const int *seen = flag;
  int s = 0, t = threadIdx.x;
  // CHECK: :[[#@LINE+1]]:3: remark: while loop cannot take
  while (*seen == 0 && t != 5) { // CHECK: [spin-wait]
    s += a[*seen * 256 + t];
    seen = seen == flag ? flag + 1 : flag;
  }
  if (t == 5)
    flag[0] = flag[1] = 1;
  out[t] = s;
}

// Where the write goes cannot be seen.
__global__ void pollsBehindPointers(const int *a, int *out, const int *flag,
                                    int **raised) {
  int i = 0, s = 0, t = threadIdx.x;
  // CHECK: :[[#@LINE+1]]:3: remark: while loop cannot take
  while (flag[i & 1] == 0 && t != 5) { // CHECK: [spin-wait]
    s += a[i * 256 + t];
    ++i;
  }
  if (t == 5)
    raised[0][0] = raised[0][1] = 1;
  out[t] = s;
}

__global__ void pollsByGoto(const int *a, int *out, int *flag) {
  int i = 0, s = 0, t = threadIdx.x;
again:
  if (flag[i & 1] == 0 && t != 5) { // CHECK: [spin-wait]
    for (int k = 0; k < 100; ++k)
      s += a[(i * 100 + k) * 256 + t];
    ++i;
    goto again;
  }
  if (t == 5)
    flag[0] = flag[1] = 1;
  out[t] = s;
}

// A counter ends it, flag or not.
// CHECK: :[[#@LINE+4]]:3: warning: memory-bound for loop can take
__global__ void givesUp(const int *a, int *out, int *flag, int n) {
  int s = 0;
  const int t = threadIdx.x;
  for (int i = 0; i < n && flag[i & 1] == 0; ++i)
    s += a[i * 256 + t];
  if (t == 5)
    flag[0] = flag[1] = 1;
  out[t] = s;
}

// Insertion into a sorted list, which the kernel writes.
// CHECK: :[[#@LINE+4]]:3: warning: memory-bound while loop can take
__global__ void inserts(float *lists, float value, int size) {
  float *list = lists + threadIdx.x * 1024;
  int k = size;
  while (k > 0 && value > list[k - 1]) {
    list[k] = list[k - 1];
    --k;
  }
  list[k] = value;
}

// The row's ends are written, too, but the counter comes to them.
// CHECK: :[[#@LINE+4]]:3: warning: memory-bound for loop can take
__global__ void rowEnds(int *rows, const float *a, float *out) {
  float s = 0;
  const int t = threadIdx.x;
  for (int k = rows[t]; k < rows[t + 1]; k += 3)
    s += a[k];
  out[t] = s;
  rows[t] = 0;
}

// The list is another pointer's.
// CHECK: :[[#@LINE+3]]:3: warning: memory-bound while loop can take
__global__ void walksList(const int *next, const int *a, int *out, int k) {
  int s = 0;
  while (k >= 0) {
    s += a[k];
    k = next[k];
  }
  out[threadIdx.x] = s;
}

// The host ends the loop, in another iteration for each thread.
__global__ void untilTheHostStops(const int *stop, const float *__restrict__ a, float *__restrict__ out) {
  float s = 0;
  int k = threadIdx.x;
  // CHECK: :[[#@LINE+1]]:3: remark: while loop cannot take
  while (*stop == 0) { // CHECK: [spin-wait]
    s += a[k];
    k += 256;
    __threadfence_system();
  }
  out[threadIdx.x] = s;
}

// A counter ends it.
// CHECK: :[[#@LINE+3]]:3: warning: memory-bound for loop can take
__global__ void tellsTheHost(int *seen, const float *__restrict__ a, float *__restrict__ out, int n) {
  float s = 0;
  for (int k = 0; k < n; ++k) {
    s += a[k * 256 + threadIdx.x];
    __threadfence_system();
  }
  out[threadIdx.x] = s;
}
