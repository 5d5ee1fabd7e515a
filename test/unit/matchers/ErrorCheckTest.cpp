// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Statements that check what the runtime returns.

#include "matchers/host/ErrorCheck.h"
#include "HostSnippet.h"
#include "clang/AST/Expr.h"
#include "llvm/ADT/StringExtras.h"
#include <set>

using namespace barricade;
using namespace barricade::host;

namespace {

/// A loop with that body.
std::string codeWith(const std::string &Body) {
  return "#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { "
         "printf(\"%s\", cudaGetErrorString(e)); exit(1); } } while (0)\n"
         "inline void check(cudaError_t e) { if (e) exit(1); }\n"
         "int counted; void count(cudaError_t e) { if (!e) ++counted; }\n"
         "inline void rest(cudaError_t e) { if (!e) return; ++counted; "
         "exit(1); }\n"
         "inline void limited(cudaError_t e, int most = counted) { if (e) "
         "exit(1); }\n"
         "inline void byDefault(cudaError_t e = cudaGetLastError()) { if (e) "
         "exit(1); }\n"
         "struct Own {};\n"
         "__attribute__((weak)) void weak(cudaError_t e) { if (e) exit(1); }\n"
         "extern inline __attribute__((gnu_inline)) void inlined(cudaError_t "
         "e) { if (e) exit(1); }\n"
         "void also(int e) { int own = e; if (own) exit(1); }\n"
         "void both(int e, int last) { also(e); also(last); }\n"
         "void first(int e, int last) { also(last); also(e); }\n"
         "void twice(int e) { also(e); also(e); }\n"
         "int f(int n) { cudaError_t err; while (n--) {" +
         Body + "} return 0; }\n";
}

ErrorCheck checkOf(test::HostSnippet &Code) {
  const auto *Block = llvm::cast<clang::CompoundStmt>(bodyOf(Code.loop()));
  return readErrorCheck(llvm::ArrayRef(Block->body_begin(), Block->size()),
                        Code.context());
}

/// What the loop's body begins with: the call and the statements of its check,
/// and whether that does nothing but tell of an error.
std::string checkIn(const std::string &Body) {
  test::HostSnippet Code(codeWith(Body));
  const ErrorCheck Check = checkOf(Code);
  return Check.Call ? Check.Call->getDirectCallee()->getNameAsString() + " " +
                          std::to_string(Check.Length) +
                          (Check.OnlyTells ? ", tells" : "")
                    : "none";
}

TEST(ErrorCheck, ReadsChecks) {
  EXPECT_EQ(checkIn("CHECK(cudaDeviceSynchronize());"),
            "cudaDeviceSynchronize 1, tells");
  EXPECT_EQ(checkIn("check(cudaGetLastError());"), "cudaGetLastError 1, tells");
  EXPECT_EQ(checkIn("if (cudaDeviceSynchronize() != cudaSuccess) return 1;"),
            "cudaDeviceSynchronize 1, tells");
  EXPECT_EQ(checkIn("err = cudaDeviceSynchronize(); if (err) exit(2); n -= 2;"),
            "cudaDeviceSynchronize 2, tells");
}

TEST(ErrorCheck, KnowsWhatDoesMoreThanTell) {
  EXPECT_EQ(checkIn("if (cudaGetLastError()) { ++counted; exit(1); }"),
            "cudaGetLastError 1");
  EXPECT_EQ(checkIn("if (cudaGetLastError()) throw Own();"),
            "cudaGetLastError 1");
  EXPECT_EQ(checkIn("rest(cudaGetLastError());"), "cudaGetLastError 1");
}

TEST(ErrorCheck, TakesNothingElseForOne) {
  for (const char *Body :
       {"count(cudaGetLastError());", "if (n) exit(1);", "n = 3;",
        "if (cudaDeviceSynchronize()) break;",
        "if (cudaDeviceSynchronize() == cudaSuccess) ++counted;",
        "byDefault();"})
    EXPECT_EQ(checkIn(Body), "none") << Body;
}

// The linker may take another one.
TEST(ErrorCheck, LooksIntoNoWeakFunctions) {
  EXPECT_EQ(checkIn("weak(cudaGetLastError());"), "none");
  EXPECT_EQ(checkIn("inlined(cudaGetLastError());"), "none");
}

TEST(ErrorCheck, AsksEachCallForItself) {
  EXPECT_EQ(checkIn("twice(cudaGetLastError());"), "cudaGetLastError 1, tells");
  EXPECT_EQ(
      checkIn("{ also(cudaGetLastError()); also(cudaDeviceSynchronize()); }"),
      "cudaDeviceSynchronize 1, tells");
  for (const char *Body :
       {"both(cudaGetLastError(), n == 3);", "first(cudaGetLastError(), n);",
        "{ also(cudaGetLastError()); also(n == 3); }",
        "{ cudaError_t e = cudaGetLastError(); also(e); also(n); }"})
    EXPECT_EQ(checkIn(Body), "none") << Body;
}

/// The variables that are looked at where there is no error, and whether
/// something is done where there is one.
std::string lookedAt(const std::string &Body) {
  test::HostSnippet Code(codeWith(Body));
  const ErrorCheck Check = checkOf(Code);
  std::set<std::string> Names;
  for (const clang::Stmt *Part : Check.OnSuccess)
    (void)holds(Part, [&](const clang::Stmt &S) {
      if (const auto *Var = variableNamedBy(S))
        Names.insert(Var->getNameAsString());
      return false;
    });
  return llvm::join(Names, " ") + (Check.Asks ? ", asks" : "");
}

TEST(ErrorCheck, TellsWhatRunsWithoutAnError) {
  EXPECT_EQ(lookedAt("CHECK(cudaDeviceSynchronize());"), "e, asks");
  EXPECT_EQ(lookedAt("if (cudaGetLastError()) { printf(\"%d\", counted); "
                     "exit(1); }"),
            ", asks");
  EXPECT_EQ(lookedAt("{ int was = counted; check(cudaGetLastError()); }"),
            "counted e, asks");
  EXPECT_EQ(lookedAt("rest(cudaGetLastError());"), "e, asks");
  EXPECT_EQ(lookedAt("limited(cudaGetLastError());"), "counted e, asks");
  EXPECT_EQ(lookedAt("err = cudaDeviceSynchronize();"), "err");
  EXPECT_EQ(lookedAt("cudaGetLastError() == 0 ? (void)counted : exit(1);"),
            "counted, asks");
}

} // namespace
