// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the user's code of a unit names anywhere.

#include "matchers/host/UnitUses.h"
#include "HostSnippet.h"

using namespace barricade;
using namespace barricade::host;

namespace {

const std::string Before = R"(
#define __host__ __attribute__((host))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((annotate("managed")))
extern "C" int cudaMallocManaged(void **, size_t), cudaHostRegister(void *),
    cudaLaunchHostFunc(void *), cudaGetDriverEntryPoint(void *), cudaGetSymbolAddress(void **, const void *),
    cudaFreeHost(void *), fesetround(int), fegetround(), fesetenv(void *);
extern "C" void longjmp(int *, int);
)";

UnitUses usesOf(const std::string &Code) {
  test::HostSnippet Parsed(Before + Code);
  return UnitUses(Parsed.context());
}
UnitUses usesIn(const std::string &Body) {
  return usesOf("void f(void **p, int n) { " + Body + " }");
}

TEST(UnitUses, SeesNamesInEveryForm) {
  for (const char *Code :
       {"void f(void **p) { cudaMallocManaged(p, 4); }",
        "auto *make = &cudaMallocManaged;",
        "#define ALLOC cudaMallocManaged\nvoid f(void **p) { ALLOC(p, 4); }",
        "template <typename T> void f(T p) { cudaMallocManaged(p, 4); }",
        "template <typename T> void f(T p) { cudaMallocManaged(p, sizeof(T)); }"
        "\nvoid g(void **p) { f(p); }",
        "auto l = [](auto p) { cudaMallocManaged(p, 4); };",
        "struct S { int n; S(void **p) : n(cudaMallocManaged(p, 4)) {} };",
        "struct S { int n = cudaMallocManaged(nullptr, 4); };",
        "namespace a { namespace { void f(void **p) "
        "{ ::cudaMallocManaged(p, 4); } } }",
        "void f(int n = cudaMallocManaged(nullptr, 4));"})
    EXPECT_TRUE(usesOf(Code).sharesMemory()) << Code;
  for (const char *Code :
       {"void f() {}", "void f(const char *s = \"cudaMallocManaged\");",
        "struct S { int cudaMallocManaged; };",
        "void f(void *p) { cudaFreeHost(p); }",
        "void f(void **p) { int cudaMallocManaged = 1; ++cudaMallocManaged; }"})
    EXPECT_FALSE(usesOf(Code).sharesMemory()) << Code;
}

TEST(UnitUses, TellsQuestionsApart) {
  const UnitUses Registers = usesIn("cudaHostRegister(p);");
  EXPECT_TRUE(Registers.registersMemory());
  EXPECT_TRUE(Registers.sharesMemory());
  EXPECT_FALSE(Registers.mayHoldUpStreams());
  const UnitUses Managed = usesIn("cudaMallocManaged(p, 4);");
  EXPECT_FALSE(Managed.registersMemory());
  EXPECT_FALSE(Managed.takesSymbolAddresses());
  EXPECT_FALSE(Managed.setsFloatingEnvironment());
  const UnitUses Holds = usesIn("cudaLaunchHostFunc(p);");
  EXPECT_TRUE(Holds.mayHoldUpStreams());
  EXPECT_TRUE(Holds.putsHostIntoStreams());
  const UnitUses Finds = usesIn("cudaGetDriverEntryPoint(p);");
  EXPECT_TRUE(Finds.mayHoldUpStreams());
  EXPECT_FALSE(Finds.putsHostIntoStreams());
  EXPECT_FALSE(Holds.sharesMemory());
  EXPECT_FALSE(Holds.jumpsFar());
}

TEST(UnitUses, SeesManagedVariables) {
  EXPECT_TRUE(usesOf("__device__ __managed__ int x; void f() { x = 1; }")
                  .sharesMemory());
  EXPECT_FALSE(usesOf("__device__ int x; __global__ void f() { x = 1; }")
                   .sharesMemory());
}

