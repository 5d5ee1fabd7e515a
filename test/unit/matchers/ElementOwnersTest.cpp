// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which threads touch an element.

#include "matchers/dependence/ElementOwners.h"
#include "Snippet.h"
#include "clang/AST/Decl.h"

using namespace barricade;
using namespace barricade::dependence;

namespace {

/// Who touches what in a kernel with the body, one access after the other.
std::string ownersIn(const std::string &Body) {
  test::Snippet Parsed("__device__ float global;\n"
                       "__global__ void k(float *x, int n) {\n"
                       "int i = blockIdx.x * blockDim.x + threadIdx.x;\n" +
                       Body + "\n}\n");
  const KernelTouches Found =
      findTouches(Parsed.function(), std::nullopt, /*FixedArguments=*/true);
  std::string Text = Found.Elsewhere.isValid() ? "elsewhere; " : "";
  Text += Found.Signal.isValid() ? "signals; " : "";
  for (const Touch &T : Found.Touches)
    Text += (T.Writes ? "write: " : "read: ") + describe(T.Who) + "; ";
  return Text;
}

TEST(ElementOwners, TellsThreads) {
  EXPECT_EQ(ownersIn("x[i] = 0;"), "write: thread element; ");
  EXPECT_EQ(ownersIn("float y = x[i + 1];"), "read: thread element - 1; ");
  EXPECT_EQ(ownersIn("x[blockIdx.x] = 0;"),
            "write: a thread of block element; ");
  for (const char *Loop :
       {"for (long k = i; k < n; k += gridDim.x * blockDim.x) ",
        "const int all = gridDim.x * blockDim.x; "
        "for (int k = i; k < n; k += all) "})
    EXPECT_EQ(ownersIn(std::string(Loop) + "x[k] = 0;"),
              "write: thread element modulo threads; ")
        << Loop;
}

TEST(ElementOwners, FailsClosed) {
  EXPECT_EQ(ownersIn("x[2 * i] = 0;"), "write: any thread; ");
  EXPECT_EQ(ownersIn("x[threadIdx.x] = 0;"), "write: any thread; ");
  EXPECT_EQ(ownersIn("x[i % n] = 0;"), "write: any thread; ");
  EXPECT_EQ(ownersIn("++i; x[i] = 0;"), "write: any thread; ");
  EXPECT_EQ(ownersIn("int &j = i; j = 3; x[i] = 0;"),
            "elsewhere; write: any thread; ");
  EXPECT_EQ(ownersIn("global = 0;"), "elsewhere; ");
}

// `k` is an int, or has no sign; the sum is done without one, or in a wider
// type that is cut afterwards. What is asked before each sum says how large it
// may become.
TEST(ElementOwners, KnowsSumsThatMayWrap) {
  for (const char *Loop :
       {"for (int k = i; k < n; k += gridDim.x * blockDim.x) ",
        "for (unsigned k = i; k < n; k += gridDim.x * blockDim.x) ",
        "for (int k = i; k <= n; k += gridDim.x * blockDim.x) ",
        "for (int k = i; n > k; k += gridDim.x * blockDim.x) ",
        "for (int k = i; (n >= k); k += (gridDim.x * blockDim.x)) ",
        "for (int k = i; i > 5 && k < n; k += gridDim.x * blockDim.x) ",
        "for (int k = i; k < (unsigned long)n; k += gridDim.x * blockDim.x) ",
        "const unsigned m = n; "
        "for (int k = i; k < m; ++m0, (k += gridDim.x * blockDim.x)) ",
        "int k = i; for (; k < n; k += gridDim.x * blockDim.x) ",
        "const int all = gridDim.x * blockDim.x; "
        "for (unsigned k = i; k < n; k += all) ",
        "const long all = gridDim.x * blockDim.x; "
        "for (int k = i; k < n; k += all) "})
    EXPECT_EQ(ownersIn("int m0 = 0; " + std::string(Loop) + "x[k] = 0;"),
              "write: thread element modulo threads, if n + threads fits an "
              "int; ")
        << Loop;
}

// The sum is not asked about, by a number that others know, or not always.
TEST(ElementOwners, DoubtsSumsThatNothingLimits) {
  for (const char *Loop : {
           "for (int k = i; k != n; k += all) { x[k] = 0; }",
           "for (int k = i; k > n; k += all) { x[k] = 0; }",
           "for (int k = i; ; k += all) { x[k] = 0; }",
           "for (int k = i; k < n || i > 5; k += all) { x[k] = 0; }",
           "for (int k = i; !(k < n); k += all) { x[k] = 0; }",
           "for (int k = i; k < n; k += all) { x[k] = 0; n -= 1; }",
           "for (int k = i; k < number; k += all) { x[k] = 0; }",
           "for (int k = i; k < n * 2; k += all) { x[k] = 0; }",
           "for (int k = i; k < (short)n; k += all) { x[k] = 0; }",
           "for (int k = i; (short)k < n; k += all) { x[k] = 0; }",
           "for (int k = i; k < (float)n; k += all) { x[k] = 0; }",
           "for (short k = i; k < n; k += all) { x[k] = 0; }",
           "for (unsigned short k = i; k < n; k += all) { x[k] = 0; }",
           "for (int k = i; i < n; k += all) { x[k] = 0; }",
           "for (int k = i; k < n; k += 2 * all) { x[k] = 0; }",
           "for (int k = i; k < n; k += all) { x[k] = 0; k += all; }",
           "for (int k = i; k < n; i > 5 ? k += all : k) { x[k] = 0; }",
           "for (int k = i; k < n;) { x[k] = 0; k += all; }",
           "int k = i; while (k < n) { x[k] = 0; k += all; }",
           "int k = i; if (i > 5) goto in; "
           "for (; k < n; k += all) { in: x[k] = 0; }",
           "int k = i; switch (n) { default: "
           "for (; k < n; k += all) { case 5: x[k] = 0; } }",
       })
    EXPECT_EQ(ownersIn("const unsigned all = gridDim.x * blockDim.x; "
                       "int number = n; ++number; " +
                       std::string(Loop)),
              "write: any thread; ")
        << Loop;
}

// Not as wide as what they take in memory.
TEST(ElementOwners, CountsTheBitsOfIntegers) {
  for (const char *Body :
       {"unsigned _BitInt(20) j = i; x[j] = 0;",
        "int j = (unsigned _BitInt(20))i; x[j] = 0;", "x[(_BitInt(31))i] = 0;",
        "for (unsigned _BitInt(33) k = i; k < n; k += gridDim.x * blockDim.x) "
        "x[k] = 0;",
        "for (unsigned _BitInt(20) k = i; k < n; k += gridDim.x * blockDim.x) "
        "x[k] = 0;",
        "for (int k = i; k < (_BitInt(20))n; k += gridDim.x * blockDim.x) "
        "x[k] = 0;",
        "enum E : unsigned char {}; x[(E)i] = 0;",
        "const bool j = i; x[j] = 0;", "x[(bool)i] = 0;"})
    EXPECT_EQ(ownersIn(Body), "write: any thread; ") << Body;
  for (const char *Body :
       {"unsigned _BitInt(32) j = i; x[j] = 0;", "_BitInt(40) j = i; x[j] = 0;",
        "x[(unsigned _BitInt(64))i] = 0;",
        "enum E : unsigned {}; x[(E)i] = 0;"})
    EXPECT_EQ(ownersIn(Body), "write: thread element; ") << Body;
}

TEST(ElementOwners, KeepsConditionsInSight) {
  for (const char *Body :
       {"x[i + ((i ^ n) - (i ^ (short)n))] = 0;", "x[(i ^ n) * 0 + i] = 0;",
        "x[i + ((i ^ n) + (i ^ (short)n) * -1)] = 0;",
        "long k = i; const long first = k; "
        "for (; k < n; k += gridDim.x * blockDim.x) x[i + (k - first)] = 0;",
        "for (long k = i; k < n; k += gridDim.x * blockDim.x) "
        "(x + k)[i - k] = 0;"})
    EXPECT_EQ(ownersIn(Body), "write: any thread; ") << Body;
  EXPECT_EQ(ownersIn("x[(i ^ n) - 1] = 0;"),
            "write: the partner, by xor, of thread element + 1; ");
}

TEST(ElementOwners, FindsWhatOthersMaySee) {
  EXPECT_EQ(ownersIn("x[i] = 0; __threadfence();"),
            "signals; write: thread element; ");
  EXPECT_EQ(ownersIn("atomicAdd((int *)&x[i], 1);"),
            "signals; write: any thread; ");
  EXPECT_EQ(ownersIn("((volatile float *)x)[i] = 0;"),
            "signals; write: thread element; ");
  EXPECT_EQ(ownersIn("__shared__ volatile float s; s = 0; "
                     "__threadfence_block(); x[i] = s;"),
            "write: thread element; ");
}

TEST(ElementOwners, SeparatesLaunches) {
  const auto Between = [](Owner First, Owner Second) {
    return scopeBetween({nullptr, true, 4, First, {}},
                        {nullptr, false, 4, Second, {}});
  };
  EXPECT_EQ(Between({Owner::Thread}, {Owner::Thread}), Scope::None);
  EXPECT_EQ(Between({Owner::Block}, {Owner::Block}), Scope::Block);
  EXPECT_EQ(Between({Owner::Thread}, {Owner::Thread, 1}), Scope::Grid);
  EXPECT_EQ(Between({Owner::Anyone}, {Owner::Thread}), Scope::Grid);
}

} // namespace
