// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Launches that stay as they are, each with its reason.
//
// RUN: %barricade --rules=launch-overlap --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --implicit-check-not='can begin' --implicit-check-not=' error: ' %s
// RUN: %barricade --rules=launch-overlap --profit=any --explain %S/golden.cu -- nvcc -std=c++17 -arch=sm_80 2>&1 | FileCheck --check-prefix=OLD %s
// RUN: %barricade --rules=launch-overlap --profit=any --explain %S/golden.cu -- nvcc -std=c++17 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 2>&1 | FileCheck --check-prefix=OLD %s
// OLD-NOT: can begin
// OLD: architecture
// RUN: %barricade --rules=launch-overlap --profit=any --explain %s -- nvcc -std=c++17 -arch=sm_90 --restrict 2>&1 | FileCheck --check-prefix=RESTRICT %s

__global__ void plain(float *a, float *b) { a[threadIdx.x] = b[threadIdx.x]; }

//===--- Loads that may be moved before the wait --------------------------===//

__global__ void promised(float *a, const float *__restrict__ b) {
  a[0] = __ldg(b) + b[1];
}
__global__ void loaded(float *a, const float *b) { a[0] = __ldg(b); }
__device__ float first(const float *__restrict__ b) { return *b; }
struct View {
  const float *__restrict__ data;
};
struct Pointed {
  const float *data;
};
__global__ void handed(float *a, Pointed b) { a[0] = first(b.data); }
__device__ const float *given;
__global__ void kept(float *a) {
  const float *__restrict__ own = given;
  a[0] = own[1];
}
__global__ void several(float *a, const float *b) {
  const float *__restrict__ own[2] = {b, b + 1};
  a[0] = own[1][0];
}
__global__ void inLambda(float *a, const float *b) {
  auto first = [](const float *__restrict__ p) { return p[0]; };
  a[0] = first(b);
}
__global__ void named(float *a, const float *__restrict__ b) {
  a[0] = b[0] + sizeof(__func__);
}
class Counter {
  int count;
  friend __global__ void befriended(Counter *a, const int *__restrict__ b);
};
__global__ void befriended(Counter *a, const int *__restrict__ b) {
  a->count = b[0];
}
#define PARAMETERS (float *a, const float *__restrict__ b)
__global__ void spelled PARAMETERS { a[0] = b[0]; }
__global__ void
#pragma nv_diag_suppress 177
directed(float *a, const float *__restrict__ b) {
  a[0] = b[0];
}
__global__ void waiting(float *a, const float *__restrict__ b) {
  cudaGridDependencySynchronize();
  a[0] = b[0];
}
__global__ void viewed(float *a, View b) { a[0] = b.data[0]; }
template <typename T> __global__ void of(float *a, T b) { a[0] = b[0]; }
__global__ void assembled(float *a, const float *b) {
  asm("ld.global.nc.f32 %0, [%1];" : "=f"(a[0]) : "l"(b));
}
__global__ void fetched(float *a, cudaTextureObject_t b) {
  a[0] = tex1Dfetch<float>(b, 0);
}
__constant__ float table[4];
__global__ void looked(float *a) { a[0] = table[1]; }
__global__ void hinted(float *a, const float *b) { a[0] = __ldcs(b); }
__constant__ float handedOn[4];
void handOver(const void *);
__global__ void escaped(float *a) { a[0] = handedOn[1]; }
struct Tables { // Of Clang alone: nvcc knows no such members.
  static __constant__ float handedOn[4], held[4];
};
__constant__ float Tables::handedOn[4], Tables::held[4];
__global__ void escapedMember(float *a) { a[0] = Tables::handedOn[1]; }
__global__ void readMember(float *a, Tables t) { a[0] = t.handedOn[1]; }
__constant__ float leadsOn[4];
__constant__ const float *leading = leadsOn;
__global__ void led2(float *a) { a[0] = *leading; }
__device__ __attribute__((malloc)) float *own(float *b) { return b; }
__global__ void allocated(float *a, float *b) { a[0] = *own(b); }
__device__ __attribute__((const)) float constant(const float *b) { return *b; }
__global__ void declared(float *a, const float *b) { a[0] = constant(b); }
struct Own {
  const float *b;
  __device__ float first() const __restrict__ { return *b; }
};
__global__ void promisedThis(float *a, const Own *b) { a[0] = b->first(); }
__global__ void led(float *a, const float **b) {
  a[0] = **(const float *__restrict__ *)b;
}
extern "C" __device__ float called();
__global__ void jumps(float *a) {
  float x;
  asm("{ .param .b32 r; call (r), called; ld.param.f32 %0, r; }" : "=f"(x));
  a[0] = x;
}
__global__ void placed(float *a, const float *b) {
  asm("ld.global.f32 %0, %1;" : "=f"(a[0]) : "m"(*b));
}
template <typename T> __global__ void some(T *a, const T *b) {
  if constexpr (sizeof(T) > 4)
    a[0] = __ldg(b);
  else
    a[0] = b[0];
}