// Libraries call such memory by name; a user's own word means nothing.
TEST(UnitUses, KnowsLibrariesMemoryByName) {
  const std::string Library =
      "# 1 \"/lib/vector.h\" 1 3\n"
      "namespace lib { template <typename T> struct universal_vector {}; "
      "template <typename T> struct device_vector {}; "
      "struct managed_pool { int unified; }; "
      "using pinned = device_vector<int>; }\n# 1 \"snippet.cu\" 2\n";
  for (const char *Code :
       {"lib::universal_vector<int> v;", "lib::managed_pool p;",
        "lib::pinned p;", "using V = lib::universal_vector<int>; V v;",
        "template <typename T> using V = lib::universal_vector<T>; V<int> v;",
        "using lib::universal_vector; universal_vector<int> v;",
        "auto f = [](lib::universal_vector<int> &v) {};"})
    EXPECT_TRUE(usesOf(Library + Code).sharesMemory()) << Code;
  EXPECT_FALSE(usesOf(Library + "lib::device_vector<int> v;").sharesMemory());
  EXPECT_FALSE(
      usesOf("struct universal_vector {}; universal_vector v;").sharesMemory());
}

TEST(UnitUses, SeesRoundingSet) {
  EXPECT_TRUE(usesIn("fesetround(n);").setsFloatingEnvironment());
  EXPECT_TRUE(usesIn("fesetenv(p);").setsFloatingEnvironment());
  EXPECT_FALSE(usesIn("n = fegetround();").setsFloatingEnvironment());
}

TEST(UnitUses, SeesAssemblyOfTheHostOnly) {
  for (const char *Code :
       {"void f(int n) { asm volatile(\"ldmxcsr %0\" :: \"m\"(n)); }",
        "auto l = [](int n) { asm volatile(\"ldmxcsr %0\" :: \"m\"(n)); };",
        "auto l = [](auto n) { asm volatile(\"ldmxcsr %0\" :: \"m\"(n)); };",
        "asm(\"nop\");",
        "__host__ __device__ void f() { asm volatile(\"nop\"); }",
        "template <int N> void f() { asm volatile(\"nop\"); }",
        "struct S { ~S() { asm volatile(\"nop\"); } };"})
    EXPECT_TRUE(usesOf(Code).setsFloatingEnvironment()) << Code;
  for (const char *Code : {"void f() { asm volatile(\"\" ::: \"memory\"); }",
                           "void f() { asm volatile(\"  \" ::: \"memory\"); }",
                           "__device__ void f() { asm volatile(\"nop\"); }",
                           "__global__ void f() { asm volatile(\"nop\"); }"})
    EXPECT_FALSE(usesOf(Code).setsFloatingEnvironment()) << Code;
}

TEST(UnitUses, SeesFarJumps) {
  EXPECT_TRUE(usesOf("void f(int *b) { longjmp(b, 1); }").jumpsFar());
  EXPECT_TRUE(usesOf("auto *jump = longjmp;").jumpsFar());
  EXPECT_FALSE(usesIn("again: if (n--) goto again;").jumpsFar());
  EXPECT_FALSE(usesOf("struct S { void longjmp(int) {} };\n"
                      "void f(S s) { s.longjmp(1); }")
                   .jumpsFar());
}

/// A kernel with the body may write constant memory by its address.
bool pointsAtConstants(const std::string &Body, const std::string &Outer = "") {
  return usesOf("struct P { float a, b[4]; };\n"
                "__constant__ float c, cs[8]; __constant__ P p;\n" +
                Outer + "__global__ void k(float *x, int i) { " + Body + " }")
      .takesSymbolAddresses();
}

TEST(UnitUses, ReadsOfConstantsAreHarmless) {
  for (const char *Body :
       {"x[i] = c;", "x[i] = cs[i];", "x[i] = p.a + p.b[i];",
        "const float &r = c; x[i] = r;", "for (float v : cs) x[i] += v;",
        "x[i] = sizeof(cs) / sizeof(cs[0]);",
        "for (const float &v : cs) x[i] += v;", "x[i] = (i ? c : cs[0]);",
        "P copy = p; float *q = const_cast<float *>((const float *)x); x[i] = "
        "copy.a;",
        "const float *p2 = cs; x[i] = p2[i]; float *q = (float *)x;",
        "const P copy = p; x[i] = copy.a;", "x[i] = (c) + (cs)[1];"})
    EXPECT_FALSE(pointsAtConstants(Body)) << Body;
  EXPECT_FALSE(pointsAtConstants(
      "x[i] = get(c);",
      "__device__ float get(const float &v) { return v; }\n"));
  EXPECT_FALSE(pointsAtConstants(
      "x[i] = get(c);", "__device__ float get(float v) { return ++v; }\n"));
}

