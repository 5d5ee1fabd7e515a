// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What kernels that become one take of a multiprocessor together.

#include "matchers/launch-fusion/FusedResources.h"
#include "HostSnippet.h"
#include "matchers/source/DeviceLimits.h"
#include <map>

using namespace barricade;
using namespace barricade::launch_fusion;

namespace {

TEST(FusedResources, CountsResidentBlocks) {
  // Threads, then blocks, then shared memory are the limit.
  EXPECT_EQ(residentBlocks(90, 1024, 0), 2u);
  EXPECT_EQ(residentBlocks(90, 1023, 0), 2u);
  EXPECT_EQ(residentBlocks(90, 65, 0), 31u);
  EXPECT_EQ(residentBlocks(90, 64, 0), 32u);
  EXPECT_EQ(residentBlocks(90, 1, 0), 32u);
  EXPECT_EQ(residentBlocks(90, 64, 47 * 1024), 4u);
  EXPECT_EQ(residentBlocks(90, 64, 56 * 1024), 4u);
  EXPECT_EQ(residentBlocks(90, 64, 56 * 1024 + 1), 3u);
  EXPECT_EQ(residentBlocks(80, 64, 40 * 1024), 4u);
  EXPECT_EQ(residentBlocks(80, 64, 40 * 1024 + 1), 3u);
  EXPECT_EQ(residentBlocks(86, 512, 0), 3u);
  EXPECT_EQ(residentBlocks(89, 64, 0), 24u);
  // Before sm_80, nothing is reserved.
  EXPECT_EQ(residentBlocks(75, 64, 32 * 1024), 2u);
  EXPECT_EQ(residentBlocks(75, 64, 32 * 1024 + 1), 1u);
  EXPECT_EQ(residentBlocks(75, 2048, 0), 0u);
  // An architecture that is not known has no more than any other.
  for (unsigned Sm : {75u, 80u, 86u, 87u, 89u, 90u, 100u, 103u})
    for (uint64_t Bytes : {0, 1024, 16384})
      EXPECT_LE(residentBlocks(200, 128, Bytes), residentBlocks(Sm, 128, Bytes))
          << Sm << " " << Bytes;
}

const std::string Kernels =
    "#define BOUNDS(...) __attribute__((launch_bounds(__VA_ARGS__)))\n"
    "#define SIZE 128\nconstexpr int Size = 64 * 2;\n"
    "__global__ void a(float *x) {}\n__global__ void b(float *x) {}\n"
    "__global__ void BOUNDS(128) c(float *x) {}\n"
    "__global__ void BOUNDS(SIZE) d(float *x) {}\n"
    "__global__ void BOUNDS(Size) d2(float *x) {}\n"
    "__global__ void BOUNDS(256) e(float *x) {}\n"
    "__global__ void BOUNDS(128, 2) g(float *x) {}\n"
    "__global__ void BOUNDS(Size, 1 + 1) h(float *x) {}\n";

struct Asked {
  explicit Asked(const std::string &Body)
      : Code(Kernels + "void f(float *x) {\n" + Body + "\n}\n") {
    Whole.Passes = {Code.pass()};
    Whole.TargetSms = {90};
  }

  std::string text() {
    const auto All = findLaunchSequences(Code.pass());
    if (All.size() != 1) {
      ADD_FAILURE() << All.size() << " sequences";
      return "";
    }
    std::vector<KernelViews> Views;
    for (const SequencedLaunch &L : All.front().Launches) {
      auto &Steps = Known[L.Kernel->getNameAsString()];
      Views.emplace_back();
      for (const auto &Step : Steps)
        Views.back().push_back(&Step);
    }
    const FusedResources R =
        checkResources(All.front(), Views, Whole, Code.context());
    std::string Text =
        std::to_string(R.StaticSharedBytes) + " " + R.LaunchBounds;
    for (const Blocker &B : R.Blockers)
      Text += B.Why.Id.str() + " ";
    return llvm::StringRef(Text).rtrim().str();
  }

