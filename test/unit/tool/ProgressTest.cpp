// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Progress.h"
#include "gtest/gtest.h"

using namespace barricade;
using std::chrono::seconds;

namespace {

TEST(Progress, SaysHowLongTheRestTakes) {
  EXPECT_EQ(Progress::timeLeft(seconds(10), 1, 3), ", 0:20 left");
  EXPECT_EQ(Progress::timeLeft(seconds(65), 1, 2), ", 1:05 left");
  EXPECT_EQ(Progress::timeLeft(seconds(4000), 100, 200), ", 66:40 left");
}

TEST(Progress, SaysNothingOfTimeWhereItKnowsNothing) {
  EXPECT_EQ(Progress::timeLeft(seconds(2), 1, 3), "");
  EXPECT_EQ(Progress::timeLeft(seconds(60), 0, 3), "");
  EXPECT_EQ(Progress::timeLeft(seconds(60), 3, 3), "");
}

} // namespace
