// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether a kernel may wait first for the grid before it.

#include "matchers/launch-overlap/WaitingKernel.h"
#include "HostSnippet.h"
#include "Snippet.h"
#include "clang/AST/Attr.h"
#include "clang/AST/Decl.h"

using namespace barricade;
using namespace barricade::launch_overlap;

namespace {

const std::string Start = "#define __restrict__ __restrict\n";

struct Inspected {
  explicit Inspected(const std::string &Text, unsigned Sm = 90,
                     std::initializer_list<unsigned> Targets = {90},
                     bool Restrict = false, const std::string &HostText = "")
      : Host(HostText), Code(Start + Text) {
    const PassView Pass{&Code.context(), &Code.preprocessor(), true, Sm};
    Whole.Passes = {Host.pass(), Pass};
    Whole.TargetSms = Targets;
    Whole.RestrictKernelPointers = Restrict;
    Kernel = inspectWaiting(kernel(), Whole, Pass, ConstantEscapes(Whole));
  }

  /// The last kernel of the file.
  const clang::FunctionDecl &kernel() {
    const clang::FunctionDecl *Last = nullptr;
    for (const clang::Decl *D :
         Code.context().getTranslationUnitDecl()->decls())
      if (const auto *F = llvm::dyn_cast<clang::FunctionDecl>(D);
          F && F->hasAttr<clang::CUDAGlobalAttr>() && F->hasBody())
        Last = F;
    return *Last;
  }

  /// The reasons, each once and with `+` for promises.
  std::string text() const {
    std::string Text;
    const auto Add = [&](const std::string &Id) {
      if ((" " + Text + " ").find(" " + Id + " ") == std::string::npos)
        Text += (Text.empty() ? "" : " ") + Id;
    };
    for (const Blocker &B : Kernel.Blockers) {
      EXPECT_TRUE(B.Where.isValid());
      Add(B.Why.Id.str());
    }
    for (const Blocker &B : Kernel.Promises)
      Add("+" + B.Why.Id.str());
    return Text;
  }
  /// The names of the functions, the kernel's first.
  std::string functions() const {
    std::string Text;
    for (const clang::FunctionDecl *F : Kernel.Functions)
      Text += (Text.empty() ? "" : " ") + F->getNameAsString();
    return Text;
  }
  bool hasPart(llvm::StringRef Name) const {
    return llvm::any_of(Kernel.Parts, [&](const clang::Decl *D) {
      const auto *Named = llvm::dyn_cast<clang::NamedDecl>(D);
      return Named && Named->getNameAsString() == Name;
    });
  }

