// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which calls of host code are those of the library's that the rules know.

#include "matchers/host/HostCalls.h"
#include "HostSnippet.h"
#include "matchers/facts/VariableFacts.h"
#include "clang/AST/ExprCXX.h"

using namespace barricade;
using namespace barricade::host;

namespace {

const std::string Runtime = R"(
extern "C" cudaError_t cudaMemcpyAsync(void *, const void *, size_t,
                                       cudaMemcpyKind, cudaStream_t = 0);
extern "C" cudaError_t cudaMemset(void *, int, size_t);
extern "C" cudaError_t cudaMemsetAsync(void *, int, size_t, cudaStream_t = 0);
extern "C" cudaError_t cudaStreamSynchronize(cudaStream_t);
extern "C" cudaError_t cudaPeekAtLastError();
extern "C" cudaError_t cudaEventRecord(void *, cudaStream_t = 0);
extern "C" cudaError_t cudaFree(void *);
extern "C" cudaError_t cudaBrandNew(void *);
extern "C" cudaError_t cuInit(unsigned);
template <class T> cudaError_t cudaMalloc(T **p, size_t n) {
  return cudaMalloc((void **)(void *)p, n);
}
inline int min(int a, int b) { return a < b ? a : b; }
namespace inner { cudaError_t cudaDeviceSynchronize(); }
)";

const std::string Standard = R"(
extern "C" double ceil(double);
namespace std {
using ::ceil;
template <typename T, unsigned N> void swap(T (&a)[N], T (&b)[N]);
template <typename T, typename F> const T &min(const T &, const T &, F);
template <typename T> const T &max(const T &, const T &);
template <typename T> void move(T &, T &);
}
)";

constexpr const char *Names[] = {
    "swap", "extremum", "rounding",   "synchronise", "query",   "copy",
    "fill", "timing",   "allocation", "launch",      "runtime", "unknown"};

struct Asked {
  explicit Asked(const std::string &Body, const std::string &Before = "")
      : Code("#include \"/toolkit/cuda_runtime_api.h\"\n"
             "#include \"/toolkit/c++/utility\"\n"
             "#include \"/other/cuda_runtime_api.hpp\"\n" +
                 Before +
                 "\nvoid f(int n, int m, float *p, float *q, bool b, float x, "
                 "cudaStream_t s) {\n" +
                 Body + "\n}\n",
             {{"cuda_runtime_api.h", Runtime},
              {"c++/utility", Standard},
              {"/other/cuda_runtime_api.hpp",
               "extern \"C\" int cudaOfOthers();"}}) {}

  /// The last call.
  const clang::CallExpr &call() {
    const clang::CallExpr *Last = nullptr;
    (void)holds(Code.function().getBody(), [&](const clang::Stmt &S) {
      if (const auto *Call = llvm::dyn_cast<clang::CallExpr>(&S))
        Last = Call;
      return false;
    });
    return *Last;
  }
  const clang::SourceManager &sm() { return Code.context().getSourceManager(); }

  test::HostSnippet Code;
};

std::string kindOf(const std::string &Body, const std::string &Before = "") {
  Asked A(Body, Before);
  return Names[int(classifyHostCall(A.call(), A.sm()))];
}

TEST(HostCalls, KnowsTheRuntime) {
  EXPECT_EQ(kindOf("cudaDeviceSynchronize();"), "synchronise");
  EXPECT_EQ(kindOf("::cudaStreamSynchronize(s);"), "synchronise");
  EXPECT_EQ(kindOf("cudaGetLastError();"), "query");
  EXPECT_EQ(kindOf("cudaPeekAtLastError();"), "query");
  EXPECT_EQ(kindOf("cudaMemcpy(p, q, n, cudaMemcpyHostToDevice);"), "copy");
  EXPECT_EQ(kindOf("cudaMemcpyAsync(p, q, n, cudaMemcpyHostToDevice);"),
            "copy");
  EXPECT_EQ(kindOf("cudaMemset(p, 0, n);"), "fill");
  EXPECT_EQ(kindOf("cudaEventRecord(0);"), "timing");
  EXPECT_EQ(kindOf("cudaMalloc((void **)&p, n);"), "allocation");
  EXPECT_EQ(kindOf("cudaMalloc(&p, n);"), "allocation");
  EXPECT_EQ(kindOf("cudaLaunchKernel(0, 1, 1, 0, 0, s);"), "launch");
  EXPECT_EQ(kindOf("cudaFree(p);"), "runtime");
  EXPECT_EQ(kindOf("cudaBrandNew(p);"), "runtime");
  EXPECT_EQ(kindOf("cuInit(0);"), "unknown");
  EXPECT_EQ(kindOf("WAIT;", "#define WAIT cudaDeviceSynchronize()"),
            "synchronise");
}

