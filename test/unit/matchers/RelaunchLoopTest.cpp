// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a host loop of launches does besides launching.

#include "matchers/grid-barrier/RelaunchLoop.h"
#include "RelaunchSnippet.h"
#include "matchers/Blocker.h"
#include <gmock/gmock.h>

using namespace barricade;
using namespace barricade::grid_barrier;
using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// The outermost loop of a function with the body; its kernels may all be
/// steps.
struct Read : test::RelaunchSnippet {
  explicit Read(const std::string &Body)
      : RelaunchSnippet(
            "__global__ void k(int *a, int *b, int n) {}\n"
            "int halved(int n) { return n / 2; }\n"
            "int f(int *a, int *b, int n, dim3 grid) { int m = 0;\n" +
            Body + "\nreturn m; }\n") {}

  std::vector<std::string> reasons() const {
    std::vector<std::string> Ids;
    for (const Blocker &H : Loop.Blockers)
      Ids.push_back(H.Why.Id.str());
    return Ids;
  }
  template <typename Range>
  static std::vector<std::string> names(const Range &Variables) {
    std::vector<std::string> Names;
    for (const clang::VarDecl *Var : Variables)
      Names.push_back(Var->getNameAsString());
    return Names;
  }
};

TEST(RelaunchLoop, FindsOnlyLoopsOfLaunches) {
  EXPECT_EQ(Read("for (int i = 0; i < n; ++i) ++m;").Loop.Loop, nullptr);
  EXPECT_EQ(Read("k<<<1, 64>>>(a, b, n);").Loop.Loop, nullptr);
}

TEST(RelaunchLoop, TakesArithmeticAndSwaps) {
  Read R("for (int i = 0; i < n; ++i) { k<<<grid, 64>>>(a, b, i); "
         "std::swap(a, b); m += i; }");
  EXPECT_THAT(R.reasons(), IsEmpty());
  EXPECT_EQ(R.Loop.Launches.size(), 1u);
  EXPECT_THAT(Read::names(R.Loop.LiveOn), ElementsAre("m"));
  EXPECT_EQ(R.Loop.Grids, GridForm::Same);
  EXPECT_FALSE(R.Loop.Waits);
}

TEST(RelaunchLoop, KnowsWhatWaits) {
  Read R("for (int i = 0; i < n; ++i) { k<<<1, 64>>>(a, b, i); "
         "cudaDeviceSynchronize(); }");
  EXPECT_THAT(R.reasons(), IsEmpty());
  EXPECT_TRUE(R.Loop.Waits);
}

// A barrier is left out behind what the loop ends with, if what it begins with
// is stored in one.
TEST(RelaunchLoop, FindsRoundTrips) {
  const auto Trips = [](const std::string &Body) {
    Read R("do { " + Body + " } while (m);");
    EXPECT_THAT(R.reasons(), IsEmpty()) << Body;
    std::vector<bool> Found;
    for (const LoopAction &A : R.Loop.Actions)
      if (A.isCopy())
        Found.push_back(A.OfRoundTrip);
    return Found;
  };
  const std::string Up = "cudaMemcpy(b, &m, 4, cudaMemcpyHostToDevice); ",
                    Launch = "k<<<1, 64>>>(a, b, n); ",
                    Back = "cudaMemcpy(&m, b, 4, cudaMemcpyDeviceToHost); ";
  EXPECT_THAT(Trips("m = 0; " + Up + Launch + Back + "++n;"),
              ElementsAre(true, true));
  EXPECT_THAT(Trips(Up + Launch + Back + Back), ElementsAre(true, true, true));
  EXPECT_THAT(Trips(Up + Back + Launch + Back), ElementsAre(true, false, true));
  // Something else comes first, or last, or not in each iteration.
  EXPECT_THAT(Trips(Launch + Up + Launch + Back), ElementsAre(false, false));
  EXPECT_THAT(Trips(Up + Launch + Back + Launch), ElementsAre(false, false));
  EXPECT_THAT(Trips("if (n > 3) { " + Up + "} " + Launch + Back),
              ElementsAre(false, false));
  EXPECT_THAT(Trips(Up + Launch + "if (n > 3) { " + Back + "} else m = 0;"),
              ElementsAre(false, false));
  EXPECT_THAT(
      Trips(Up + "for (int i = 0; i < n; ++i) { " + Launch + Back + "}"),
      ElementsAre(false, false));
}

TEST(RelaunchLoop, ComputesGrids) {
  Read R("for (int i = n; i > 0; i /= 2) k<<<i, 64>>>(a, b, i);");
  EXPECT_THAT(R.reasons(), IsEmpty());
  EXPECT_EQ(R.Loop.Grids, GridForm::Computed);
}

TEST(RelaunchLoop, RefusesOtherWork) {
  const auto Reasons = [](const char *Statement) {
    return Read(std::string("for (int i = 0; i < n; ++i) { k<<<1, 64>>>(a, b, "
                            "i); ") +
                Statement + " }")
        .reasons();
  };
  EXPECT_THAT(Reasons("printf(\"%d\", i);"), Contains("host-call"));
  EXPECT_THAT(Reasons("a[i] = 0;"), Contains("host-memory"));
  EXPECT_THAT(Reasons("int *p = &m; *p = 3;"), testing::Not(IsEmpty()));
  EXPECT_THAT(Reasons("if (i == 3) goto out; out:;"), testing::Not(IsEmpty()));
}

} // namespace
