// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Declarations before a loop under a condition: they would leave the block of
// the loop, or come to stand before the condition. Each with a near miss that
// can. In a pair of kernels the first is refused.
//
// RUN: %barricade --explain --min-memory-ratio=0 %s 2>&1 | FileCheck --implicit-check-not=warning: %s

struct Count {
  float *at;
  __device__ Count(float *p) : at(p) { *at += 1; }
  __device__ ~Count() { *at -= 1; }
};
struct Half {
  float v;
  __device__ explicit operator float() const { return v; }
  __device__ operator int() const { return 7; }
};
using Fixed = const float;
enum class Mode { Near, Far };
__device__ float overloaded(float &) { return 1; }
__device__ float overloaded(const float &) { return 2; }
__device__ float byValue(float x) { return x; }
__device__ float *kept(float &x) { return &x; }

// The destructor would run before the loop.
__global__ void destructor(const float *a, float *out, int n) {
  int t = threadIdx.x;
  if (t < n) {
    // CHECK: :[[#@LINE+1]]:5: note: {{.*}} [guard-shape]
    Count counted(out);
    float s = a[t];
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + t];
    out[t] = s;
  }
}

__global__ void destructorAtOnce(const float *a, float *out, int n) {
  int t = threadIdx.x;
  if (t < n) {
    { Count counted(out); }
    float s = a[t];
    // CHECK: :[[#@LINE+1]]:5: warning: memory-bound
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + t];
    out[t] = s;
  }
}

__global__ void destructorAfter(const float *a, float *out, int n) {
  int t = threadIdx.x;
  if (t < n) {
    float s = a[t];
    // CHECK: :[[#@LINE+1]]:5: warning: memory-bound
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + t];
    Count counted(out + t);
    out[t] = s;
  }
}

// A temporary that lives as long as its reference.
__global__ void extended(const float *a, float *out, int n) {
  int t = threadIdx.x;
  if (t < n) {
    // CHECK: :[[#@LINE+1]]:5: note: {{.*}} [guard-shape]
    const Count &counted = Count(out);
    float s = a[t];
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + t];
    out[t] = s;
  }
}

// Nobody names the variable behind the loop, but a pointer leads to it.
__global__ void pointedTo(const float *a, float *out, int n) {
  int t = threadIdx.x;
  const float *p = a;
  if (t < n) {
    // CHECK: :[[#@LINE+1]]:5: note: {{.*}} [guard-shape]
    float local = a[t];
    p = &local;
    float s = 0;
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + t] * *p;
    out[t] = s;
  }
}

__global__ void arrayPointedTo(const float *a, float *out, int n) {
  int t = threadIdx.x;
  const float *p = a;
  if (t < n) {
    // CHECK: :[[#@LINE+1]]:5: note: {{.*}} [guard-shape]
    float local[2] = {a[t], a[t + 1]};
    p = local;
    float s = 0;
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + t] * *p;
    out[t] = s;
  }
}

__global__ void handedOn(const float *a, float *out, int n) {
  int t = threadIdx.x;
  const float *p = a;
  if (t < n) {
    // CHECK: :[[#@LINE+1]]:5: note: {{.*}} [guard-shape]
    float local = a[t];
    p = kept(local);
    float s = 0;
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + t] * *p;
    out[t] = s;
  }
}

__global__ void usedAtOnce(const float *a, float *out, int n) {
  int t = threadIdx.x;
  if (t < n) {
    float local = a[t], two[2] = {local, local};
    local += byValue(local) + two[0];
    two[1] = local;
    float s = two[1];
    // CHECK: :[[#@LINE+1]]:5: warning: memory-bound
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + t];
    out[t] = s;
  }
}

// A type that is const by name cannot be declared without a value.
__global__ void constAlias(const float *a, float *out, int n) {
  int t = threadIdx.x;
  if (t < n) {
    // CHECK: :[[#@LINE+1]]:5: note: {{.*}} [guard-shape]
    Fixed c = a[t];
    float s = 0;
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + t] * c;
    out[t] = s;
  }
}

// What is not const any more is another thing to overloads, `auto &`, decltype.
__global__ void constSeen(const float *a, float *out, int n) {
  int t = threadIdx.x;
  if (t < n) {
    // CHECK: :[[#@LINE+1]]:5: note: {{.*}} [guard-shape]
    const float c = a[t];
    float s = 0;
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + t] * overloaded(c);
    out[t] = s;
  }
}

