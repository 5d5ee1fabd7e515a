// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Between which points the host gives the device nothing but launches.

#include "matchers/launch-region/LaunchRegion.h"
#include "HostSnippet.h"
#include <gmock/gmock.h>
#include <tuple>

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
                           "struct Last { int n; ~Last() { n = 0; } };\n"
                           "struct Copied { int *from; ~Copied() { int to; "
                           "cudaMemcpy(&to, from, 4, cudaMemcpyDeviceToHost); "
                           "} };\n"
                           "template <class T> struct Slot { T last; };\n"
                           "template <class T> void drop(T *t) { t->~T(); }\n"
                           "Slot<Last> *quiet; Slot<Copied> *loud;\n"
                           "__attribute__((weak)) void weak() {}\n"
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

/// Of each region of a function with the body: how many launches and pauses it
/// has, and whether something in it is loud.
std::vector<std::tuple<size_t, size_t, bool>>
parts(const std::string &Body, Between Allowed = Between::Pauses) {
  test::HostSnippet Parsed("__global__ void k(int *a, int n) {}\n"
                           "void unknown();\n"
                           "void f(int *a, int n, volatile int *flag) {\n" +
                           Body + "\n}\n");
  std::vector<std::tuple<size_t, size_t, bool>> Result;
  for (const LaunchRegion &R : findLaunchRegions(Parsed.pass(), Allowed))
    Result.emplace_back(R.Launches.size(), R.Pauses.size(), R.Blocker);
  return Result;
}

/// Of each region of `f`, by the launches' functions: `-` for its own.
std::vector<std::string> launchers(const std::string &Body,
                                   const std::string &Before = "") {
  test::HostSnippet Parsed("__global__ void k(int *a, int n) {}\n"
                           "void unknown();\n"
                           "static void one(int *a, int n) {\n"
                           "  k<<<1, 64>>>(a, n);\n}\n"
                           "static void two(int *a, int n) {\n"
                           "  one(a, n);\n  k<<<1, 64>>>(a, n);\n}\n" +
                           Before + "\nvoid f(int *a, int n, bool b) {\n" +
                           Body + "\n}\n");
  std::vector<std::string> Result;
  for (const LaunchRegion &R :
       findLaunchRegions(Parsed.pass(), Between::Pauses)) {
    if (R.Function->getNameAsString() != "f")
      continue;
    std::string &Names = Result.emplace_back();
    for (const RegionLaunch &L : R.Launches)
      Names += L.Launcher ? L.Launcher->getNameAsString() + " " : "- ";
  }
  return Result;
}

TEST(LaunchRegion, LooksThroughFunctionsThatLaunch) {
  EXPECT_THAT(launchers(loop("one(a, n);")), ElementsAre("one "));
  EXPECT_THAT(launchers(loop("two(a, n);")), ElementsAre("two one "));
  EXPECT_THAT(launchers(loop("k<<<1, 1>>>(a, n); one(a, n); one(a, i);")),
              ElementsAre("one - "));
  EXPECT_THAT(launchers(loop("one(a, n); if (b) unknown();")),
              ElementsAre("one "));
  // Only loops are.
  EXPECT_THAT(launchers("one(a, n); one(a, n);"), IsEmpty());
  // What stands beside a loop does not belong to it.
  EXPECT_THAT(launchers(loop("one(a, n);") + loop("k<<<1, 1>>>(a, n);")),
              ElementsAre("one ", "- "));
  EXPECT_THAT(launchers(loop("one(a, n); unknown();")), IsEmpty());
  EXPECT_THAT(launchers("while (*a) one(a, n);"), ElementsAre("one "));
  EXPECT_THAT(launchers(loop("maybe(a, n);"),
                        "static int maybe(int *a, int n) {\n"
                        "  if (n > 3) return 1;\n  k<<<1, 64>>>(a, n);\n"
                        "  return 2;\n}"),
              ElementsAre("maybe "));
  EXPECT_THAT(launchers("while (*a) maybe(a, n);",
                        "static void maybe(int *a, int n) {\n"
                        "  if (n > 3) return;\n  k<<<1, 64>>>(a, n);\n}"),
              IsEmpty());
  EXPECT_THAT(launchers(loop("several(a, n);"),
                        "static void several(int *a, int n) {\n"
                        "  while (n--) one(a, n);\n}"),
              IsEmpty());
  EXPECT_THAT(launchers(loop("outer(a, n);"),
                        "static void several(int *a, int n) {\n"
                        "  while (n--) one(a, n);\n}\n"
                        "static void outer(int *a, int n) {\n"
                        "  several(a, n);\n}"),
              IsEmpty());
  EXPECT_THAT(launchers(loop("s.end();"),
                        "struct S { ~S() { k<<<1, 1>>>(0, 1); } void end() "
                        "{ S other; k<<<1, 1>>>(0, 1); } } s;"),
              IsEmpty());
}

