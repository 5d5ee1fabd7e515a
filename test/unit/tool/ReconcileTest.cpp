// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "tool/Reconcile.h"
#include "Support.h"
#include "tool/Report.h"
#include "gmock/gmock.h"

using namespace barricade;
using namespace barricade::test;
using testing::ElementsAre;
using testing::Field;
using testing::IsEmpty;
using testing::SizeIs;

namespace {

const Edit Barrier{"/a.cuh", 90, 0, "__syncthreads();\n"};

TEST(Reconcile, OneRefusalWins) {
  auto Result =
      reconcile({makeFinding(Verdict::Rewrite, "/a.cuh", 10, {Barrier}),
                 makeFinding(Verdict::Refused, "/a.cuh", 10, {},
                             {makeReason("divergent-loop", "/a.cuh", 20)}),
                 makeFinding(Verdict::Rewrite, "/a.cuh", 10, {Barrier})});
  ASSERT_THAT(Result, SizeIs(1));
  EXPECT_EQ(Result[0].Outcome, Verdict::Refused);
  EXPECT_THAT(Result[0].Edits, IsEmpty());
  EXPECT_THAT(Result[0].Reasons,
              ElementsAre(Field(&Reason::Id, "divergent-loop")));
}

TEST(Reconcile, KeepsReasonsOfAllOnce) {
  auto Result = reconcile({makeFinding(Verdict::Refused, "/a.cuh", 10, {},
                                       {makeReason("one", "/a.cuh", 20)}),
                           makeFinding(Verdict::Refused, "/a.cuh", 10, {},
                                       {makeReason("one", "/a.cuh", 20),
                                        makeReason("one", "/a.cuh", 30),
                                        makeReason("two", "/a.cuh", 20)})});
  ASSERT_THAT(Result, SizeIs(1));
  EXPECT_THAT(Result[0].Reasons, ElementsAre(makeReason("one", "/a.cuh", 20),
                                             makeReason("one", "/a.cuh", 30),
                                             makeReason("two", "/a.cuh", 20)));
}

TEST(Reconcile, KeepsFactsOfAll) {
  Finding First = makeFinding(Verdict::Rewrite, "/a.cuh", 10, {Barrier});
  Finding Second = makeFinding(Verdict::Refused, "/a.cuh", 10, {},
                               {makeReason("one", "/a.cuh", 20)});
  First.Facts = {{"instructions", int64_t(7), ""}};
  Second.Facts = {{"uniform", false, ""}};
  auto Result = reconcile({First, Second});
  ASSERT_THAT(Result, SizeIs(1));
  EXPECT_THAT(Result[0].Facts, ElementsAre(Second.Facts[0], First.Facts[0]));
}

TEST(Reconcile, KeepsAlternativesThatAllHave) {
  const Edit Other{"/a.cuh", 95, 0, "__syncthreads();\n"};
  Finding First = makeFinding(Verdict::Rewrite, "/a.cuh", 10, {Barrier});
  Finding Second = First;
  First.Instead = {makeFinding(Verdict::Rewrite, "/a.cuh", 10, {Other}),
                   makeFinding(Verdict::Rewrite, "/a.cuh", 10, {})};
  Second.Instead = {makeFinding(Verdict::Rewrite, "/a.cuh", 10, {}),
                    makeFinding(Verdict::NotProfitable, "/a.cuh", 10, {Other})};
  auto Result = reconcile({First, Second});
  ASSERT_THAT(Result, SizeIs(1));
  EXPECT_THAT(Result[0].Instead,
              ElementsAre(Field(&Finding::Edits, IsEmpty())));
  EXPECT_THAT(reconcile({First, First})[0].Instead, SizeIs(2));
}

TEST(Reconcile, RefusesAlternativesToo) {
  Finding First = makeFinding(Verdict::Rewrite, "/a.cuh", 10, {Barrier});
  First.Instead = {makeFinding(Verdict::Rewrite, "/a.cuh", 10, {})};
  Finding Second = First;
  Second.Edits.clear();
  auto Result = reconcile({First, Second});
  ASSERT_THAT(Result, SizeIs(1));
  EXPECT_EQ(Result[0].Outcome, Verdict::Refused);
  EXPECT_THAT(Result[0].Instead, IsEmpty());
}

TEST(Reconcile, KeepsChangesOfAll) {
  using Kind = FunctionChange::Kind;
  Finding First = makeFinding(Verdict::Rewrite, "/a.cuh", 10, {Barrier});
  Finding Second = First;
  First.Changes = {{Kind::Step, "c:@F@a<1, 2>"}, {Kind::Step, "c:@F@b"}};
  Second.Changes = {{Kind::Step, "c:@F@b"}, {Kind::LogicalThreads, "c:@F@c"}};
  auto Result = reconcile({First, Second});
  ASSERT_THAT(Result, SizeIs(1));
  EXPECT_THAT(Result[0].Changes, ElementsAre(First.Changes[0], First.Changes[1],
                                             Second.Changes[1]));
  Finding Loop;
  Loop.Changes = {{Kind::Barrier, "c:@F@c"}};
  EXPECT_TRUE(Loop.meets(Kind::Barrier, Result[0], {Kind::LogicalThreads}));
  EXPECT_FALSE(Loop.meets(Kind::Barrier, Result[0], {Kind::Step}));
  Loop.Changes = {{Kind::Barrier, "c:@F@a"}};
  EXPECT_FALSE(
      Loop.meets(Kind::Barrier, Result[0], {Kind::Step, Kind::LogicalThreads}));
}

TEST(Reconcile, RewritesThatDifferRefuseEachOther) {
  Edit Other = Barrier;
  Other.Text = "__syncwarp();\n";
  auto Result =
      reconcile({makeFinding(Verdict::Rewrite, "/a.cuh", 10, {Barrier}),
                 makeFinding(Verdict::Rewrite, "/a.cuh", 10, {Other})});
  ASSERT_THAT(Result, SizeIs(1));
  EXPECT_EQ(Result[0].Outcome, Verdict::Refused);
  EXPECT_THAT(Result[0].Edits, IsEmpty());
  EXPECT_THAT(Result[0].Reasons,
              ElementsAre(Field(&Reason::Id, "conflicting-edits")));
}

TEST(Reconcile, ARefusalStaysAfterAConflict) {
  Edit Other = Barrier;
  Other.Offset = 91;
  auto Result =
      reconcile({makeFinding(Verdict::Rewrite, "/a.cuh", 10, {Barrier}),
                 makeFinding(Verdict::Rewrite, "/a.cuh", 10, {Other}),
                 makeFinding(Verdict::Rewrite, "/a.cuh", 10, {Barrier})});
  ASSERT_THAT(Result, SizeIs(1));
  EXPECT_EQ(Result[0].Outcome, Verdict::Refused);
  EXPECT_THAT(Result[0].Reasons, SizeIs(1));
}

TEST(Reconcile, NotProfitableWinsOverRewrite) {
  auto Result =
      reconcile({makeFinding(Verdict::Rewrite, "/a.cuh", 10, {Barrier}),
                 makeFinding(Verdict::NotProfitable, "/a.cuh", 10, {Barrier},
                             {makeReason("low-ratio", "/a.cuh", 10)})});
  ASSERT_THAT(Result, SizeIs(1));
  EXPECT_EQ(standing(Result[0]), Standing::NotProfitable);
}

TEST(Reconcile, OrdersByFirstAppearanceThenOffset) {
  auto Result = reconcile({makeFinding(Verdict::Refused, "/z.cu", 30),
                           makeFinding(Verdict::Refused, "/a.cuh", 5),
                           makeFinding(Verdict::Refused, "/z.cu", 10),
                           makeFinding(Verdict::Refused, "/a.cuh", 5)});
  ASSERT_THAT(Result, SizeIs(3));
  EXPECT_EQ(Result[0].Where.Offset, 10u);
  EXPECT_EQ(Result[1].Where.Offset, 30u);
  EXPECT_EQ(Result[2].Where.File, "/a.cuh");
}

TEST(Reconcile, DifferentRulesDoNotMeet) {
  Finding Other = makeFinding(Verdict::Refused, "/a.cu", 10);
  Other.Rule = "grid-barrier";
  EXPECT_THAT(reconcile({makeFinding(Verdict::Refused, "/a.cu", 10), Other}),
              SizeIs(2));
}

TEST(HoldBack, TheLaterOfTwoThatOverlap) {
  std::vector<Finding> Findings = {
      makeFinding(Verdict::Rewrite, "/a.cu", 10, {{"/a.cu", 90, 0, "}\n"}}),
      makeFinding(Verdict::Rewrite, "/a.cu", 20, {{"/a.cu", 90, 0, "}\n"}}),
      makeFinding(Verdict::Rewrite, "/a.cu", 30, {{"/a.cu", 95, 0, "}\n"}})};
  holdBackOverlaps(Findings);
  EXPECT_EQ(standing(Findings[0]), Standing::Applies);
  EXPECT_EQ(standing(Findings[1]), Standing::HeldBack);
  EXPECT_THAT(Findings[1].Reasons,
              ElementsAre(Field(&Reason::Id, "overlapping-edit")));
  EXPECT_EQ(standing(Findings[2]), Standing::Applies);
}

TEST(HoldBack, OneThatIsHeldBackBlocksNobody) {
  std::vector<Finding> Findings = {
      makeFinding(Verdict::Rewrite, "/a.cu", 10, {{"/a.cu", 90, 5, "x"}}),
      makeFinding(Verdict::Rewrite, "/a.cu", 20,
                  {{"/a.cu", 92, 0, "y"}, {"/a.cu", 50, 0, "y"}}),
      makeFinding(Verdict::Rewrite, "/a.cu", 30, {{"/a.cu", 50, 0, "z"}})};
  holdBackOverlaps(Findings);
  EXPECT_EQ(standing(Findings[1]), Standing::HeldBack);
  EXPECT_EQ(standing(Findings[2]), Standing::Applies);
}

TEST(HoldBack, IncludesMayBeShared) {
  const Edit Include{"/a.cu", 0, 0, "#include \"barricade/gpu_sync.cuh\"\n"};
  std::vector<Finding> Findings = {
      makeFinding(Verdict::Rewrite, "/a.cu", 10, {Include}),
      makeFinding(Verdict::Rewrite, "/a.cu", 20, {Include})};
  holdBackOverlaps(Findings);
  EXPECT_EQ(standing(Findings[1]), Standing::Applies);
  EXPECT_THAT(editsToApply(Findings).at("/a.cu"), SizeIs(1));
}

TEST(HoldBack, AFindingMayInsertTwiceAtOnePlace) {
  std::vector<Finding> Findings = {
      makeFinding(Verdict::Rewrite, "/a.cu", 10,
                  {{"/a.cu", 90, 0, "}\n"}, {"/a.cu", 90, 0, "}\n"}})};
  holdBackOverlaps(Findings);
  EXPECT_EQ(standing(Findings[0]), Standing::Applies);
  EXPECT_THAT(editsToApply(Findings).at("/a.cu"), SizeIs(2));
}

TEST(HoldBack, AFindingAtOddsWithItself) {
  std::vector<Finding> Findings = {
      makeFinding(Verdict::Rewrite, "/a.cu", 10,
                  {{"/a.cu", 90, 4, "x"}, {"/a.cu", 92, 4, "y"}})};
  holdBackOverlaps(Findings);
  EXPECT_EQ(standing(Findings[0]), Standing::HeldBack);
}

TEST(SourceTexts, NoticeAChange) {
  SourceTexts Texts, Later;
  Texts.add("/a.cuh", "one");
  Later.add("/a.cuh", "two");
  EXPECT_FALSE(Texts.changedDuringRun("/a.cuh"));
  Texts.merge(Later);
  EXPECT_TRUE(Texts.changedDuringRun("/a.cuh"));
  EXPECT_EQ(*Texts.find("/a.cuh"), "one");
  EXPECT_EQ(Texts.find("/b.cuh"), nullptr);
}

} // namespace