  test::HostSnippet Host;
  test::Snippet Code;
  Program Whole;
  WaitingKernel Kernel;
};

std::string reasons(const std::string &Body, const std::string &Before = "") {
  return Inspected(Before +
                   "__global__ void k(float *x, const float *y, int n) {\n" +
                   Body + "\n}\n")
      .text();
}

TEST(WaitingKernel, TakesPlainAccesses) {
  EXPECT_EQ(reasons("x[threadIdx.x] = y[n];"), "");
  EXPECT_EQ(reasons("__shared__ float s[4]; s[n] = y[n]; __syncthreads(); "
                    "x[n] = s[0];"),
            "");
  EXPECT_EQ(reasons("atomicAdd((int *)x, n); __threadfence();"), "");
  EXPECT_EQ(reasons("asm(\"add.s32 %0, %0, 1;\" : \"+r\"(n));"), "");
}

TEST(WaitingKernel, RefusesLoadsThatMayMove) {
  EXPECT_EQ(reasons("x[n] = __ldg(y);"), "read-only-load");
  EXPECT_EQ(reasons("x[n] = get(y);", "__device__ float get(const float *p) "
                                      "{ return __ldg(p); }\n"),
            "read-only-load");
  EXPECT_EQ(reasons("auto get = [&] { return __ldg(y); }; x[n] = get();"),
            "read-only-load unknown-call");
  EXPECT_EQ(reasons("x[n] = get<float>(y);",
                    "template <typename T> __device__ T get(const T *p) "
                    "{ return __ldg(p); }\n"),
            "read-only-load");
  EXPECT_EQ(reasons("x[n] = get(n);",
                    "__attribute__((const)) __device__ float get(int i) "
                    "{ return i; }\n"),
            "read-only-load");
}

TEST(WaitingKernel, TellsPromisesFromOtherRestrict) {
  EXPECT_EQ(
      Inspected("__global__ void k(float *__restrict__ x) { *x = 1; }").text(),
      "+read-only-load");
  EXPECT_EQ(reasons("const float *__restrict__ z = y; x[n] = z[n];"),
            "+read-only-load");
  EXPECT_EQ(reasons("x[n] = get(y);",
                    "__device__ float get(const float *__restrict__ p) "
                    "{ return *p; }\n"),
            "+read-only-load");
  // Within others it is spelled nowhere that could be kept from them.
  EXPECT_EQ(reasons("A a{y}; x[n] = a.p[n];",
                    "struct A { const float *__restrict__ p; };\n"),
            "read-only-load");
  EXPECT_EQ(reasons("using P = const float *__restrict__; P z = y; "
                    "x[n] = z[n];"),
            "+read-only-load");
  EXPECT_NE(reasons("const float *__restrict__ zs[2] = {y, y}; x[n] = *zs[0];")
                .find("read-only-load"),
            std::string::npos);
  EXPECT_EQ(Inspected("__global__ void k(float *x) { *x = 1; }", 90, {90}, true)
                .text(),
            "read-only-load");
  EXPECT_EQ(Inspected("__global__ void k(int n) {}", 90, {90}, true).text(),
            "");
}

TEST(WaitingKernel, RefusesCallsOutOfSight) {
  EXPECT_EQ(reasons("out(x);", "__device__ void out(float *p);\n"),
            "unknown-call");
  EXPECT_EQ(reasons("void (*f)(float *) = in; f(x);",
                    "__device__ void in(float *p) {}\n"),
            "unknown-call");
  EXPECT_EQ(reasons("b->go();", "struct B { __device__ virtual void go(); };\n"
                                "__device__ B *b;\n"),
            "unknown-call");
  EXPECT_EQ(reasons("delete x;"), "unknown-call");
  EXPECT_EQ(reasons("S s;", "struct S { __device__ S(); };\n"), "unknown-call");
  EXPECT_EQ(reasons("S s;", "struct S { __device__ ~S(); };\n"),
            "unknown-call");
  EXPECT_EQ(reasons("H h;", "struct S { __device__ ~S(); };\n"
                            "struct H { S s; __device__ ~H() {} };\n"),
            "unknown-call");
}

TEST(WaitingKernel, RefusesAssemblyOnMemory) {
  EXPECT_EQ(reasons("asm(\"ld.global.f32 %0, [%1];\" : \"=f\"(*x) : "
                    "\"l\"(y));"),
            "inline-assembly");
  EXPECT_EQ(reasons("asm(\"griddepcontrol.wait;\"); x[n] = 1;"),
            "inline-assembly");
  EXPECT_EQ(reasons("read(x, y);",
                    "__device__ void read(float *a, const float *b) "
                    "{ asm(\"ld.f32 %0, [%1];\" : \"=f\"(*a) : \"l\"(b)); }\n"),
            "inline-assembly");
}

TEST(WaitingKernel, RefusesWeakCode) {
  EXPECT_EQ(Inspected("__attribute__((weak)) __global__ void k(float *x) "
                      "{ *x = 1; }")
                .text(),
            "other-version");
  EXPECT_EQ(reasons("put(x);", "__attribute__((weak)) __device__ void "
                               "put(float *p) { *p = 1; }\n"),
            "other-version");
}

TEST(WaitingKernel, AsksForGpusThatCanWait) {
  const std::string Kernel = "__global__ void k(float *x) { *x = 1; }";
  EXPECT_EQ(Inspected(Kernel, 90, {90, 100}).text(), "");
  EXPECT_EQ(Inspected(Kernel, 90, {80, 90}).text(), "architecture");
  EXPECT_EQ(Inspected(Kernel, 80, {80}).text(), "architecture");
}

TEST(WaitingKernel, RefusesConstantsThatMayBeWritten) {
  const std::string Kernel =
      "__constant__ float c; __global__ void k(float *x) { *x = c; }";
  const std::string Constant = "__attribute__((constant)) float c;\n"
                               "extern \"C\" int cudaGetSymbolAddress(void **, "
                               "const void *);\n";
  // One file has both passes: the variable stands in the same place.
  const size_t Before = test::prelude(false).size() + Start.size() +
                        Kernel.find("float c") - Constant.find("float c");
  const auto With = [&](const std::string &HostCode) {
    return Inspected(Kernel, 90, {90}, false,
                     std::string(Before, ' ') + Constant + HostCode)
        .text();
  };
  EXPECT_EQ(With(""), "");
  EXPECT_EQ(With("void f(void **p) { cudaGetSymbolAddress(p, &c); }"),
            "constant-memory");
  EXPECT_EQ(With("const void *get() { return &c; }"), "constant-memory");
  EXPECT_EQ(With("float &r = c;"), "constant-memory");
  EXPECT_EQ(With("float d; const void *get() { return &d; }"), "");
}

TEST(WaitingKernel, ListsItsFunctionsAndParts) {
  Inspected I("struct T { int n; }; typedef T Alias; __device__ int g;\n"
              "__device__ int h; enum E { One };\n"
              "__device__ void inner(int *p) { *p = g; }\n"
              "__device__ void outer(int *p) { inner(p); }\n"
              "__device__ void apart(int *p) { *p = h; }\n"
              "__global__ void k(int *x) { Alias a{One}; outer(x); "
              "x[1] = a.n; }\n");
  EXPECT_EQ(I.text(), "");
  EXPECT_EQ(I.functions().substr(0, 7), "k outer");
  EXPECT_EQ(I.functions(), "k outer inner");
  for (const char *Name : {"outer", "inner", "T", "Alias", "g", "E"})
    EXPECT_TRUE(I.hasPart(Name)) << Name;
  for (const char *Name : {"apart", "h"})
    EXPECT_FALSE(I.hasPart(Name)) << Name;
}

} // namespace