TEST(UnitUses, SeesPointersToConstants) {
  for (const char *Body :
       {"float *q = cs; q[i] = 1;", "float *q = &c; *q = 1;",
        "float *q = &cs[i]; *q = 1;", "float *q = &p.a; *q = 1;",
        "float *q = p.b; *q = 1;", "float *q = cs + i; *q = 1;",
        "float &r = c; r = 1;", "auto &r = cs[i]; r = 1;",
        "auto &&r = p.b[i]; r = 1;",
        "const float &r = c; const_cast<float &>(r) = 1;",
        "const float *p2 = cs; float *q = const_cast<float *>(p2); *q = 1;",
        "const float *p2 = cs; ((float *)p2)[i] = 1;",
        "const_cast<float &>(c) = 1;", "reinterpret_cast<int &>(c) = 1;",
        "auto w = [&r = c] { r = 1; }; w();",
        "auto w = [](auto n) { float *q = cs; *q = n; }; w(1.f);"})
    EXPECT_TRUE(pointsAtConstants(Body)) << Body;
  EXPECT_TRUE(
      usesIn("cudaGetSymbolAddress(p, nullptr);").takesSymbolAddresses());
  const std::string Helpers =
      "# 1 \"helpers.h\" 1 3\n"
      "inline void where(void **p) { cudaGetSymbolAddress(p, nullptr); }\n"
      "template <class T> struct Where {\n"
      "  Where(T **p) { where((void **)p); }\n"
      "};\n# 9 \"snippet.cu\" 2\n";
  EXPECT_FALSE(usesOf(Helpers).takesSymbolAddresses());
  EXPECT_TRUE(usesOf(Helpers + "void f(void **p) { where(p); }")
                  .takesSymbolAddresses());
  EXPECT_TRUE(usesOf(Helpers + "void f(int **p) { Where<int> w(p); }")
                  .takesSymbolAddresses());
}

// References need no variable in the same function.
TEST(UnitUses, SeesReferencesToConstantsHandedOn) {
  EXPECT_TRUE(pointsAtConstants("set(c);",
                                "__device__ void set(float &v) { v = 1; }\n"));
  EXPECT_TRUE(pointsAtConstants(
      "set(cs[i]);",
      "template <typename T> __device__ void set(T &&v) { v = 1; }\n"));
  EXPECT_TRUE(pointsAtConstants("get() = 1;",
                                "__device__ float &get() { return c; }\n"));
  EXPECT_TRUE(
      pointsAtConstants("R r{c}; r.v = 1;", "struct R { float &v; };\n"));
  EXPECT_TRUE(pointsAtConstants(
      "R r(c); r.v = 1;",
      "struct R { float &v; __device__ R(float &v) : v(v) {} };\n"));
  EXPECT_TRUE(pointsAtConstants(
      "R r; r.v = 1;", "struct R { float &v; __device__ R() : v(c) {} };\n"));
  EXPECT_TRUE(pointsAtConstants("(i ? c : cs[0]) = 1;"));
  EXPECT_TRUE(pointsAtConstants("for (float &v : cs) v = 1;"));
  EXPECT_TRUE(pointsAtConstants(
      "m.set();", "struct M { float v; __device__ "
                  "void set() { v = 1; } };\n__constant__ M m;\n"));
  EXPECT_TRUE(pointsAtConstants("float &r = i ? c : cs[0]; r = 1;"));
}

