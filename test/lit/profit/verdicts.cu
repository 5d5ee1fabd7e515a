// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// By default what the profile of the build's GPU expects to pay is proposed, in
// every output; what it expects to lose is not, and what nobody knows is told of.
//
// RUN: %barricade-by-default --rules=-launch-overlap,-launch-replay --no-verify %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=TEXT --implicit-check-not='warning:' --implicit-check-not='remark:' %s
// RUN: %barricade-by-default --rules=-launch-overlap,-launch-replay --no-verify --explain %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=WHY %s
// RUN: not %barricade-by-default --rules=-launch-overlap,-launch-replay --dry-run --quiet %s -- nvcc -std=c++17 -arch=sm_90 > %t.diff 2> %t.err
// RUN: FileCheck --check-prefix=DIFF --implicit-check-not='{{^}}+{{.*(__syncthreads|blur_fused)}}' %s --input-file=%t.diff
// RUN: %barricade-by-default --rules=-launch-overlap,-launch-replay --no-verify --json=%t.json --sarif=%t.sarif --html=%t.html --quiet %s -- nvcc -std=c++17 -arch=sm_90
// RUN: FileCheck --check-prefix=JSON %s --input-file=%t.json
// RUN: FileCheck --check-prefix=SARIF %s --input-file=%t.sarif
// RUN: FileCheck --check-prefix=HTML %s --input-file=%t.html
//
// Not where the build names no GPU, or several, or one without a profile.
//
// RUN: %barricade-by-default --rules=-launch-overlap,-launch-replay --no-verify --explain %s -- nvcc -std=c++17 2>&1 | FileCheck --check-prefixes=ALL,NONE %s
// RUN: %barricade-by-default --rules=-launch-overlap,-launch-replay --no-verify --explain %s -- nvcc -std=c++17 -arch=sm_75 2>&1 | FileCheck --check-prefixes=ALL,OTHER %s
// RUN: %barricade-by-default --rules=-launch-overlap,-launch-replay --no-verify --explain %s -- nvcc -std=c++17 -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 2>&1 | FileCheck --check-prefixes=ALL,SEVERAL %s
// RUN: %barricade-by-default --rules=-launch-overlap,-launch-replay --no-verify --profit=any %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=ALL %s
// NONE: note: the build names no GPU (-arch, --gpu), so no gain is expected; whatever is legal is proposed
// OTHER: note: there is no profile of sm_75 (barricade calibrate makes one), so no gain is expected; whatever is legal is proposed
// SEVERAL: note: the build is for several GPUs, so name one (--gpu), so no gain is expected; whatever is legal is proposed
// ALL: 7 findings in 1 file: 6 to rewrite, 1 refused
//
// The user may name the GPU.
//
// RUN: %barricade-by-default --rules=-launch-overlap,-launch-replay --no-verify --gpu=h200 %s -- nvcc -std=c++17 2>&1 | FileCheck --check-prefix=NAMED %s
// NAMED: 7 findings in 1 file: 3 to rewrite, 1 refused, 3 not profitable
// RUN: %barricade-by-default --rules=-launch-overlap,-launch-replay --no-verify --explain --grid-barrier-from-start %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=START %s
// START: remark: for loop of kernel launches could {{.*}}, but nobody knows {{.*}}: it runs from the start, and its first use costs 252 us, what 147 iterations save [barricade-grid-barrier]
// START: note: it is expected to be slower {{.*}}: 10 iterations save 17 us, and the persistent kernel costs 252 us once [expected-slower]
// RUN: not %barricade-by-default --rules=-launch-overlap,-launch-replay --no-verify --gpu=x99 %s -- nvcc -std=c++17 2>&1 | FileCheck --check-prefix=UNKNOWN %s
// UNKNOWN: error: --gpu: nothing is known of 'x99'; known are sm_90 (NVIDIA H200); barricade calibrate makes a profile of your GPU
// RUN: %barricade-by-default --rules=-launch-overlap,-launch-replay --no-verify --profit=measured --quiet %s -- nvcc -std=c++17 -arch=sm_90 2>&1 | FileCheck --check-prefix=MEASURED --implicit-check-not='warning:' %s
// MEASURED-COUNT-6: remark: {{.*}}, but nobody knows whether it is faster: it was not measured