  /// What a pass knows of the kernel.
  Asked &knows(const std::string &Kernel, uint64_t Shared, bool Traps = false) {
    grid_barrier::StepKernel Step;
    Step.StaticSharedBytes = Shared;
    Step.MayTrap = Traps;
    Known[Kernel].push_back(Step);
    return *this;
  }

  test::HostSnippet Code;
  Program Whole;
  std::map<std::string, std::vector<grid_barrier::StepKernel>> Known;
};

std::string launching(const std::string &First, const std::string &Second,
                      const std::string &Block = "64") {
  return First + "<<<8, " + Block + ">>>(x); " + Second + "<<<8, " + Block +
         ">>>(x);";
}
std::string boundsOf(const std::string &First, const std::string &Second) {
  return Asked(launching(First, Second)).text();
}

TEST(FusedResources, AsksForTheSameBounds) {
  EXPECT_EQ(boundsOf("a", "b"), "0");
  EXPECT_EQ(boundsOf("c", "d"), "0 __launch_bounds__(128)");
  EXPECT_EQ(boundsOf("d2", "c"), "0 __launch_bounds__(128)");
  EXPECT_EQ(boundsOf("g", "h"), "0 __launch_bounds__(128, 2)");
  EXPECT_EQ(boundsOf("a", "c"), "0 launch-bounds");
  EXPECT_EQ(boundsOf("c", "a"), "0 __launch_bounds__(128) launch-bounds");
  EXPECT_EQ(boundsOf("c", "e"), "0 __launch_bounds__(128) launch-bounds");
  EXPECT_EQ(boundsOf("c", "g"), "0 __launch_bounds__(128) launch-bounds");
}

TEST(FusedResources, AddsSharedMemory) {
  const auto Sum = [](uint64_t A, uint64_t B, const std::string &Block) {
    return Asked(launching("a", "b", Block)).knows("a", A).knows("b", B).text();
  };
  EXPECT_EQ(Sum(0, 0, "64"), "0");
  EXPECT_EQ(Sum(1024, 2048, "64"), "3072");
  // As many blocks fit as before: 228 KiB are for 32.
  EXPECT_EQ(Sum(3072, 3072, "64"), "6144");
  EXPECT_EQ(Sum(3072, 3300, "64"), "6372 shared-memory");
  EXPECT_EQ(Sum(8192, 8192, "64"), "16384 shared-memory");
  EXPECT_EQ(Sum(8192, 8192, "1024"), "16384");
  EXPECT_EQ(Sum(8192, 0, "64"), "8192");
  // More than a kernel may have.
  EXPECT_EQ(MaxStaticSharedBytes, 49152u);
  EXPECT_EQ(Sum(24576, 24576, "1024"), "49152");
  EXPECT_EQ(Sum(24576, 24577, "1024"), "49153 shared-memory");
}

TEST(FusedResources, CountsAKernelOnce) {
  EXPECT_EQ(Asked(launching("a", "a")).knows("a", 8192).text(), "8192");
  EXPECT_EQ(Asked(launching("a", "b") + launching("a", "b"))
                .knows("a", 1024)
                .knows("b", 1024)
                .text(),
            "2048");
}

TEST(FusedResources, TakesTheMostOfAllPasses) {
  EXPECT_EQ(Asked(launching("a", "b"))
                .knows("a", 512)
                .knows("a", 2048)
                .knows("a", 1024)
                .knows("b", 16)
                .text(),
            "2064");
}

TEST(FusedResources, AsksForAllArchitectures) {
  Asked A(launching("a", "b", "256"));
  A.knows("a", 12288).knows("b", 12288);
  EXPECT_EQ(A.text(), "24576");
  A.Whole.TargetSms = {90, 75};
  EXPECT_EQ(A.text(), "24576 shared-memory");
}

TEST(FusedResources, RefusesWhatMayTrap) {
  EXPECT_EQ(Asked(launching("a", "b")).knows("a", 0, true).text(), "0 trap");
  EXPECT_EQ(Asked(launching("a", "b")).knows("b", 0).knows("b", 0, true).text(),
            "0 trap");
}

} // namespace
