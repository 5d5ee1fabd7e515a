// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels run on small grids, thread by thread.

#include "matchers/fence-as-barrier/SmallGrid.h"
#include "Snippet.h"
#include "matchers/facts/KernelEffects.h"

using namespace barricade;
using namespace barricade::fence_as_barrier;

namespace {

/// What the threads of two blocks of two do: "w8" writes at byte 8, "r0" reads
/// at byte 0, "|" comes between threads; "-" where they cannot be followed.
std::string traceOf(const std::string &Body) {
  test::Snippet Parsed("__device__ int unknown();\n"
                       "__global__ void k(int *a, int n, float4 v) {\n"
                       "int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
                       Body + "\n}\n");
  const KernelEffects Effects =
      collectKernelEffects(Parsed.function(), /*RestrictParams=*/false);
  SmallGrid Grid(Effects, {{2, 1, 1}, {2, 1, 1}});
  const auto Traces =
      Grid.run([](const HostValue &, clang::QualType) { return 3; });
  if (!Traces)
    return "-";
  std::string Text;
  for (const ThreadTrace &Trace : *Traces) {
    for (const MemoryEvent &E : Trace.Accesses)
      Text += (E.IsStore ? "w" : "r") + std::to_string(E.Where.Offset) + " ";
    Text += "|";
  }
  return Text;
}

TEST(SmallGrid, RunsThreads) {
  EXPECT_EQ(traceOf("a[i] = 1;"), "w0 |w4 |w8 |w12 |");
  EXPECT_EQ(traceOf("if (i == n) a[0] = a[1];"), "|||r4 w0 |");
  EXPECT_EQ(traceOf("for (int j = 0; j < 2; ++j) a[j] = 1;"),
            "w0 w4 |w0 w4 |w0 w4 |w0 w4 |");
}

TEST(SmallGrid, TellsNothingThatIsNotSure) {
  // A branch that depends on what memory holds: what follows is not sure.
  EXPECT_EQ(traceOf("if (a[0]) a[1] = 1;"), "r0 |r0 |r0 |r0 |");
  EXPECT_EQ(traceOf("a[a[0]] = 1;"), "r0 |r0 |r0 |r0 |");
}

} // namespace
