// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/Constants.h"
#include "Snippet.h"

using namespace barricade;

namespace {

std::optional<int64_t> integerOf(const std::string &Value) {
  test::Snippet Parsed("enum Size { Few = 3 }; constexpr int Whole = 40;\n"
                       "template <int N> __device__ int taken(int n) {\n"
                       "  auto v = " +
                       Value +
                       ";\n  return v; }\n"
                       "__global__ void k(int *x, int n) { x[0] = taken<5>(n); "
                       "}\n");
  const auto Number =
      facts::integerOf(Parsed.initializer("v"), Parsed.context());
  return Number ? std::optional(Number->getExtValue()) : std::nullopt;
}

TEST(Constants, AreWhatCompilersKnow) {
  EXPECT_EQ(integerOf("16"), 16);
  EXPECT_EQ(integerOf("Whole / Few"), 13);
  EXPECT_EQ(integerOf("(sizeof(int) << 2) - 1"), 15);
  EXPECT_EQ(integerOf("-Whole"), -40);
  EXPECT_EQ(integerOf("'a'"), 97);
}

TEST(Constants, AreNeitherVariablesNorFloats) {
  EXPECT_EQ(integerOf("n"), std::nullopt);
  EXPECT_EQ(integerOf("n * 0"), std::nullopt);
  EXPECT_EQ(integerOf("1.5f"), std::nullopt);
  EXPECT_EQ(integerOf("1 / 0"), std::nullopt);
  EXPECT_EQ(integerOf("(++n, 4)"), std::nullopt);
}

} // namespace
