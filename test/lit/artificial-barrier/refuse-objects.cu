// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Objects whose constructors, destructors, operators and conversions
// synchronise or wait where no call shows it.
//
// RUN: %barricade --explain --min-memory-ratio=0 --min-instructions=0 %s 2>&1 | FileCheck --implicit-check-not=warning: %s
// RUN: not %dry-run --min-memory-ratio=0 --min-instructions=0 %s 2>&1 | FileCheck --check-prefix=DIFF %s

struct MeetsAtEnd {
  __device__ ~MeetsAtEnd() { __syncthreads(); }
};
struct HoldsOne {
  MeetsAtEnd inner;
};
struct DerivesFromOne : MeetsAtEnd {};
struct LanesAtEnd {
  __device__ ~LanesAtEnd() { __syncwarp(); }
};
struct WaitsAtStart {
  __device__ WaitsAtStart(volatile int *flag) {
    while (!*flag)
      ;
  }
};
struct WaitsAsBool {
  volatile int *flag;
  __device__ operator bool() const { return *flag; }
};
struct WaitsAsNumber {
  volatile int *flag;
  int limit;
  __device__ bool operator<(int n) const { return *flag < n; }
  __device__ void operator++() { ++limit; }
};
struct VolatileMember {
  volatile int set;
  int number;
};
struct WritesAtEnd {
  int *p;
  __device__ ~WritesAtEnd() { p[threadIdx.x] = threadIdx.x; }
};

__global__ void destructor(const float *a, float *out, int n) {
  float s = 0;
  if (threadIdx.x < n) {
    MeetsAtEnd meets;
    s = 1;
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [divergent-barrier]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
}

__global__ void memberDestructor(const float *a, float *out, int n) {
  float s = 0;
  if (threadIdx.x < n) {
    HoldsOne holds;
    s = 1;
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [divergent-barrier]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
}

__global__ void baseDestructor(const float *a, float *out, int n) {
  float s = 0;
  if (threadIdx.x < n) {
    DerivesFromOne derives[2];
    s = 1;
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [divergent-barrier]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
}

__global__ void laneDestructor(const float *a, float *out, int n) {
  float s = 0;
  if (threadIdx.x % 2) {
    LanesAtEnd lanes;
    s = 1;
  }
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [warp-exchange]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
}

__global__ void constructor(const float *a, float *out, int n,
                            volatile int *flag) {
  float s = 0;
  if (threadIdx.x)
    WaitsAtStart waits(flag);
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void conversion(const float *a, float *out, int n,
                           volatile int *flag) {
  float s = 0;
  WaitsAsBool isSet{flag};
  if (threadIdx.x)
    while (!isSet)
      ;
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void operators(const float *a, float *out, int n,
                          volatile int *flag) {
  float s = 0;
  if (threadIdx.x)
    for (WaitsAsNumber i{flag, 0}; i < 1; ++i)
      ;
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  *flag = 1;
}

__global__ void volatileMember(const float *a, float *out, int n,
                               VolatileMember *flags) {
  float s = 0;
  if (threadIdx.x)
    while (!flags->set)
      ;
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  flags->set = 1;
}

__global__ void volatileReference(const float *a, float *out, int n,
                                  int *flags) {
  float s = 0;
  volatile int &flag = flags[1];
  if (threadIdx.x)
    while (!flag)
      ;
  // CHECK: :[[#@LINE+1]]:3: remark: for loop cannot take
  for (int k = 0; k < n; ++k)
    // CHECK: [spin-wait]
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
  flag = 1;
}

// What the destructor writes is what the loop's bound is read from.
__global__ void writes(const float *__restrict__ a, float *__restrict__ out,
                       int n, int *p) {
  float s = 0;
  {
    WritesAtEnd writes{p};
  }
  // CHECK: :[[#@LINE+2]]:3: warning:
  // DIFF: {{^\+.*}}__syncthreads_or(active = active && (k < p[0]))
  for (int k = 0; k < p[0]; ++k)
    s += a[k * 64] * a[k];
  out[threadIdx.x] = s;
}
