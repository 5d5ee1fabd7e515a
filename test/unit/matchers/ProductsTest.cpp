// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/Products.h"
#include "Snippet.h"

using namespace barricade;
using facts::Varies;

namespace {

/// Of the last function of \p Code; Known: there are no products.
Varies leastOf(const std::string &Code) {
  const test::Snippet Parsed(Code);
  const facts::Products Found = facts::productsOf(Parsed.function());
  return Found.Any ? Found.Least : Varies::Known;
}

/// The same of a kernel with that body.
Varies leastIn(const std::string &Body, const std::string &Before = "") {
  return leastOf(Before +
                 "__global__ void k(float *p, const float *q, float f, "
                 "float g, int n) { int i = blockIdx.x * blockDim.x + "
                 "threadIdx.x; " +
                 Body + " }");
}

TEST(Products, ReadMemory) {
  EXPECT_EQ(leastIn("p[i] = q[i] * f;"), Varies::ByMemory);
  EXPECT_EQ(leastIn("p[i] = 0.5f * (q[i] + q[i + 1]);"), Varies::ByMemory);
  EXPECT_EQ(leastIn("p[i] *= f;"), Varies::ByMemory);
  EXPECT_EQ(leastIn("float v = q[i]; v += g; p[i] = v * v;"), Varies::ByMemory);
  EXPECT_EQ(leastIn("float s = 0; for (int k = 0; k < n; ++k) s += q[k]; "
                    "p[i] = s * 0.25f;"),
            Varies::ByMemory);
  EXPECT_EQ(leastIn("__shared__ float t[32]; p[i] = t[threadIdx.x] * 2;"),
            Varies::ByMemory);
}

TEST(Products, OfArguments) {
  EXPECT_EQ(leastIn("p[i] = q[i] + f * g;"), Varies::ByArgument);
  EXPECT_EQ(leastIn("p[i] = q[i] + i * 0.1f;"), Varies::ByArgument);
  EXPECT_EQ(leastIn("float v = f; p[i] = q[i] + v * 0.1f;"),
            Varies::ByArgument);
  EXPECT_EQ(leastIn("p[i] = q[i] + float(n) * 0.1f;"), Varies::ByArgument);
  EXPECT_EQ(leastIn("p[i] = q[i] + sqrtf(f);"), Varies::ByArgument);
  EXPECT_EQ(
      leastOf("struct R { float a, b; }; __global__ void k(float *p, R r) "
              "{ p[0] += r.a * r.b; }"),
      Varies::ByArgument);
}

TEST(Products, ThatNothingChanges) {
  EXPECT_EQ(leastIn("p[i] = q[i] + threadIdx.x * 0.1f;"), Varies::Never);
  EXPECT_EQ(leastIn("p[i] = q[i] + c[0] * c[1];", "__constant__ float c[2];"),
            Varies::Never);
  EXPECT_EQ(leastIn("float v; if (threadIdx.x > 3) v = 1; else v = 2; "
                    "p[i] = q[i] + v * 0.1f;"),
            Varies::Never);
  EXPECT_EQ(leastIn("p[i] = q[i] + __ldg(q) * __ldg(q + 1);"), Varies::Never);
  // The weakest counts.
  EXPECT_EQ(leastIn("p[i] = q[i] * f + threadIdx.x * 0.1f;"), Varies::Never);
}

TEST(Products, ThatAreNone) {
  EXPECT_EQ(leastIn("p[i] = q[i] + f;"), Varies::Known);
  EXPECT_EQ(leastIn("p[i * 2] = q[n * i] / f;"), Varies::Known);
  EXPECT_EQ(leastIn("p[i] = q[i] + 2.0f * 3.0f;"), Varies::Known);
  EXPECT_EQ(leastIn("float a = 2, b = 3; p[i] = q[i] + a * b;"), Varies::Known);
  EXPECT_EQ(leastIn("p[i] = sizeof(f * g);"), Varies::Known);
}

TEST(Products, OfFunctions) {
  const std::string Weighted =
      "__device__ float weighted(float a, float b, float c) { return a + b * "
      "c; }"
      "__device__ float first(const float *a) { return *a * *a; }"
      "__device__ float mine() { return threadIdx.x * 0.1f; }";
  EXPECT_EQ(leastIn("p[i] = weighted(f, q[i], g);", Weighted),
            Varies::ByMemory);
  EXPECT_EQ(leastIn("p[i] = weighted(q[i], f, g);", Weighted),
            Varies::ByArgument);
  EXPECT_EQ(leastIn("p[i] = weighted(q[i], threadIdx.x, 0.1f);", Weighted),
            Varies::Never);
  EXPECT_EQ(leastIn("p[i] = first(q + i);", Weighted), Varies::ByMemory);
  EXPECT_EQ(leastIn("float t[2] = {0.5f, 0.1f}; t[0] += threadIdx.x; "
                    "p[i] = q[i] + first(t);",
                    Weighted),
            Varies::Never);
  EXPECT_EQ(leastIn("p[i] = q[i] + mine();", Weighted), Varies::Never);
  EXPECT_EQ(leastIn("auto twice = [](float v) { return 2 * v; }; "
                    "p[i] = twice(q[i]);"),
            Varies::ByMemory);
  EXPECT_EQ(leastIn("auto scaled = [=](float v) { return f * v; }; "
                    "p[i] = q[i] + scaled(0.5f);"),
            Varies::ByArgument);
}

TEST(Products, OfAStepThatAKernelCalls) {
  EXPECT_EQ(
      leastOf("__device__ void step(const uint3 blockIdx, float *p, const "
              "float *__restrict__ q, int n) { int i = blockIdx.x * "
              "blockDim.x + threadIdx.x; p[i] = 0.5f * (q[i] + q[n]); } "
              "__global__ void k(float *p, const float *__restrict__ q, "
              "int n) { step(blockIdx, p, q, n); }"),
      Varies::ByMemory);
}

} // namespace
