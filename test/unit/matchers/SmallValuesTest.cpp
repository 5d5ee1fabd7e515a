// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The few values that an expression may have.

#include "matchers/grid-barrier/SmallValues.h"
#include "Snippet.h"

using namespace barricade;
using namespace barricade::grid_barrier;

namespace {

std::string textOf(const SmallValues &Values) {
  if (!Values.constants())
    return Values.isNonNegative() ? "not negative" : "any";
  std::string Text;
  for (int64_t Value : *Values.constants())
    Text += (Text.empty() ? "" : " ") + std::to_string(Value);
  return Text.empty() ? "none" : Text;
}

/// Of an expression in which `two` is 0 or 1, `u` is unsigned, and of `n` only
/// its type is known.
std::string valuesOf(const std::string &Value, const std::string &Type) {
  test::Snippet Parsed(
      "void f(int two, unsigned u, int n, unsigned char c) { " + Type +
      " value = " + Value + "; }");
  const auto OfVariable = [&](const clang::VarDecl &Var) {
    if (Var.getName() != "two")
      return grid_barrier::valuesOf(Var.getType(), Parsed.context());
    SmallValues Both = SmallValues::one(0);
    Both.include(SmallValues::one(1));
    return Both;
  };
  return textOf(grid_barrier::valuesOf(Parsed.initializer("value"), OfVariable,
                                       Parsed.context()));
}

TEST(SmallValues, Computes) {
  EXPECT_EQ(valuesOf("1 - two", "int"), "0 1");
  EXPECT_EQ(valuesOf("two + two", "int"), "0 1 2");
  EXPECT_EQ(valuesOf("two ^ 1", "int"), "0 1");
  EXPECT_EQ(valuesOf("two == 0", "bool"), "0 1");
  EXPECT_EQ(valuesOf("-two", "int"), "-1 0");
  EXPECT_EQ(valuesOf("n ? 3 : 5", "int"), "3 5");
  EXPECT_EQ(valuesOf("u % 3", "unsigned"), "0 1 2");
  EXPECT_EQ(valuesOf("two & n", "int"), "0 1");
}

TEST(SmallValues, KnowsNoMoreThanTheMachine) {
  EXPECT_EQ(valuesOf("n", "int"), "any");
  EXPECT_EQ(valuesOf("u", "unsigned"), "not negative");
  EXPECT_EQ(valuesOf("n % 3", "int"), "any");
  EXPECT_EQ(valuesOf("1 / two", "int"), "any");
  EXPECT_EQ(valuesOf("2147483647 + two", "int"), "any");
  EXPECT_EQ(valuesOf("two++", "int"), "any");
  EXPECT_EQ(valuesOf("two = 1", "int"), "any");
}

} // namespace
