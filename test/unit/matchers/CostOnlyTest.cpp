// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The compiler keeps estimates out of proofs.

#include "matchers/cost/CostOnly.h"
#include "CostReader.h"
#include "matchers/cost/FunctionValues.h"
#include <gtest/gtest.h>
#include <type_traits>

using namespace barricade;
using namespace barricade::test;

// Only friends make the key, and nothing else opens an estimate.
static_assert(!std::is_default_constructible_v<ForCostOnly>);
static_assert(!std::is_aggregate_v<ForCostOnly>);
static_assert(!std::is_convertible_v<CostOnly<int>, int>);
static_assert(
    !std::is_constructible_v<FunctionValues, const clang::FunctionDecl &,
                             clang::ASTContext &>);

TEST(CostOnly, GivesItsValueToThoseWhoEstimate) {
  EXPECT_EQ(CostReader::of(CostOnly<int>(3)), 3);
  EXPECT_EQ(CostReader::of(CostOnly<int>()), 0);
}