void loads(float *a, const float *b, View v, Pointed p, cudaTextureObject_t t,
           Own *o, double *d, const float **c, Counter *n, const int *m,
           Tables s, float *d2) {
  void *address;
  promised<<<1, 1>>>(a, b); // CHECK-DAG: [[@LINE]]:3: remark: launch cannot overlap the one before: {{.*}}__restrict__
  promised<<<1, 1>>>(a, b); // CHECK-DAG: [[@LINE]]:3: remark: launch cannot overlap
  loaded<<<1, 1>>>(a, b); // CHECK-DAG: [[@LINE]]:3: remark: launch cannot overlap
  handed<<<1, 1>>>(a, p); // CHECK-DAG: [[@LINE]]:3: remark: launch cannot overlap
  kept<<<1, 1>>>(a); // CHECK-DAG: [[@LINE]]:3: remark: launch cannot overlap
  several<<<1, 1>>>(a, b); // CHECK-DAG: [[@LINE]]:3: remark: launch cannot overlap
  inLambda<<<1, 1>>>(a, b); // CHECK-DAG: [[@LINE]]:3: remark: launch cannot overlap
  named<<<1, 1>>>(a, b); // CHECK-DAG: [[@LINE]]:3: remark: launch cannot overlap
  befriended<<<1, 1>>>(n, m); // CHECK-DAG: [[@LINE]]:3: remark: launch cannot overlap
  spelled<<<1, 1>>>(a, b); // CHECK-DAG: [[@LINE]]:3: remark: launch cannot overlap
  directed<<<1, 1>>>(a, b); // CHECK-DAG: [[@LINE]]:3: remark: launch cannot overlap
  waiting<<<1, 1>>>(a, b); // CHECK-DAG: [[@LINE]]:3: remark: launch cannot overlap
  viewed<<<1, 1>>>(a, v); // CHECK-DAG: [[@LINE]]:3: remark: launch cannot overlap
  of<const float *__restrict__><<<1, 1>>>(a, b); // CHECK-DAG: [[@LINE]]:3: remark: launch cannot overlap
  assembled<<<1, 1>>>(a, b); // CHECK-DAG: [[@LINE]]:3: remark: {{.*}}assembly
  fetched<<<1, 1>>>(a, t); // CHECK-DAG: [[@LINE]]:3: remark: {{.*}}texture
  looked<<<1, 1>>>(a); // CHECK-DAG: [[@LINE]]:3: remark: {{.*}}constant memory
  hinted<<<1, 1>>>(a, b); // CHECK-DAG: [[@LINE]]:3: remark: launch cannot overlap
  escaped<<<1, 1>>>(a); // CHECK-DAG: [[@LINE]]:3: remark: {{.*}}constant memory
  escapedMember<<<1, 1>>>(a); // CHECK-DAG: [[@LINE]]:3: remark: {{.*}}constant memory
  readMember<<<1, 1>>>(a, s); // CHECK-DAG: [[@LINE]]:3: remark: {{.*}}constant memory
  led2<<<1, 1>>>(a); // CHECK-DAG: [[@LINE]]:3: remark: {{.*}}constant memory
  allocated<<<1, 1>>>(a, d2); // CHECK-DAG: [[@LINE]]:3: remark: {{.*}}declared const
  declared<<<1, 1>>>(a, b); // CHECK-DAG: [[@LINE]]:3: remark: {{.*}}declared const
  promisedThis<<<1, 1>>>(a, o); // CHECK-DAG: [[@LINE]]:3: remark: launch cannot overlap
  led<<<1, 1>>>(a, c); // CHECK-DAG: [[@LINE]]:3: remark: launch cannot overlap
  jumps<<<1, 1>>>(a); // CHECK-DAG: [[@LINE]]:3: remark: {{.*}}assembly
  placed<<<1, 1>>>(a, b); // CHECK-DAG: [[@LINE]]:3: remark: {{.*}}assembly
  some<float><<<1, 1>>>(a, b); // CHECK-DAG: [[@LINE]]:3: remark: launch cannot overlap
  some<double><<<1, 1>>>(d, d); // CHECK-DAG: [[@LINE]]:3: remark: launch cannot overlap
  cudaGetSymbolAddress(&address, table);
  handOver(handedOn);
  handOver(s.handedOn);
  handOver(leadsOn);
}

//===--- Kernels that are not in sight, or cannot be named ----------------===//

