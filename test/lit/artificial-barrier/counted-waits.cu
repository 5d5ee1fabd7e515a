// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Near-misses of refuse-disguised-waits.cu: the loops end, whatever the others
// do, so that the loop behind them takes a barrier.
//
// RUN: not %dry-run --min-memory-ratio=0 --min-instructions=0 %s | FileCheck %s
//
// CHECK-COUNT-16: {{^\+ +__syncthreads\(\);}}

struct HoldsReference {
  int &x;
};
struct Flags {
  volatile int set;
  int other;
};
struct WaitsAtEnd {
  volatile int *flag;
  __device__ ~WaitsAtEnd() {
    while (!*flag)
      ;
  }
};
__device__ int &choose(int &a) { return a; }
__device__ void reset(int &a) { a = 0; }
__device__ void resetLook(const int &a) { const_cast<int &>(a) = 0; }
__device__ void look(const int &a) {}

__global__ void counted(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 0; i < 10; ++i)
      if (*flag)
        s += 1;
  }
  for (int k = 0; k < n; ++k)
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void countedDown(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (unsigned i = 10; i > 0; --i)
      if (*flag)
        s += 1;
  }
  for (int k = 0; k < n; ++k)
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void countedToOne(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (unsigned i = 10; i >= 1; --i)
      if (*flag)
        s += 1;
  }
  for (int k = 0; k < n; ++k)
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void countedInBody(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    int i = 0;
    while (i < 10) {
      if (*flag)
        s += 1;
      ++i;
    }
  }
  for (int k = 0; k < n; ++k)
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void countedByGrid(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    const int stride = blockDim.x * gridDim.x;
    for (int i = threadIdx.x; i < n; i += stride)
      if (*flag)
        s += 1;
  }
  for (int k = 0; k < n; ++k)
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void countedInclusive(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 0; i <= n; i += 2)
      if (*flag)
        s += 1;
  }
  for (int k = 0; k < n; ++k)
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void countedSum(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 0; i + 4 < n; ++i)
      if (*flag)
        s += 1;
  }
  for (int k = 0; k < n; ++k)
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void countedHalves(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = blockDim.x / 2; i > 0; i >>= 1)
      if (*flag)
        s += 1;
  }
  for (int k = 0; k < n; ++k)
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void countedDoubles(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 1; i < n; i *= 2)
      if (*flag)
        s += 1;
  }
  for (int k = 0; k < n; ++k)
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void countedHit(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 0; i != n; ++i)
      if (*flag)
        s += 1;
  }
  for (int k = 0; k < n; ++k)
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void countedPointer(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (const float *p = a; p < a + n; ++p)
      if (*flag)
        s += 1;
  }
  for (int k = 0; k < n; ++k)
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void countedLooked(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 0; i < 10; ++i) {
      const int &r = i;
      if (*flag + r)
        s += 1;
      look(i);
    }
  }
  for (int k = 0; k < n; ++k)
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void countedAlsoFlag(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    for (int i = 0; i < 10 && i < n; ++i)
      s += *flag;
  }
  for (int k = 0; k < n; ++k)
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void boundMoves(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    int end = 2;
    for (int i = 0; i < end; ++i)
      end = *flag;
  }
  for (int k = 0; k < n; ++k)
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void retried(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    int old = *locks, assumed;
    do {
      assumed = old;
      old = atomicCAS(locks, assumed, assumed + n);
    } while (assumed != old);
  }
  for (int k = 0; k < n; ++k)
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void retriedElement(const float *a, float *out, int n, volatile int *flag,
                     int *locks, Flags *flags) {
  float s = 0;
  if (threadIdx.x) {
    unsigned *where = (unsigned *)&locks[threadIdx.x];
    unsigned old = *where, assumed;
    do {
      assumed = old;
      old = atomicCAS(where, assumed, assumed + n);
    } while (old != assumed);
  }
  for (int k = 0; k < n; ++k)
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}