// Nor any function.
TEST(UnitUses, SeesConstantsOutsideOfFunctions) {
  EXPECT_TRUE(pointsAtConstants("*q = 1;", "__device__ float *q = cs;\n"));
  EXPECT_TRUE(
      pointsAtConstants("R r; r.v = 1;", "struct R { float &v = c; };\n"));
  EXPECT_TRUE(pointsAtConstants("set();", "__device__ void set(float &v = c) "
                                          "{ v = 1; }\n"));
  EXPECT_FALSE(pointsAtConstants("x[i] = get();",
                                 "__device__ float get(float v "
                                 "= c) { return v; }\n"));
}

// In a pattern nothing tells a read from a reference.
TEST(UnitUses, ReadsInstancesOfTemplates) {
  EXPECT_FALSE(pointsAtConstants(
      "t(x);", "template <typename T> __device__ void t(T *x) "
               "{ x[0] = cs[1] + c; }\n"));
  EXPECT_FALSE(pointsAtConstants("auto t = [=](auto n) { x[0] = cs[1] * n; }; "
                                 "t(i);"));
  EXPECT_TRUE(pointsAtConstants(
      "t(c);",
      "template <typename T> __device__ void t(T &v) { v = T(1); }\n"));
}

// What the user puts there may do anything.
TEST(UnitUses, SeesStreamsThatAreRedirected) {
  const auto Redirects = [](const std::string &Body) {
    test::HostSnippet Parsed(
        "#include \"/toolkit/streams\"\n"
        "struct Own { void rdbuf(Buffer *); } own;\n"
        "void f(Stream &out, Buffer *b, Stream *s) { " +
            Body + " }",
        {{"streams",
          "struct Buffer {}; struct Locale {};\n"
          "struct Stream { Buffer *rdbuf(Buffer *); Buffer *rdbuf() const;\n"
          "  Locale imbue(const Locale &); Stream *tie(Stream *);\n"
          "  Stream &copyfmt(const Stream &); };\n"
          "extern Stream cout, cin;\n"}});
    const bool Is = UnitUses(Parsed.context()).redirectsStreams();
    EXPECT_EQ(redirectsStreams(Parsed.context()), Is) << Body;
    return Is;
  };
  for (const char *Body :
       {"cout.rdbuf(b);", "out.rdbuf(b);", "cout.imbue(Locale());",
        "cout.tie(s);", "cout.copyfmt(*s);", "auto set = &Stream::imbue;",
        "[&] { s->rdbuf(b); }();", "Stream &also = cout; also.rdbuf(b);"})
    EXPECT_TRUE(Redirects(Body)) << Body;
  for (const char *Body :
       {"cout.rdbuf();", "Stream local; local.rdbuf(b); local.imbue(Locale());",
        "cin.tie(nullptr);", "cin.tie(0);", "own.rdbuf(b);"})
    EXPECT_FALSE(Redirects(Body)) << Body;
}

TEST(UnitUses, SeesNamesTheRuntimeNeeds) {
  for (const char *Code :
       {"int barricade;", "struct S { int barricade; };",
        "void f() { int cudaSuccess = 1; }", "namespace n { int gridDim; }",
        "namespace n { using threadIdx = int; }", "void f(int barricade);",
        "namespace n { struct uint3 {}; }"})
    EXPECT_TRUE(usesOf(Code).hasRuntimeNames()) << Code;
  for (const char *Code :
       {"int barricades;", "struct S { int threadIdx; };",
        "void f() { int blockDim = 1; }", "const char *s = \"barricade\";",
        "dim3 f(uint3 v) { return dim3(v.x); }"})
    EXPECT_FALSE(usesOf(Code).hasRuntimeNames()) << Code;
}

TEST(UnitUses, SeesNamesThatGroupsNeed) {
  EXPECT_TRUE(usesOf("struct half {};").hasGroupsNames());
  EXPECT_TRUE(usesOf("namespace cuda {}").hasGroupsNames());
  EXPECT_FALSE(usesOf("struct S { int half; };").hasGroupsNames());
  EXPECT_FALSE(usesOf("void f() { int cuda = 0; }").hasGroupsNames());
  EXPECT_FALSE(usesOf("struct halves {};").hasGroupsNames());
}

} // namespace