__global__ void unseen(float *a);
__device__ void elsewhere(float *a);
__global__ void calls(float *a) { elsewhere(a); }
__global__ void twice(float *a) { a[0] = 1; }
__global__ void twice(float *a, int n) { a[n] = 1; }
template <typename T> __global__ void deduced(T *a) { a[0] = 1; }
__global__ void more(float *a, int n = 1) { a[n] = 1; }
#ifdef OTHER
__global__ void other(float *a) { a[0] = 2; }
#else
__global__ void other(float *a) { a[0] = 1; }
#endif
__global__ void branched(float *a)
#ifdef OTHER
{ a[0] = 2; }
#else
{ a[0] = 1; }
#endif
#define BEGIN {
__global__ void begun(float *a) BEGIN a[0] = 1; }
struct Copied {
  float x;
  Copied(const Copied &from) : x(from.x + 1) {}
};
__global__ void copied(float *a, Copied c) { a[0] = c.x; }
struct Closing {
  float *a;
  __device__ ~Closing() { asm volatile("st.global.f32 [%0], 0f00000000;" ::"l"(a)); }
};
__global__ void closes(float *a) { Closing c{a}; }

struct Moved {
  float x;
  Moved() = default;
  Moved(Moved &&) = default;
};
__global__ void moved(float *a, Moved c) { a[0] = c.x; }
struct NotMoved {
  float x;
  NotMoved() = default;
  NotMoved(const NotMoved &) = default;
  NotMoved(NotMoved &&) = delete;
};
__global__ void notMoved(float *a, NotMoved c) { a[0] = c.x; }
struct Explicit {
  float x;
  Explicit() = default;
  explicit Explicit(const Explicit &) = default;
};
__global__ void copiedAloud(float *a, Explicit c) { a[0] = c.x; }
constexpr __global__ void evaluated(float *a) { a[0] = 1; }
namespace left {
__global__ void ambiguous(float *a) { a[0] = 1; }
} // namespace left
namespace right {
__global__ void ambiguous(int *a) { a[0] = 1; }
} // namespace right
using namespace left;
using namespace right;
#define NONE

int counter;
int count() { return ++counter; }
void names(float *a, Copied c, void (*pointer)(float *), cudaStream_t s) {
  unseen<<<1, 1>>>(a);        // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[kernel-not-visible]
  unseen<<<1, 1>>>(a);        // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[kernel-not-visible]
  calls<<<1, 1>>>(a);         // CHECK-DAG: note: {{.*}}[unknown-call]
  twice<<<1, 1>>>(a);         // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[kernel-name]
  deduced<<<1, 1>>>(a);       // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[kernel-name]
  more<<<1, 1>>>(a);          // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[default-argument]
  other<<<1, 1>>>(a);         // CHECK-DAG: note: {{.*}}[other-version]
  branched<<<1, 1>>>(a);      // CHECK-DAG: note: {{.*}}[other-version]
  begun<<<1, 1>>>(a);         // CHECK-DAG: note: {{.*}}[in-macro]
  pointer<<<1, 1>>>(a);       // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[kernel-pointer]
  closes<<<1, 1>>>(a);        // CHECK-DAG: note: {{.*}}[inline-assembly]
  moved<<<1, 1>>>(a, {});     // CHECK-DAG: note: {{.*}}[parameter-type]
  notMoved<<<1, 1>>>(a, {});  // CHECK-DAG: note: {{.*}}[parameter-type]
  copiedAloud<<<1, 1>>>(a, {}); // CHECK-DAG: note: {{.*}}[parameter-type]
  evaluated<<<1, 1>>>(a);     // CHECK-DAG: note: {{.*}}[device-function]
  ambiguous<<<1, 1>>>(a);     // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[kernel-name]
  plain<<<1, 1>>> NONE (a, a); // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[in-macro]
}
void effects(float *a, int *i) {
  more<<<1, 1>>>(a, *i);
  more<<<1, (*i)++>>>(a, 3);  // CHECK-DAG: [[@LINE]]:13: note: {{.*}}[argument]
}

//===--- Places -----------------------------------------------------------===//

template <typename T> void pattern(T *a) {
  plain<<<1, 1>>>(a, a); // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[host-template]
  plain<<<1, 1>>>(a, a);
}
template <typename T> void once(T *a, int n) {
  for (int i = 0; i < n; ++i)
    plain<<<1, 1>>>(a, a); // CHECK-DAG: [[@LINE]]:5: note: {{.*}}[host-template]
}

