// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Functions that run without a call: what they do counts as the kernel's, for
// all rules. A thread that waits in one may wait for what stands behind the loop.
//
// RUN: %barricade --rules=artificial-barrier --explain --min-memory-ratio=0 --min-instructions=0 %s 2>&1 | FileCheck %s

__device__ volatile int flag;
__device__ void spin() {
  while (flag == 0)
    ;
}

struct Base {
  int x = 1;
  __device__ Base(int) { spin(); }
};
struct Inherits : Base {
  using Base::Base;
};
struct Spins {
  int x = 1;
  __device__ Spins() { spin(); }
};
struct HasSpins {
  Spins s[2][2];
  __device__ HasSpins() : s{} {}
};
struct Ends {
  int x = 1;
  __device__ ~Ends() { spin(); }
};
struct Virtual {
  int x = 1;
  __device__ virtual ~Virtual() {}
};
struct Own {
  int x = 1;
  __device__ void operator delete(void *, void *) {}
  __device__ void operator delete(void *) {}
  static __device__ void *operator new(size_t, void *p) { return spin(), p; }
};
struct OwnDelete {
  int x = 1;
  static __device__ void operator delete(void *) { spin(); }
};
struct Quiet {
  int x = 1;
  __device__ Quiet() {}
  __device__ Quiet(int y) : x(y) {}
  __device__ ~Quiet() { x = 0; }
};
struct InheritsQuiet : Quiet {
  using Quiet::Quiet;
};
struct Declared {
  int x = 1;
  __device__ Declared();
};

template <int Which> __device__ float work(int n) {
  if constexpr (Which == 0)
    return Inherits(n).x;
  if constexpr (Which == 1) {
    Spins all[3] = {};
    return all[1].x;
  }
  if constexpr (Which == 2)
    return HasSpins().s[1][1].x;
  if constexpr (Which == 3) {
    Ends *e = new Ends;
    delete e;
  }
  if constexpr (Which == 4) {
    Virtual *v = new Virtual;
    delete v;
  }
  if constexpr (Which == 5) {
    char buffer[16];
    return (new (buffer) Own)->x;
  }
  if constexpr (Which == 6)
    delete new OwnDelete;
  if constexpr (Which == 7) {
    Quiet all[3] = {};
    return all[n & 1].x + InheritsQuiet(n).x;
  }
  if constexpr (Which == 8)
    return Declared().x;
  if constexpr (Which == 9) {
    Spins *all = new Spins[n]{};
    return all->x;
  }
  return 0;
}

// CHECK: :[[#@LINE+3]]:3: remark: for loop cannot take
__global__ void inherited(const float *a, float *out, int n) {
  float s = threadIdx.x == 1 ? work<0>(n) : 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  if (threadIdx.x == 0)
    flag = 1;
  out[threadIdx.x] = s;
}
// CHECK: :[[#@LINE+3]]:3: remark: for loop cannot take
__global__ void filler(const float *a, float *out, int n) {
  float s = threadIdx.x == 1 ? work<1>(n) : 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  if (threadIdx.x == 0)
    flag = 1;
  out[threadIdx.x] = s;
}
// CHECK: :[[#@LINE+3]]:3: remark: for loop cannot take
__global__ void fillerOfMember(const float *a, float *out, int n) {
  float s = threadIdx.x == 1 ? work<2>(n) : 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  if (threadIdx.x == 0)
    flag = 1;
  out[threadIdx.x] = s;
}
// CHECK: :[[#@LINE+3]]:3: remark: for loop cannot take
__global__ void deletes(const float *a, float *out, int n) {
  float s = threadIdx.x == 1 ? work<3>(n) : 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  if (threadIdx.x == 0)
    flag = 1;
  out[threadIdx.x] = s;
}
// CHECK: :[[#@LINE+3]]:3: remark: for loop cannot take
__global__ void deletesVirtual(const float *a, float *out, int n) {
  float s = threadIdx.x == 1 ? work<4>(n) : 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  if (threadIdx.x == 0)
    flag = 1;
  out[threadIdx.x] = s;
}
// CHECK: :[[#@LINE+3]]:3: remark: for loop cannot take
__global__ void ownNew(const float *a, float *out, int n) {
  float s = threadIdx.x == 1 ? work<5>(n) : 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  if (threadIdx.x == 0)
    flag = 1;
  out[threadIdx.x] = s;
}
// CHECK: :[[#@LINE+3]]:3: remark: for loop cannot take
__global__ void ownDelete(const float *a, float *out, int n) {
  float s = threadIdx.x == 1 ? work<6>(n) : 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  if (threadIdx.x == 0)
    flag = 1;
  out[threadIdx.x] = s;
}
// CHECK: :[[#@LINE+3]]:3: warning: {{.*}}for loop can take
__global__ void quiet(const float *a, float *out, int n) {
  float s = threadIdx.x == 1 ? work<7>(n) : 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  if (threadIdx.x == 0)
    flag = 1;
  out[threadIdx.x] = s;
}
// CHECK: :[[#@LINE+3]]:3: remark: for loop cannot take
__global__ void declared(const float *a, float *out, int n) {
  float s = threadIdx.x == 1 ? work<8>(n) : 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  if (threadIdx.x == 0)
    flag = 1;
  out[threadIdx.x] = s;
}
// CHECK: :[[#@LINE+3]]:3: remark: for loop cannot take
__global__ void newArray(const float *a, float *out, int n) {
  float s = threadIdx.x == 1 ? work<9>(n) : 0;
  for (int k = 0; k < n; ++k)
    s += a[k * 64 + threadIdx.x];
  if (threadIdx.x == 0)
    flag = 1;
  out[threadIdx.x] = s;
}
