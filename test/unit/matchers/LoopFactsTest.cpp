// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/cost/LoopFacts.h"
#include "CostReader.h"
#include "Snippet.h"
#include <gmock/gmock.h>

using namespace barricade;
using namespace barricade::test;
using testing::ElementsAre;
using testing::IsEmpty;

namespace {

LoopFacts factsOf(const std::string &Code, unsigned Loop = 0) {
  Snippet Parsed(Code);
  return CostReader::of(
      collectLoopFacts(Parsed.loop(Loop), Parsed.function(), Parsed.context()));
}

/// A kernel that runs \p Body in a loop over k.
std::string inLoop(const std::string &Body) {
  return "struct P { float x, y, z, w; };\n"
         "__global__ void kernel(float *a, float *b, const int *idx, P *p,"
         " float4 *v, int n, int m) {"
         " int tid = threadIdx.x;"
         " int i = blockIdx.x * blockDim.x + threadIdx.x;"
         " for (int k = 0; k < n; ++k) {" +
         Body + "} }";
}

/// The accesses of the loop as text: kind, space, base[index], width, locality,
/// stride.
std::vector<std::string> accessesOf(const std::string &Code,
                                    unsigned Loop = 0) {
  std::vector<std::string> All;
  for (const LoopAccess &A : factsOf(Code, Loop).Accesses)
    All.push_back(A.Fact.Kind + " " + A.Fact.Space + " " + A.Fact.Base + "[" +
                  A.Fact.Index + "] " + std::to_string(A.Fact.WidthBytes) +
                  " " + A.Fact.Locality + " " + A.Fact.LoopStride);
  return All;
}

/// The locality of the only access of \p Body.
std::string localityOf(const std::string &Body) {
  LoopFacts Facts = factsOf(inLoop(Body));
  EXPECT_EQ(Facts.Accesses.size(), 1u) << Body;
  return Facts.Accesses.empty() ? "" : Facts.Accesses.front().Fact.Locality;
}

TEST(LoopFacts, DescribesLoadsAndStores) {
  EXPECT_THAT(
      accessesOf(inLoop("b[k * m + i] = a[n * i + k];")),
      ElementsAre("load global a[n*blockIdx.x*blockDim.x + n*threadIdx.x + k] "
                  "4 strided 1",
                  "store global b[blockIdx.x*blockDim.x + threadIdx.x + m*k] 4 "
                  "coalesced m"));
}

TEST(LoopFacts, TellsLocalities) {
  EXPECT_EQ(localityOf("a[k] = 1;"), "broadcast");
  EXPECT_EQ(localityOf("a[i + m * k] = 1;"), "coalesced");
  EXPECT_EQ(localityOf("a[i + m * k + 8] = 1;"), "coalesced");
  EXPECT_EQ(localityOf("a[i + m * k + 1] = 1;"), "unaligned");
  EXPECT_EQ(localityOf("a[i + k] = 1;"), "unaligned");
  EXPECT_EQ(localityOf("a[2 * i + k] = 1;"), "strided");
  EXPECT_EQ(localityOf("a[m * tid + k] = 1;"), "strided");
  EXPECT_EQ(localityOf("a[n - tid + m * k] = 1;"), "strided");
  EXPECT_EQ(localityOf("a[tid * tid + m * k] = 1;"), "gathered");
  EXPECT_EQ(localityOf("a[tid % 7 + m * k] = 1;"), "gathered");
  EXPECT_EQ(localityOf("a[tid % 32 + m * k] = 1;"), "coalesced");
  EXPECT_EQ(localityOf("a[tid / 32 * m + k] = 1;"), "broadcast");
}

TEST(LoopFacts, TellsThatLoadedIndicesGather) {
  EXPECT_THAT(
      accessesOf(inLoop("a[idx[i + m * k]] = 1;")),
      ElementsAre("load global idx[blockIdx.x*blockDim.x + threadIdx.x + m*k] "
                  "4 coalesced m",
                  "store global a[idx[i + m * k]] 4 gathered ?"));
}

TEST(LoopFacts, TakesAnIndexThatTheBlockSharesForABroadcast) {
  EXPECT_THAT(accessesOf(inLoop("a[idx[k] + tid] = 1;")),
              ElementsAre("load global idx[k] 4 broadcast 1",
                          "store global a[threadIdx.x + idx[k]] 4 coalesced "
                          "?"));
}

TEST(LoopFacts, MeasuresFieldsInTheirOwnWidth) {
  EXPECT_THAT(accessesOf(inLoop("p[i].z = p[i + m * k].y;")),
              ElementsAre("load global p[4*blockIdx.x*blockDim.x + "
                          "4*threadIdx.x + 4*m*k + 1] 4 strided 4*m",
                          "store global p[4*blockIdx.x*blockDim.x + "
                          "4*threadIdx.x + 2] 4 strided 0"));
}

TEST(LoopFacts, MovesVectorsAsOneAndStructsByField) {
  EXPECT_THAT(accessesOf(inLoop("v[k * m + tid] = v[k * m + tid + n];")),
              ElementsAre("load global v[threadIdx.x + m*k + n] 16 coalesced m",
                          "store global v[threadIdx.x + m*k] 16 coalesced m"));
  EXPECT_EQ(
      factsOf(inLoop("p[k * m + tid] = p[k * m + tid + n];")).MemoryOperations,
      8u);
  // Of a struct, only what is used is loaded.
  EXPECT_EQ(factsOf(inLoop("P s = p[k * m + tid]; a[i + k * m] = s.x + s.w;"))
                .MemoryOperations,
            3u);
}

TEST(LoopFacts, FollowsPointers) {
  EXPECT_THAT(accessesOf("__global__ void kernel(const int *in, int *out,"
                         " int n) { int s = 0; const int *p = in + threadIdx.x;"
                         " for (const int *e = in + n; p < e; p += blockDim.x)"
                         " s += *p; out[threadIdx.x] = s; }"),
              ElementsAre("load global p[blockDim.x*it(p) + threadIdx.x] 4 "
                          "coalesced blockDim.x"));
}

TEST(LoopFacts, FollowsArgumentsIntoCalls) {
  EXPECT_THAT(
      accessesOf("__device__ float get(const float *x, int r, int c, int ld) {"
                 " const float *row = x + r * ld; return row[c]; }\n"
                 "__global__ void kernel(const float *a, float *b, int n) {"
                 " for (int k = 0; k < n; ++k)"
                 "  b[k * n + threadIdx.x] = get(a, k, threadIdx.x, 2 * n); }"),
      ElementsAre("load global row[threadIdx.x + 2*n*k] 4 coalesced 2*n",
                  "store global b[threadIdx.x + n*k] 4 coalesced n"));
}

TEST(LoopFacts, NamesSpaces) {
  EXPECT_THAT(accessesOf("__constant__ float c[64]; __device__ float g[64];\n"
                         "__global__ void kernel(int n) {"
                         " __shared__ float s[64];"
                         " for (int k = 0; k < n; ++k) {"
                         "  s[threadIdx.x] = c[k]; __syncthreads();"
                         "  g[k] = s[63]; __syncthreads(); } }"),
              ElementsAre("load constant c[k] 4 broadcast 1",
                          "store shared s[threadIdx.x] 4 coalesced 0",
                          "load shared s[63] 4 broadcast 0",
                          "store global g[k] 4 broadcast 1"));
}

TEST(LoopFacts, SeesAtomicsAndReadOnlyLoads) {
  EXPECT_THAT(accessesOf("__global__ void kernel(const int *a, int *h, int n) {"
                         " for (int k = 0; k < n; ++k)"
                         "  atomicAdd(&h[threadIdx.x], __ldg(a + k)); }"),
              ElementsAre("load global a[k] 4 broadcast 1",
                          "atomic global h[threadIdx.x] 4 coalesced 0"));
}

TEST(LoopFacts, CountsWhatIsLeftInTheLoop) {
  // The same load twice, and one that no store of the loop can change.
  EXPECT_THAT(
      accessesOf(inLoop("b[i + m * k] = a[i + m * k] * a[i + m * k];")).size(),
      2u);
  EXPECT_THAT(accessesOf("__global__ void kernel(const int *idx,"
                         " float *__restrict__ b, int n) {"
                         " for (int k = 0; k < n; ++k) b[k] = idx[0]; }"),
              ElementsAre("store global b[k] 4 broadcast 1"));
  // A store in between may change the value.
  EXPECT_EQ(factsOf(inLoop("float x = a[i]; b[k] = 0; b[k + 1] = x + a[i];"))
                .MemoryOperations,
            4u);
}

TEST(LoopFacts, LoadsAgainAfterABarrier) {
  EXPECT_EQ(factsOf(inLoop("float x = a[0]; __syncthreads();"
                           " b[k * m + tid] = x + a[0];"))
                .MemoryOperations,
            3u);
}

TEST(LoopFacts, KeepsSmallArraysInRegisters) {
  EXPECT_EQ(factsOf(inLoop("float r[4]; for (int j = 0; j < 4; ++j)"
                           " r[j] = a[j * m + i + k * n];"
                           " b[k] = r[0] + r[1] + r[2] + r[3];"))
                .MemoryOperations,
            5u);
  EXPECT_EQ(factsOf(inLoop("float r[4]; r[k & m] = a[k]; b[k] = r[tid & 3];"))
                .MemoryOperations,
            4u);
}

TEST(LoopFacts, WeighsNestedLoopsByTheirTrips) {
  LoopFacts Facts = factsOf(inLoop("\n#pragma unroll 1\n"
                                   "for (int j = 0; j < 8; ++j)"
                                   " a[j * m + tid] = b[k];"));
  EXPECT_FALSE(Facts.Innermost);
  EXPECT_EQ(Facts.MemoryOperations, 16u);
  ASSERT_EQ(Facts.Accesses.size(), 2u);
  EXPECT_TRUE(Facts.Accesses.back().Nested);
  EXPECT_EQ(Facts.Accesses.back().PerIteration, 8u);

  LoopFacts Unknown =
      factsOf(inLoop("for (int j = 0; j < m; ++j) a[j * m + tid] = 1;"));
  EXPECT_EQ(Unknown.MemoryOperations, 1u);
}

TEST(LoopFacts, KnowsDepthAndTrips) {
  const std::string Code = "__global__ void kernel(int *a, int n) {"
                           " for (int i = 0; i < n; ++i)"
                           "  for (int j = 0; j < 12; ++j)"
                           "   while (a[i * n + j] > j) a[i * n + j]--; }";
  LoopFacts Outer = factsOf(Code, 0), Middle = factsOf(Code, 1),
            Inner = factsOf(Code, 2);
  EXPECT_EQ(Outer.Depth, 1u);
  EXPECT_EQ(Middle.Depth, 2u);
  EXPECT_EQ(Inner.Depth, 3u);
  EXPECT_FALSE(Outer.TripCount);
  EXPECT_EQ(Middle.TripCount, 12u);
  EXPECT_FALSE(Middle.Innermost);
  EXPECT_TRUE(Inner.Innermost);
}

TEST(LoopFacts, CountsWhatIsNotSimple) {
  LoopFacts Facts = factsOf("__device__ void unseen();\n"
                            "__global__ void kernel(float *a, int n) {"
                            " for (int k = 0; k < n; ++k) { unseen();"
                            "  a[k] = sqrtf(a[k]) / a[k + n]; } }");
  EXPECT_EQ(Facts.Calls, 1u);
  EXPECT_EQ(Facts.Transcendental, 1u);
  EXPECT_EQ(Facts.Divisions, 1u);
}

TEST(LoopFacts, NamesItsFacts) {
  std::vector<std::string> Names;
  for (const Fact &F : factsOf(inLoop("a[k] = 1;")).facts())
    Names.push_back(F.Name);
  EXPECT_THAT(Names,
              ElementsAre("instructions", "memory-ratio", "memory-operations",
                          "global-accesses", "calls", "transcendental",
                          "divisions", "depth", "innermost"));
}

TEST(LoopFacts, HandlesEveryKindOfLoop) {
  EXPECT_THAT(accessesOf("__global__ void kernel(int *a, int n) {"
                         " do { a[n] -= 1; } while (--n); }")
                  .size(),
              2u);
  // A value that only this loop changes stays in a register.
  EXPECT_THAT(accessesOf("__global__ void kernel(int *a, int n) {"
                         " while (a[n] > 0) a[n] -= 1; }"),
              IsEmpty());
  EXPECT_THAT(accessesOf("__constant__ int c[8];\n"
                         "__global__ void kernel(int *a) {"
                         " for (int x : c) a[x] = 1; }")
                  .size(),
              2u);
  EXPECT_THAT(accessesOf("__global__ void kernel(int *a, int n) {"
                         " for (;;) { if (n-- == 0) break; } }"),
              IsEmpty());
}

TEST(LoopFacts, HandlesInstantiations) {
  Snippet Code("template <typename T, int W> __device__ void f(T *a, int n) {"
               " for (int k = 0; k < n; ++k) a[k * W] = T(); }\n"
               "__global__ void kernel(double *a, int n) { f<double, 4>(a, n);"
               " for (int k = 0; k < n; ++k) f<double, 4>(a, k); }");
  LoopFacts Facts = CostReader::of(
      collectLoopFacts(Code.loop(1), Code.function(), Code.context()));
  ASSERT_EQ(Facts.Accesses.size(), 1u);
  EXPECT_EQ(Facts.Accesses.front().Fact.WidthBytes, 8u);
}

} // namespace