void pragma(float *a, int n) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[preprocessor]
    plain<<<1, 1>>>(a, a);
}
#define IN_PARALLEL _Pragma("omp parallel for")
#define WRAPPED IN_PARALLEL
void pragmaBefore(float *a, int n) {
  IN_PARALLEL
  for (int i = 0; i < n; ++i) // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[preprocessor]
    plain<<<1, 1>>>(a, a);
}
void pragmaWithin(float *a, int n) {
  for (int i = 0; i < n; ++i) { // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[preprocessor]
    WRAPPED for (int j = 0; j < n; ++j)
      plain<<<1, 1>>>(a, a);
  }
}
void directive(float *a, int n) {
  for (int i = 0; i < n; ++i) { // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[preprocessor]
#ifdef OTHER
    cudaDeviceSynchronize();
#endif
    plain<<<1, 1>>>(a, a);
  }
}
void unknown();
void cases(float *a, int n) {
  switch (n) {
  case 1:
    plain<<<1, 1>>>(a, a);
    unknown();
    plain<<<1, 1>>>(a, a); // CHECK-DAG: [[@LINE]]:5: note: {{.*}}[no-place]
    plain<<<1, 1>>>(a, a);
  default:
    unknown();
  }
}
void jumps(float *a, int n) {
  if (n > 3)
    goto inside;
  plain<<<1, 1>>>(a, a); // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[no-place]
  plain<<<1, 1>>>(a, a);
  if (n > 2) {
  inside:
    unknown();
  }
}

void unbraced(float *a, bool (*ask)(), int n) {
  if (ask())
    for (int i = 0; i < n; ++i) // CHECK-DAG: [[@LINE]]:5: note: {{.*}}[no-place]
      plain<<<1, 1>>>(a, a);
}

// In no function.
auto global = [](float *a) {
  plain<<<1, 1>>>(a, a); // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[no-place]
  plain<<<1, 1>>>(a, a);
};
struct Member {
  float *a;
  int launched = [](float *b) {
    plain<<<1, 1>>>(b, b); // CHECK-DAG: [[@LINE]]:5: note: {{.*}}[no-place]
    plain<<<1, 1>>>(b, b);
    return 2;
  }(a);
};
void byDefault(void (*run)(float *) = [](float *a) {
  plain<<<1, 1>>>(a, a); // CHECK-DAG: [[@LINE]]:3: note: {{.*}}[no-place]
  plain<<<1, 1>>>(a, a);
});

// One launch has none before, and of what stands in between nothing is known.
void alone(float *a, int n, cudaStream_t s, cudaEvent_t e) {
  plain<<<1, 1>>>(a, a);
  cudaStreamWaitEvent(s, e);
  plain<<<1, 1>>>(a, a);
  cudaMemsetAsync(a, 0, n, s);
  plain<<<1, 1>>>(a, a);
  auto launch = [&] { plain<<<1, 1>>>(a, a); };
  for (int i = 0; i < n; ++i)
    launch();
}

// Calls that no call expression of the statement shows.
int launches();
struct Hidden {
  int x = launches();
};
struct Ends {
  ~Ends() { launches(); }
};
inline int ends(int x) {
  Ends e;
  return x;
}
__attribute__((weak)) int weak() { return 1; }
struct Filled {
  Hidden all[4];
};
inline int size(const Filled &) { return 1; }
void hidden(float *a, volatile int *flag) {
  for (int i = 0; i < 3; ++i) {
    plain<<<1, 1>>>(a, a);
    Hidden one{}; // CHECK-DAG: [[@LINE]]:{{[0-9]+}}: note: {{.*}}[between]
  }
  for (int i = 0; i < 3; ++i) {
    plain<<<1, 1>>>(a, a);
    Hidden several[4] = {}; // CHECK-DAG: [[@LINE]]:{{[0-9]+}}: note: {{.*}}[between]
  }
  for (int i = 0; i < 3; ++i)
    plain<<<1, ends(i)>>>(a, a); // CHECK-DAG: [[@LINE]]:16: note: {{.*}}[between]
  for (int i = 0; i < 3; ++i)
    plain<<<1, weak()>>>(a, a); // CHECK-DAG: [[@LINE]]:16: note: {{.*}}[between]
  for (int i = 0; i < 3; ++i) {
    plain<<<1, 1>>>(a, a);
    *flag = i; // CHECK-DAG: [[@LINE]]:5: note: {{.*}}[between]
  }
  for (int i = 0; i < 3; ++i)
    plain<<<1, size({})>>>(a, a); // CHECK-DAG: [[@LINE]]:{{[0-9]+}}: note: {{.*}}[between]
}

// RESTRICT: remark: launch cannot overlap the one before: {{.*}}__restrict__
void restricted(float *a, int n) {
  loaded<<<1, 1>>>(a, a);
  loaded<<<1, 1>>>(a, a);
}