TEST(HostCalls, LeavesNamesakesOfTheRuntime) {
  EXPECT_EQ(kindOf("cudaOwn();", "cudaError_t cudaOwn();"), "unknown");
  EXPECT_EQ(kindOf("cudaOfOthers();"), "unknown");
  EXPECT_EQ(kindOf("inner::cudaDeviceSynchronize();"), "unknown");
  EXPECT_EQ(kindOf("own::cudaDeviceSynchronize();",
                   "namespace own { void cudaDeviceSynchronize(); }"),
            "unknown");
  EXPECT_EQ(kindOf("o.cudaDeviceSynchronize();",
                   "struct O { void cudaDeviceSynchronize(); } o;"),
            "unknown");
  EXPECT_EQ(
      kindOf("cudaDeviceSynchronize(n);", "void cudaDeviceSynchronize(int);"),
      "unknown");
  EXPECT_EQ(kindOf("auto *cudaFree = ::cudaDeviceSynchronize; cudaFree();"),
            "unknown");
  EXPECT_EQ(kindOf("auto cudaDeviceSynchronize = [] {}; "
                   "cudaDeviceSynchronize();"),
            "unknown");
  // The user's own one in the library's stead, or merely named once more.
  EXPECT_EQ(kindOf("cudaDeviceSynchronize();",
                   "extern \"C\" cudaError_t cudaDeviceSynchronize() "
                   "{ return cudaSuccess; }"),
            "unknown");
  EXPECT_EQ(kindOf("cudaDeviceSynchronize();",
                   "extern \"C\" cudaError_t cudaDeviceSynchronize();"),
            "synchronise");
  EXPECT_EQ(kindOf("cudaMalloc(&p, n);",
                   "template <> cudaError_t cudaMalloc<float>(float **, "
                   "size_t) { return cudaSuccess; }"),
            "unknown");
}

TEST(HostCalls, KnowsSwaps) {
  EXPECT_EQ(kindOf("std::swap(p, q);"), "swap");
  EXPECT_EQ(kindOf("std::swap(n, m);"), "swap");
  EXPECT_EQ(kindOf("using std::swap; swap(n, m);"), "swap");
  EXPECT_EQ(kindOf("float as[2], bs[2]; std::swap(as, bs);"), "unknown");
  EXPECT_EQ(kindOf("std::move(n, m);"), "unknown");
  EXPECT_EQ(kindOf("swap(n, m);", "void swap(int &, int &);"), "unknown");
  const std::string Class = "struct T { int x; };\n";
  EXPECT_EQ(kindOf("T a, c; std::swap(a, c);", Class), "swap");
  EXPECT_EQ(kindOf("using std::swap; T a, c; swap(a, c);",
                   Class + "void swap(T &, T &);"),
            "unknown");
  EXPECT_EQ(kindOf("T a, c; std::swap(a, c);",
                   Class + "namespace std { template <> void swap<T>(T &, T &) "
                           "{} }"),
            "unknown");
  EXPECT_EQ(kindOf("T a, c; std::swap(a, c);",
                   Class + "namespace std { void swap(T &, T &); }"),
            "unknown");
  // Of another type.
  EXPECT_EQ(kindOf("std::swap(n, m);",
                   Class + "namespace std { template <> void swap<T>(T &, T &) "
                           "{} }"),
            "swap");
}

TEST(HostCalls, KnowsExtremaOfWholeNumbers) {
  EXPECT_EQ(kindOf("std::min(n, 4);"), "extremum");
  EXPECT_EQ(kindOf("std::max(n, 4);"), "extremum");
  EXPECT_EQ(kindOf("min(n, 4);"), "extremum");
  EXPECT_EQ(kindOf("std::min(x, 4.f);"), "unknown");
  EXPECT_EQ(kindOf("std::min(n, 4, 0);"), "unknown");
  EXPECT_EQ(kindOf("std::min(p, q);"), "unknown");
  const std::string Enum = "enum E { A, B };\n";
  EXPECT_EQ(kindOf("E e = A; std::min(e, B);", Enum), "unknown");
  EXPECT_EQ(kindOf("own::min(n, m);", "namespace own { int min(int, int); }"),
            "unknown");
  EXPECT_EQ(kindOf("min(n, 4u);", "int min(int, unsigned);"), "unknown");
  EXPECT_EQ(kindOf("std::min(n, 4);",
                   "namespace std { template <> const int &min<int>(const int "
                   "&, const int &); }"),
            "unknown");
}

TEST(HostCalls, KnowsRounding) {
  EXPECT_EQ(kindOf("ceil(x);"), "rounding");
  EXPECT_EQ(kindOf("std::ceil(x);"), "rounding");
  EXPECT_EQ(kindOf("own::ceil(x);", "namespace own { double ceil(double); }"),
            "unknown");
  EXPECT_EQ(kindOf("ceil(x);", "float ceil(float);"), "unknown");
  EXPECT_EQ(kindOf("ceil(x);", "extern \"C\" double ceil(double);"),
            "rounding");
  EXPECT_EQ(kindOf("ceil(x);", "extern \"C\" double ceil(double x) "
                               "{ return x; }"),
            "unknown");
}

