// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which constant memory the host may let kernels write.

#include "matchers/launch-overlap/ConstantEscapes.h"
#include "HostSnippet.h"

using namespace barricade;

namespace {

const std::string Library = R"(
extern "C" cudaError_t cudaGetSymbolAddress(void **, const void *);
extern "C" cudaError_t cudaGetSymbolSize(size_t *, const void *);
extern "C" cudaError_t cudaMemcpyToSymbol(const void *, const void *, size_t);
extern "C" cudaError_t cudaMemcpyFromSymbol(void *, const void *, size_t);
template <class T>
cudaError_t cudaMemcpyToSymbol(const T &to, const void *from, size_t n) {
  return cudaMemcpyToSymbol((const void *)&to, from, n);
}
template <class T>
cudaError_t cudaGetSymbolAddress(void **to, const T &symbol) {
  return cudaGetSymbolAddress(to, (const void *)&symbol);
}
extern "C" int cuModuleGetGlobal(void **, size_t *, void *, const char *);
extern "C" cudaError_t cudaLibraryGetGlobal(void **, size_t *, void *,
                                            const char *);
)";

bool mayBeWritten(
    const std::string &Code, bool Relocatable = false,
    const std::string &Declaration = "__constant__ float table[8];") {
  test::HostSnippet Source(
      "#include \"/toolkit/symbols.h\"\n"
      "#define __constant__ __attribute__((constant))\n"
      "#define __host__ __attribute__((host))\n" +
          Declaration + "\n__constant__ float other[8];\nvoid *address;\n" +
          Code + "\n",
      {{"symbols.h", Library}});
  Program Whole;
  Whole.Passes = {Source.pass()};
  Whole.RelocatableDeviceCode = Relocatable;
  const launch_overlap::ConstantEscapes Escapes(Whole);
  for (const clang::Decl *D :
       Source.context().getTranslationUnitDecl()->decls())
    if (const auto *Var = llvm::dyn_cast<clang::VarDecl>(D);
        Var && Var->getName() == "table")
      return Escapes.mayBeWritten(*Var);
  ADD_FAILURE() << "no table";
  return false;
}
bool mayBeWrittenBy(const std::string &Body, const std::string &Before = "") {
  return mayBeWritten(Before + "\nvoid f(float *p, size_t n) {\n" + Body +
                      "\n}");
}

TEST(ConstantEscapes, LeavesCopies) {
  for (const char *Body :
       {"", "cudaMemcpyToSymbol(table, p, n);",
        "cudaMemcpyToSymbol(&table, p, n);",
        "cudaMemcpyToSymbol((const void *)table, p, n);",
        "cudaMemcpyFromSymbol(p, table, n);", "cudaGetSymbolSize(&n, table);",
        "n = sizeof(table);", "n = sizeof table[0];",
        "cudaGetSymbolAddress(&address, other);"})
    EXPECT_FALSE(mayBeWrittenBy(Body)) << Body;
  EXPECT_FALSE(mayBeWrittenBy("COPY(table);", "#define COPY(to) "
                                              "cudaMemcpyToSymbol(to, p, n)"));
}

TEST(ConstantEscapes, SeesWhatDeviceCodeMayWrite) {
  const auto Kernel = [](const std::string &Body) {
    return "__global__ void k(float *x) { " + Body + " }";
  };
  EXPECT_TRUE(mayBeWritten(Kernel("float *p = table; *p = x[0];")));
  EXPECT_TRUE(mayBeWritten(
      Kernel("const float *p = table; *const_cast<float *>(p) = x[0];")));
  EXPECT_FALSE(mayBeWritten(Kernel("const float *p = table; x[0] = *p;")));
  EXPECT_FALSE(mayBeWritten(Kernel("x[0] = table[3];")));
}

TEST(ConstantEscapes, SeesAddressesTaken) {
  for (const char *Body :
       {"cudaGetSymbolAddress(&address, table);",
        "cudaGetSymbolAddress(&address, (const void *)table);",
        "address = table;", "float *q = table;", "auto &t = table;",
        "[] { cudaGetSymbolAddress(&address, table); }();",
        "cudaMemcpyToSymbol(other, table, n);",
        "cudaMemcpyFromSymbol(table, other, n);",
        "cudaMemcpyToSymbol(n ? table : other, p, n);",
        "cudaMemcpyToSymbol(table + 1, p, n);"})
    EXPECT_TRUE(mayBeWrittenBy(Body)) << Body;
  EXPECT_TRUE(mayBeWritten("const void *symbol = table;"));
  EXPECT_TRUE(mayBeWritten("void f(const void *symbol = table);"));
  EXPECT_TRUE(mayBeWritten("struct S { const void *symbol = table; };"));
}

TEST(ConstantEscapes, AsksForTheLibrarysCopies) {
  EXPECT_TRUE(mayBeWrittenBy("own::cudaMemcpyToSymbol(table, p, n);",
                             "namespace own { void cudaMemcpyToSymbol(const "
                             "void *, const void *, size_t); }"));
  EXPECT_TRUE(mayBeWrittenBy("copy(table);", "void copy(const void *);"));
}

TEST(ConstantEscapes, LooksIntoTemplates) {
  EXPECT_TRUE(mayBeWritten("template <class T> void f(T **to) "
                           "{ cudaGetSymbolAddress((void **)to, table); }"));
  EXPECT_FALSE(mayBeWritten("template <class T> void f(T *from, size_t n) "
                            "{ cudaMemcpyToSymbol(table, from, n); }"));
}

// A kernel can only read it.
TEST(ConstantEscapes, LeavesCodeOfTheDevice) {
  EXPECT_FALSE(mayBeWritten("__global__ void k(float *x) { *x = table[0]; }"));
  EXPECT_FALSE(
      mayBeWritten("__device__ float get(int i) { return table[i]; }"));
  EXPECT_TRUE(
      mayBeWritten("__host__ __device__ const float *get() { return table; }"));
}

TEST(ConstantEscapes, SeesLookUpsByName) {
  EXPECT_TRUE(mayBeWrittenBy("cuModuleGetGlobal(&address, &n, 0, \"x\");"));
  EXPECT_TRUE(mayBeWrittenBy("cudaLibraryGetGlobal(&address, &n, 0, \"x\");"));
  EXPECT_TRUE(mayBeWrittenBy("auto *get = cuModuleGetGlobal;"));
  EXPECT_TRUE(mayBeWritten("template <class T> void f(T n) "
                           "{ cuModuleGetGlobal(&address, &n, 0, \"x\"); }"));
}

// Other units may ask for what they can name.
TEST(ConstantEscapes, AsksWhoElseNamesIt) {
  EXPECT_TRUE(mayBeWritten("", /*Relocatable=*/true));
  EXPECT_FALSE(mayBeWritten("", true, "static __constant__ float table[8];"));
  EXPECT_TRUE(mayBeWritten("", true, "extern __constant__ float table[8];"));
}

TEST(ConstantEscapes, TellsNamesakesApart) {
  EXPECT_FALSE(mayBeWrittenBy("float table[2]; address = table;"));
  EXPECT_FALSE(
      mayBeWrittenBy("address = own::table;",
                     "namespace own { __constant__ float table[8]; }"));
  EXPECT_TRUE(mayBeWritten("extern __constant__ float table[8];\n"
                           "void f() { address = table; }"));
}

} // namespace
