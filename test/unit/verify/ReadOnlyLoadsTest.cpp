// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each source marks the loads that may miss what the kernel writes.

#include "Unit.h"
#include <gmock/gmock.h>

using namespace barricade;
using namespace barricade::test;

TEST(ReadOnlyLoads, OfWhatTheKernelWrites) {
  const std::string Text = R"(
__device__ void step(const float *__restrict__ in, float *__restrict__ out) {
  out[threadIdx.x] = in[threadIdx.x] + 1; // stale
}
__global__ void pingPong(float *a, float *b) {
  step(a, b);
  __syncthreads();
  step(b, a);
}
__global__ void forward(float *a, float *b, float *c) {
  step(a, b);
}
__device__ void inPlace(float *__restrict__ a) { a[threadIdx.x] += 1; }
__global__ void twice(float *a) {
  inPlace(a);
  inPlace(a);
}
__global__ void constant(const float *table, float *out) {
  out[threadIdx.x] = __ldg(table + threadIdx.x);
}
)";
  EXPECT_EQ(suspiciousLines(Text, Suspicion::Kind::StaleLoad),
            linesWith(Text, "// stale"));
}