__global__ void sums(const float *a, float *s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  // WHY: :[[@LINE+1]]:3: remark: memory-bound for loop could take an artificial barrier at the end of its body, but it is expected to be slower on an NVIDIA H200 (profile sm_90): 0 of 22 real programs were faster, 14 were 5 to 40 % slower [barricade-artificial-barrier]
  for (int k = 0; k < n; ++k)
    s[i] += a[k * n + i];
}

__global__ void scale(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] *= 2;
}
__global__ void shift(float *x, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n)
    x[i] += 1;
}
__global__ void smooth(float *to, const float *from, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i > 0 && i < n - 1)
    to[i] = from[i - 1] + from[i + 1];
}

// A launch less.
void affine(float *x, int n) {
  // TEXT: :[[@LINE+1]]:3: warning: 2 launches in a row can become one kernel without a barrier, since {{.*}} (expected on an NVIDIA H200: +0.0 % .. +50.0 %) [barricade-launch-fusion]
  scale<<<n / 256, 256>>>(x, n);
  shift<<<n / 256, 256>>>(x, n);
}

// Two less, and a kernel that costs something once.
void blur(float *a, float *b, int n) {
  // TEXT: :[[@LINE+2]]:3: remark: 3 launches in a row could become one kernel with __gpu_sync(), since {{.*}}, but nobody knows whether it is faster on an NVIDIA H200 (profile sm_90): it saves 1.4 us each time, and its first use costs 250 us [barricade-launch-fusion]
  // TEXT: note: nobody knows {{.*}} [unknown-gain]
  smooth<<<n / 256, 256>>>(b, a, n);
  smooth<<<n / 256, 256>>>(a, b, n);
  smooth<<<n / 256, 256>>>(b, a, n);
}

void relax(float *a, float *b, int n, int steps) {
  // TEXT: :[[@LINE+1]]:3: warning: for loop of kernel launches can become one persistent kernel with a grid barrier (expected on an NVIDIA H200: +0.0 % .. +63.9 %; launches take 2.7 us, nodes of a CUDA graph 1.0 us, grid barriers 1.0 us per iteration; the kernel takes the loop over once that pays) [barricade-grid-barrier]
  for (int k = 0; k < steps; ++k)
    smooth<<<n / 256, 256>>>(k % 2 ? a : b, k % 2 ? b : a, n);
}

// Too short to earn a first use, unless it runs again and again.
void relaxOnce(float *a, float *b, int n) {
  // WHY: :[[@LINE+1]]:3: remark: for loop of kernel launches could become one persistent kernel with a grid barrier, but it is not expected to be faster on an NVIDIA H200 (profile sm_90): 10 iterations save 17 us, and the persistent kernel costs 252 us once, so that it takes nothing over [barricade-grid-barrier]
  for (int k = 0; k < 10; ++k)
    smooth<<<n / 256, 256>>>(k % 2 ? a : b, k % 2 ? b : a, n);
}
static void relaxOften(float *a, float *b, int n) {
  // TEXT: :[[@LINE+1]]:3: warning: for loop of kernel launches can become
  for (int k = 0; k < 10; ++k)
    smooth<<<n / 256, 256>>>(k % 2 ? a : b, k % 2 ? b : a, n);
}
void callsOften(float *a, float *b, int n) {
  while (n-- > 1)
    relaxOften(a, b, n);
}

// TEXT: 7 findings in 1 file: 3 to rewrite, 1 refused, 3 not profitable
// TEXT: reasons: 1 expected-no-gain, 1 expected-slower, 1 launch-in-call, 1 unknown-gain (--explain shows them)
// DIFF: affine_fused
// DIFF: relax_persistent
// DIFF: relaxOften_persistent
// JSON: "verdict": "not-profitable"
// JSON: "expected-by": {
// JSON-NEXT: "unit": "",
// JSON-NEXT: "value": "profile sm_90"
// JSON: "applies": 3,
// JSON: "not-profitable": 3,
// SARIF-COUNT-3: "level": "{{warning|note}}",
// SARIF: "level": "{{warning|note}}",
// SARIF-NOT: "level": "{{warning|note}}",
// HTML: nobody knows whether it is faster on an NVIDIA H200
