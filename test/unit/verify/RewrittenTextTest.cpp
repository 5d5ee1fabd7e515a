// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "verify/RewrittenText.h"
#include <gmock/gmock.h>

using namespace barricade;
using testing::ElementsAre;
using testing::IsEmpty;

TEST(RewrittenText, EveryByteHasAnOrigin) {
  // Replaces "bc", inserts before "e", removes "f".
  const RewrittenFile File(
      "ab\ncdef\n",
      {{1, 1, "XY", {7}}, {5, 0, "\n+", {8, 9}}, {6, 1, "", {7}}});
  EXPECT_EQ(File.text(), "aXY\ncd\n+e\n");
  EXPECT_EQ(File.oldOffset(0), 0u);
  EXPECT_EQ(File.oldOffset(1), std::nullopt);
  EXPECT_EQ(File.oldOffset(3), 2u);
  EXPECT_EQ(File.oldOffset(8), 5u);
  EXPECT_EQ(File.oldOffset(9), 7u);
  EXPECT_THAT(File.ownersAt(0), IsEmpty());
  EXPECT_THAT(File.ownersAt(2), ElementsAre(7u));
  EXPECT_THAT(File.ownersAt(7), ElementsAre(8u, 9u));
  EXPECT_THAT(File.ownersNear(0), ElementsAre(7u));
  EXPECT_THAT(File.ownersNear(5), ElementsAre(8u, 9u));
  EXPECT_EQ(File.offsetOf(2, 2), 5u);
  EXPECT_EQ(File.offsetOf(9, 1), File.text().size());
  EXPECT_EQ(File.lineAndColumn(7), std::pair(3u, 1u));
}

TEST(RewrittenText, WithoutEditsAllIsOld) {
  const RewrittenFile File("x\n", {});
  EXPECT_EQ(File.text(), "x\n");
  EXPECT_EQ(File.oldOffset(1), 1u);
  EXPECT_THAT(File.ownersNear(1), IsEmpty());
}