__global__ void constDeduced(const float *a, float *out, int n) {
  int t = threadIdx.x;
  if (t < n) {
    // CHECK: :[[#@LINE+1]]:5: note: {{.*}} [guard-shape]
    const float c = a[t];
    float s = 0;
    for (int k = 0; k < n; ++k) {
      decltype(c) d = a[k];
      s += a[k * 64 + t] * overloaded(d) * c;
    }
    out[t] = s;
  }
}

__global__ void constRead(const float *a, float *out, int n) {
  int t = threadIdx.x;
  if (t < n) {
    const float c = a[t];
    float s = 0;
    // CHECK: :[[#@LINE+1]]:5: warning: memory-bound
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + t] * byValue(c);
    out[t] = s;
  }
}

// An assignment would take the other conversion, or none.
__global__ void converts(const float *a, float *out, int n, Half h) {
  int t = threadIdx.x;
  if (t < n) {
    // CHECK: :[[#@LINE+1]]:5: note: {{.*}} [guard-shape]
    float c(h);
    float s = 0;
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + t] * c;
    out[t] = s;
  }
}

__global__ void scopedEnumeration(const float *a, float *out, int n) {
  int t = threadIdx.x;
  if (t < n) {
    // CHECK: :[[#@LINE+1]]:5: note: {{.*}} [guard-shape]
    Mode m{int(a[t])};
    float s = 0;
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + t] * int(m);
    out[t] = s;
  }
}

__global__ void plainConversions(const float *a, float *out, int n) {
  int t = threadIdx.x;
  if (t < n) {
    double c(a[t]);
    Mode m = Mode(int(a[t]));
    const float *p{a};
    float s = 0;
    // CHECK: :[[#@LINE+1]]:5: warning: memory-bound
    for (int k = 0; k < n; ++k)
      s += p[k * 64 + t] * c * int(m);
    out[t] = s;
  }
}

// The promise of __restrict__ would be given for longer.
__global__ void restricted(const float *a, float *out, int n) {
  int t = threadIdx.x;
  if (t < n) {
    // CHECK: :[[#@LINE+1]]:5: note: {{.*}} [guard-shape]
    const float *__restrict__ p = a + t;
    float s = 0;
    for (int k = 0; k < n; ++k)
      s += p[k * 64];
    out[t] = s;
  }
}

__global__ void aligned(const float *a, float *out, int n) {
  int t = threadIdx.x;
  if (t < n) {
    // CHECK: :[[#@LINE+1]]:5: note: {{.*}} [guard-shape]
    alignas(16) float c = a[t];
    float s = 0;
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + t] * c;
    out[t] = s;
  }
}

// A later declarator has the name that an earlier one's value means.
__global__ void ownName(const float *a, float *out, int n) {
  int t = threadIdx.x;
  float q = 3;
  if (t < n) {
    // CHECK: :[[#@LINE+1]]:5: note: {{.*}} [guard-shape]
    float s = q + a[t], q = a[t + 1];
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + t] * q;
    out[t] = s;
  }
  out[t + 64] = q;
}

// The value's type would be that of a macro, today.
#define REAL float
__global__ void deducedFromMacro(const REAL *a, float *out, int n) {
  int t = threadIdx.x;
  if (t < n) {
    // CHECK: :[[#@LINE+1]]:5: note: {{.*}} [guard-shape]
    auto c = a[t];
    float s = 0;
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + t] * c;
    out[t] = s;
  }
}

typedef float real;
__global__ void deducedFromName(const real *a, float *out, int n) {
  int t = threadIdx.x;
  if (t < n) {
    // CHECK: :[[#@LINE+1]]:5: note: {{.*}} [guard-shape]
    auto c = a[t];
    float s = 0;
    for (int k = 0; k < n; ++k)
      s += a[k * 64 + t] * c;
    out[t] = s;
  }
}

// Objects in the loop's own header.
__global__ void objectInHeader(const float *a, float *out, int n) {
  int t = threadIdx.x;
  if (t < n) {
    float s = 0;
    // CHECK: :[[#@LINE+1]]:10: note: {{.*}} [guard-shape]
    for (int k = Half{a[t]}; k < n; ++k)
      s += a[k * 64 + t];
    out[t] = s;
  }
}
