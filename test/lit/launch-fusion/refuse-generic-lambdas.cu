// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What instances of generic lambdas run does not show in the lambda's body.
//
// RUN: %barricade --rules=launch-fusion,grid-barrier --explain %s -- nvcc -std=c++17 -arch=sm_90 > %t.out 2>&1
// RUN: FileCheck --implicit-check-not=not-verified %s < %t.out

__device__ float kept[1 << 20];

struct Put {
  int n;
  __device__ operator int() const {
    kept[blockIdx.x * blockDim.x + threadIdx.x] = n;
    return 1;
  }
};
struct Stride {
  __device__ operator int() const { return gridDim.x * blockDim.x; }
};

__global__ void put(int n) {
  const auto store = [](auto v) {
    const int done = v;
    return done;
  };
  if (blockIdx.x * blockDim.x + threadIdx.x < n)
    store(Put{n});
}
__global__ void get(float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  const auto load = [](auto v) { return v; };
  if (i < n)
    y[i] = load(2.0f);
}
void fused(float *y, int n) {
  put<<<(n + 255) / 256, 256>>>(n);
  get<<<(n + 255) / 256, 256>>>(y, n);
}
// CHECK-DAG: :[[#@LINE-3]]:3: remark: 2 launches in a row cannot become one kernel: a function that cannot

__global__ void strides(float *x, int n) {
  const auto number = [](auto v) {
    const int k = v;
    return k;
  };
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n;
       // CHECK-DAG: :[[#@LINE+1]]:{{[0-9]+}}: note: {{.*}} [unknown-call]
       i += number(Stride{}))
    x[i] += 1;
}
void loop(float *x, int n) {
  // CHECK-DAG: :[[#@LINE+1]]:3: remark: for loop of kernel launches cannot become
  for (int m = n; m > 1; m /= 2)
    strides<<<(m + 511) / 512, 256>>>(x, m);
}

// One that is not called harms nobody, nor does one that is not generic.
__global__ void plain(float *x, int n) {
  const auto unused = [](auto v) { return v; };
  const auto twice = [](float v) { return 2 * v; };
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  (void)unused;
  if (i < n)
    x[i] = twice(x[i]);
}
void plainLoop(float *x, int n) {
  // CHECK-DAG: :[[#@LINE+1]]:3: warning: for loop of kernel launches can become
  for (int m = n; m > 1; m /= 2)
    plain<<<(m + 255) / 256, 256>>>(x, m);
}

struct Holder {
  static __device__ float all[1 << 20];
  int k;
};
__device__ float Holder::all[1 << 20];
__global__ void putStatic(int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Holder s{1};
  if (i < n)
    s.all[i] = n + threadIdx.x;
}
__global__ void getStatic(float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Holder s{1};
  if (i < n)
    y[i] = s.all[n - 1 - i];
}
__global__ void getOwn(float *y, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  Holder s{1};
  if (i < n)
    y[i] = s.k;
}
void members(float *y, int n) {
  putStatic<<<(n + 255) / 256, 256>>>(n);
  getStatic<<<(n + 255) / 256, 256>>>(y, n);
}
// CHECK-DAG: :[[#@LINE-3]]:3: {{.*}} 2 launches in a row can become one kernel with __gpu_sync(), since putStatic
void ownMembers(float *y, int n) {
  getOwn<<<(n + 255) / 256, 256>>>(y, n);
  getOwn<<<(n + 255) / 256, 256>>>(y, n);
}
// CHECK-DAG: :[[#@LINE-3]]:3: {{.*}} 2 launches in a row can become one kernel without a barrier