TEST(HostCalls, KnowsWhoKeepsAddresses) {
  const auto KeepsNone = [](const std::string &Body,
                            const std::string &Before = "") {
    Asked A(Body, Before);
    return keepsNoAddress(A.call(), A.sm());
  };
  EXPECT_TRUE(KeepsNone("cudaMemcpy(p, q, n, cudaMemcpyHostToDevice);"));
  EXPECT_TRUE(KeepsNone("cudaMalloc(&p, n);"));
  EXPECT_TRUE(KeepsNone("cudaFree(p);"));
  EXPECT_FALSE(KeepsNone("cudaMemcpyAsync(p, q, n, cudaMemcpyHostToDevice);"));
  EXPECT_FALSE(KeepsNone("cudaMemsetAsync(p, 0, n);"));
  EXPECT_FALSE(KeepsNone("cudaLaunchKernel(0, 1, 1, 0, 0, s);"));
  // Nobody knows.
  EXPECT_FALSE(KeepsNone("cudaBrandNew(p);"));
  EXPECT_FALSE(KeepsNone("std::swap(p, q);"));
  EXPECT_FALSE(KeepsNone("own::cudaFree(p);",
                         "namespace own { void cudaFree(void *); }"));
}

TEST(HostCalls, KnowsAllocations) {
  const auto Is = [](const std::string &Body, const std::string &Before = "") {
    Asked A(Body, Before);
    return isAllocation(A.call(), A.sm());
  };
  EXPECT_TRUE(Is("cudaMalloc(&p, n);"));
  EXPECT_FALSE(Is("cudaFree(p);"));
  EXPECT_FALSE(Is("own::cudaMalloc(&p, n);",
                  "namespace own { void cudaMalloc(float **, size_t); }"));
}

TEST(HostCalls, NamesTheOtherSideOfASwap) {
  const auto Other = [](const std::string &Body,
                        const std::string &Before = "") -> std::string {
    Asked A(Body, Before);
    const facts::VariableFacts Uses(A.Code.function().getBody());
    for (const auto &[Var, All] : Uses)
      for (const facts::VariableUse &U : All)
        if (Var->getName() == "p")
          if (const clang::Expr *E = swappedWith(U, A.sm()))
            return textOf(*E, A.Code.context());
    return "";
  };
  EXPECT_EQ(Other("std::swap(p, q);"), "q");
  EXPECT_EQ(Other("std::swap(q, p);"), "q");
  EXPECT_EQ(Other("std::swap((p), q);"), "q");
  EXPECT_EQ(Other("std::swap(q, (p));"), "q");
  EXPECT_EQ(Other("swap(p, q);", "void swap(float *&, float *&);"), "");
  EXPECT_EQ(Other("std::move(p, q);"), "");
  EXPECT_EQ(Other("p = q;"), "");
}

bool isLeft(const std::string &Body) {
  test::HostSnippet Code(
      "__global__ void k();\n"
      "namespace barricade { bool launch_grid(int); bool launcher();\n"
      "struct Takeover { bool is_due(); bool is_over(); }; }\n"
      "namespace own { bool launch_grid(int); }\n"
      "void f(int n, barricade::Takeover t) {\n" +
      Body + "\n}\n");
  const clang::Stmt *Launch = nullptr;
  (void)holds(Code.function().getBody(), [&](const clang::Stmt &S) {
    if (llvm::isa<clang::CUDAKernelCallExpr>(S))
      Launch = &S;
    return false;
  });
  return isFallback(*Launch, Code.context());
}

TEST(HostCalls, KnowsFallbacks) {
  EXPECT_FALSE(isLeft("k<<<1, 1>>>();"));
  EXPECT_TRUE(isLeft("if (!barricade::launch_grid(n)) k<<<1, 1>>>();"));
  EXPECT_TRUE(isLeft("if (!barricade::launch_grid(n)) "
                     "for (int i = 0; i < n; ++i) { k<<<1, 1>>>(); }"));
  EXPECT_TRUE(isLeft("if (n > 3 && barricade::launch_grid(n)) {} "
                     "else { k<<<1, 1>>>(); }"));
  EXPECT_TRUE(isLeft("for (;;) { if (t.is_due()) break; k<<<1, 1>>>(); }"));
  EXPECT_TRUE(isLeft("while (n--) { k<<<1, 1>>>(); if (t.is_due()) break; }"));
  EXPECT_FALSE(isLeft("barricade::launch_grid(n); k<<<1, 1>>>();"));
  EXPECT_FALSE(isLeft("if (!own::launch_grid(n)) k<<<1, 1>>>();"));
  EXPECT_FALSE(isLeft("if (!barricade::launcher()) k<<<1, 1>>>();"));
  EXPECT_FALSE(isLeft("if (n) { if (!barricade::launch_grid(n)) return; } "
                      "k<<<1, 1>>>();"));
  EXPECT_FALSE(isLeft("for (;;) { if (t.is_over()) break; k<<<1, 1>>>(); }"));
  EXPECT_FALSE(isLeft("if (t.is_due()) return; for (;;) k<<<1, 1>>>();"));
  EXPECT_FALSE(isLeft("for (;;) { for (;;) { if (t.is_due()) break; } "
                      "k<<<1, 1>>>(); }"));
}

} // namespace