TEST(LaunchRegion, PausesInBranchesThatMayDoAnything) {
  const auto OnePause = ElementsAre(std::tuple(1, 1, false));
  for (const char *Branch :
       {"if (i % 9 == 0) unknown();", "if (i) n += 2; else unknown();",
        "if (i) { unknown(); break; }",
        "if (i) { k<<<1, 1>>>(a, n); cudaDeviceSynchronize(); }",
        "if (i) { if (n) { unknown(); } n += 1; }",
        "if (i) { while (*flag) { } }",
        "if (i) switch (n) { case 1: unknown(); }"})
    EXPECT_THAT(parts(loop(std::string(Launch) + Branch)), OnePause) << Branch;
  EXPECT_THAT(parts(loop(loop(Launch) + "if (i == 7) unknown();")), OnePause);
  EXPECT_THAT(
      parts(loop(std::string(Launch) + "if (i) unknown();"), Between::NoWaits),
      ElementsAre(std::tuple(1, 0, true)));
}

TEST(LaunchRegion, DoesNotPauseInEachIteration) {
  const auto Loud = ElementsAre(std::tuple(1, 0, true));
  for (const char *Part : {"unknown();", "if (*flag) unknown();",
                           "while (*flag) if (i) unknown();",
                           "switch (n) { case 1: if (i) case 2: unknown(); }",
                           "if (i) { again: unknown(); } if (n) goto again;"})
    EXPECT_THAT(parts(loop(std::string(Launch) + Part)), Loud) << Part;
  // What a loop in it launches is a region of its own.
  EXPECT_THAT(parts(loop(std::string(Launch) + "if (i) { unknown(); " +
                         loop(Launch) + " }")),
              ElementsAre(std::tuple(1, 0, false)));
}

TEST(LaunchRegion, SeesWhatRunsWithoutACall) {
  const auto Between = [](const char *Call) {
    return sizes(std::string(Launch) + Call + Launch);
  };
  for (const char *Quiet : {"quiet->~Slot();", "drop(quiet);"})
    EXPECT_THAT(Between(Quiet), ElementsAre(2)) << Quiet;
  for (const char *Loud :
       {"loud->~Slot();", "drop(loud);", "loud->last.~Copied();", "weak();"})
    EXPECT_THAT(Between(Loud), IsEmpty()) << Loud;
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

/// How many instances each region of a template with the body has, which
/// `Uses` makes.
std::vector<size_t> instances(const std::string &Body,
                              const std::string &Uses) {
  test::HostSnippet Parsed(
      "template <class T> __global__ void k(T *a, int n) {}\n"
      "void unknown(); void quiet(int) {} void quiet(float) {}\n"
      "template <class T> void one(T) {}\n"
      "template <class T> void f(T *a, int n) {\n" +
      Body + "\n}\n" + Uses);
  std::vector<size_t> Result;
  for (const LaunchRegion &R :
       findLaunchRegions(Parsed.pass(), Between::NoWaits))
    if (R.Function->getNameAsString() == "f")
      Result.push_back(R.Instances.size());
  return Result;
}

TEST(LaunchRegion, ReadsInstances) {
  const std::string Launch = "k<T><<<n, 64>>>(a, n);";
  const std::string Two = "void g(int *a, float *b) { f(a, 1); f(b, 1); }\n";
  EXPECT_THAT(instances(loop(Launch), Two), ElementsAre(2));
  EXPECT_THAT(instances(loop(Launch + "one(T(1));"), Two), ElementsAre(0));
  EXPECT_THAT(instances(loop(Launch) + "unknown();" + loop(Launch), Two),
              ElementsAre(2, 2));
  EXPECT_THAT(instances(loop(Launch), "template void f(int *, int);"),
              ElementsAre(1));
  EXPECT_THAT(instances(Launch + "unknown();" + Launch, Two), IsEmpty());
}

TEST(LaunchRegion, KnowsNothingOfTemplatesWhereInstancesTellNotAll) {
  const std::string Launch = "k<T><<<n, 64>>>(a, n);";
  const std::string Two = "void g(int *a, float *b) { f(a, 1); f(b, 1); }\n";
  EXPECT_THAT(instances(loop(Launch), ""), ElementsAre(0));
  EXPECT_THAT(instances(loop(Launch + "quiet(T(1));"), Two), ElementsAre(0));
  EXPECT_THAT(
      instances(loop(Launch + "if constexpr (sizeof(T) == 8) unknown();"), Two),
      ElementsAre(0));
  EXPECT_THAT(instances(loop(Launch + "if constexpr (T(0.5)) " + Launch), Two),
              ElementsAre(0));
  EXPECT_THAT(
      instances(loop(Launch), Two + "#ifdef MORE\ntemplate void f(double *, "
                                    "int);\n#endif\n"),
      ElementsAre(0));
}

} // namespace
