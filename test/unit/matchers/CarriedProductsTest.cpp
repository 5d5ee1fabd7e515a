// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/CarriedProducts.h"
#include "Snippet.h"

using namespace barricade;

namespace {

/// The loop with that body leaves a product for a later iteration.
bool carries(const std::string &Body) {
  const test::Snippet Parsed(
      "__device__ float sum(float a, float b) { return a + b; }"
      "__global__ void k(float *x, const float *in, float f, int n) {"
      "  float acc = 0, other = 1; int count = 0;"
      "  for (int k = threadIdx.x; k < n; k += 64) {" +
      Body + "} x[0] = acc + other + count; }");
  return facts::carriedProduct(Parsed.loop(), Parsed.function()).isValid();
}

TEST(CarriedProducts, ByVariables) {
  EXPECT_TRUE(carries("acc = (acc + in[k]) * f;"));
  EXPECT_TRUE(carries("acc += in[k]; acc *= f;"));
  EXPECT_TRUE(carries("other += acc; acc = -(f * in[k]);"));
  EXPECT_TRUE(carries("float p = in[k] * f; other += acc; acc = p;"));
  EXPECT_TRUE(
      carries("float p = in[k] * f; acc += other; x[k] = p; other = p;"));
  EXPECT_TRUE(carries("acc = k > 3 ? acc : (acc + in[k]) * f;"));
  EXPECT_TRUE(carries("acc = sum(acc, in[k]);"));
}

TEST(CarriedProducts, ByMemory) {
  EXPECT_TRUE(carries("x[0] = (x[0] + in[k]) * f;"));
  EXPECT_TRUE(carries("x[k] = (x[k - 1] + in[k]) * f;"));
  EXPECT_FALSE(carries("x[k] = x[k] * f;"));
  EXPECT_FALSE(carries("x[k] = in[k + 1] * f;"));
}

TEST(CarriedProducts, NotWhereTheyAreSetAnew) {
  EXPECT_FALSE(carries("other = in[k] * f; acc += other;"));
  EXPECT_FALSE(carries("other = in[k] * f; if (k > 3) { acc += other; }"));
  EXPECT_FALSE(carries("x[0] = in[k] * f; acc += x[0];"));
  EXPECT_FALSE(carries("other *= in[k]; x[k] = other;"));
  EXPECT_TRUE(carries("acc += other; other = in[k] * f;"));
  EXPECT_TRUE(carries("if (k > 3) other = in[k] * f; acc += other;"));
  EXPECT_TRUE(carries("other = acc + other * f; acc = other * f;"));
  EXPECT_TRUE(carries("other *= f; other = other + in[k];"));
  EXPECT_TRUE(carries("if (k > 3) { x[0] = in[k] * f; } acc += x[0];"));
}

TEST(CarriedProducts, NotBySums) {
  EXPECT_FALSE(carries("acc += in[k] * f;"));
  EXPECT_FALSE(carries("acc = acc * f + in[k];"));
  EXPECT_FALSE(carries("acc *= in[k];"));
  EXPECT_FALSE(carries("other = acc * other; "));
  EXPECT_FALSE(carries("float p = in[k] * f; acc += p;"));
  EXPECT_FALSE(carries("count = count * 3 + 1;"));
}

} // namespace
