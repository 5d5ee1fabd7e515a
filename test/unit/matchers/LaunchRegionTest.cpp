// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between which points the host gives the device nothing but launches.

#include "matchers/launch-region/LaunchRegion.h"
#include "HostSnippet.h"
#include <gmock/gmock.h>

using namespace barricade;
using namespace barricade::launch_region;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

/// How many launches each region of a function with the body has.
std::vector<size_t> sizes(const std::string &Body,
                          Between Allowed = Between::NoWaits) {
  test::HostSnippet Parsed("__global__ void k(int *a, int n) {}\n"
                           "void unknown(); int halved(int n) { return n / 2; "
                           "}\n"
                           "void f(int *a, int *b, int n) {\n" +
                           Body + "\n}\n");
  std::vector<size_t> Result;
  for (const LaunchRegion &R : findLaunchRegions(Parsed.pass(), Allowed))
    Result.push_back(R.Launches.size());
  return Result;
}

constexpr const char *Launch = "k<<<n, 64>>>(a, n);";
std::string loop(const std::string &Body) {
  return "for (int i = 0; i < n; ++i) { " + Body + " }";
}

TEST(LaunchRegion, HoldsLaunchesThatMayFollowOneAnother) {
  EXPECT_THAT(sizes(loop(Launch)), ElementsAre(1));
  EXPECT_THAT(sizes(std::string(Launch) + Launch), ElementsAre(2));
  EXPECT_THAT(sizes(Launch), IsEmpty());
  EXPECT_THAT(sizes(std::string(Launch) + "int m = halved(n);" + Launch),
              ElementsAre(2));
  EXPECT_THAT(sizes(loop(std::string(Launch) + "std::swap(a, b);")),
              ElementsAre(1));
}

TEST(LaunchRegion, EndsAtWhatGivesTheDeviceWork) {
  const std::string Copy = "cudaMemcpy(b, a, 4, cudaMemcpyDeviceToHost);";
  EXPECT_THAT(sizes(Launch + Copy + Launch), IsEmpty());
  EXPECT_THAT(sizes(loop(Launch) + Copy + loop(Launch)), ElementsAre(1, 1));
  EXPECT_THAT(sizes(std::string(Launch) + "unknown();" + Launch), IsEmpty());
}

TEST(LaunchRegion, WaitsAreForSomeOnly) {
  const std::string Waits =
      std::string(Launch) + "cudaDeviceSynchronize();" + Launch;
  EXPECT_THAT(sizes(Waits), IsEmpty());
  EXPECT_THAT(sizes(Waits, Between::Waits), ElementsAre(2));
}

TEST(LaunchRegion, LeavesWhatOthersTake) {
  test::HostSnippet Parsed("__global__ void k(int *a, int n) {}\n"
                           "void f(int *a, int n) {\n" +
                           loop(Launch) + Launch + Launch + "}\n");
  const auto Regions = findLaunchRegions(
      Parsed.pass(), Between::NoWaits, [](const clang::Stmt &S) {
        return isLoop(S) ? Taken::Whole : Taken::Not;
      });
  ASSERT_EQ(Regions.size(), 2u);
  EXPECT_TRUE(isLoop(*Regions[0].First));
  EXPECT_EQ(Regions[1].Launches.size(), 2u);
}

} // namespace
