// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every use of a variable is told apart by the node that holds it, and what
// nobody listed is unknown.

#include "matchers/facts/VariableFacts.h"
#include "Snippet.h"
#include "matchers/facts/NodeKinds.h"
#include "clang/AST/Decl.h"
#include "llvm/Support/raw_ostream.h"
#include <gmock/gmock.h>

using namespace barricade;
using namespace barricade::facts;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;

namespace {

const char *nameOfClass(clang::Stmt::StmtClass Kind) {
  switch (Kind) {
#define STMT(Node, Base)                                                       \
  case clang::Stmt::Node##Class:                                               \
    return #Node;
#define ABSTRACT_STMT(Node)
#include "clang/AST/StmtNodes.inc"
  default:
    return "none";
  }
}

TEST(NodeKinds, EveryKindOfClangsTableIsListed) {
  for (int Kind = clang::Stmt::NoStmtClass + 1;
       Kind <= clang::Stmt::lastStmtConstant; ++Kind)
    EXPECT_TRUE(listedUse(clang::Stmt::StmtClass(Kind)))
        << nameOfClass(clang::Stmt::StmtClass(Kind))
        << " is a new kind of node: say in NodeKinds.def what it does to the "
           "variables that it names";
}

TEST(NodeKinds, EveryKindOfCastIsListed) {
#define CAST_OPERATION(Name)                                                   \
  EXPECT_TRUE(listedUse(clang::CK_##Name))                                     \
      << #Name << " is a new kind of cast: see listedUse in NodeKinds.cpp";
#include "clang/AST/OperationKinds.def"
}

/// What \p Code does to its variables, one use a line.
class Uses {
public:
  explicit Uses(const std::string &Code)
      : Parsed(Code), Facts(Parsed.function()) {}

  /// The uses of \p Variable, joined by "; ".
  std::string of(llvm::StringRef Variable) const {
    std::string All, Result;
    llvm::raw_string_ostream Out(All);
    Facts.dump(Out);
    llvm::SmallVector<llvm::StringRef, 16> Lines;
    llvm::StringRef(All).split(Lines, '\n');
    for (llvm::StringRef Line : Lines)
      if (Line.consume_front((Variable + ": ").str()))
        Result += (Result.empty() ? "" : "; ") + Line.str();
    return Result;
  }
  bool isOnlyRead(llvm::StringRef Variable) const {
    return Facts.isOnlyRead(variable(Variable));
  }
  bool changesByNameOnly(llvm::StringRef Variable) const {
    return Facts.changesByNameOnly(variable(Variable));
  }

private:
  const clang::VarDecl &variable(llvm::StringRef Name) const {
    for (const auto &[Var, All] : Facts)
      if (Var->getName() == Name)
        return *Var;
    ADD_FAILURE() << Name.str() << " has no uses";
    return *Facts.begin()->first;
  }
  test::Snippet Parsed;
  VariableFacts Facts;
};

Uses inFunction(const std::string &Body, const std::string &Before = "") {
  return Uses(Before +
              "\n__device__ void f(int n, int *p, bool c) {\nint i = "
              "0, j = 0;\n" +
              Body + "\n}\n");
}

TEST(VariableFacts, TellsReadsFromWrites) {
  Uses U = inFunction("i = n; ++i; i += j; p[j] = n; (void)i;");
  EXPECT_EQ(U.of("i"), "assign; step; step; read");
  EXPECT_EQ(U.of("j"), "read; read");
  EXPECT_EQ(U.of("n"), "read; read");
  EXPECT_EQ(U.of("p"), "read");
  EXPECT_TRUE(U.isOnlyRead("p"));
  EXPECT_FALSE(U.isOnlyRead("i"));
  EXPECT_TRUE(U.changesByNameOnly("i"));
}

TEST(VariableFacts, ElementsAndFieldsAreParts) {
  Uses U = inFunction(
      "struct S { int x; int a[2]; } s = {}; int b[4] = {}; s.x = b[i]; "
      "s.a[j] += 1; union { int u; float v; }; u = 1;");
  EXPECT_EQ(U.of("s"), "assign part; step part");
  EXPECT_EQ(U.of("b"), "read part");
}

/// Each line changes `i` in a way that does not name it plainly.
class DisguisedWrite : public testing::TestWithParam<const char *> {};

TEST_P(DisguisedWrite, IsSeen) {
  Uses U = inFunction(GetParam(), R"(
struct Holder { int &x; };
struct Setter { int &x; __device__ Setter(int &r) : x(r) {} };
struct Guard { int &x; __device__ ~Guard() { x = 1; } };
struct Number { int v; __device__ operator int &() { return v; } };
template <typename T> __device__ T &&moved(T &x) { return (T &&)x; }
__device__ int &self(int &x) { return x; }
__device__ const int &cself(const int &x) { return x; }
__device__ void set(int &x) { x = 1; }
__device__ void sneak(const int &x) { const_cast<int &>(x) = 1; }
__device__ void sneakC(const int &x) { (int &)x = 1; }
__device__ void sneakPointer(const int &x) { *(int *)&x = 1; }
__device__ void sneakOn(const int &x) { sneak(x); }
__device__ void unseen(const int &x);
__device__ void pointer(int *x) { *x = 1; }
inline __device__ void *operator new(size_t, void *p) noexcept { return p; }
)");
  EXPECT_FALSE(U.isOnlyRead("i")) << GetParam() << ": " << U.of("i");
  EXPECT_FALSE(U.changesByNameOnly("i")) << GetParam() << ": " << U.of("i");
}

INSTANTIATE_TEST_SUITE_P(
    All, DisguisedWrite,
    testing::Values(
        "(c ? i : j) = 1;", "++(c ? i : j);", "(c ? i : j) += 2;",
        "int &r = c ? i : j; r = 1;", "(0, i), (j, i) = 1, ++(j, i), &(j, i);",
        "reinterpret_cast<unsigned &>(i) = 1u;", "(unsigned &)i = 1u;",
        "((int &)i) = 1;", "const_cast<int &>(i) = 1;",
        "static_cast<int &>(i) = 1;", "const_cast<volatile int &>(i) = 1;",
        "int &&r = static_cast<int &&>(i); r = 1;", "int &r = i; r = 1;",
        "int &&r = (int &&)i; r = 1;", "auto &&r = i; r = 1;",
        "const int &r = i; const_cast<int &>(r) = 1;",
        "const int &r = i; (int &)r = 1;", "const int &r = i; *(int *)&r = 1;",
        "const int &r = i; const int &q = r; (int &)q = 1;",
        "int &r = ++i; r = 5;", "int &r = (i = 3); r = 5;", "(i = 2) = 3, &i;",
        "int &r = (i += 3); r = 5;", "set(++i);", "set(i);", "self(i) = 1;",
        "(int &)cself(i) = 1;", "sneak(i);", "sneakC(i);", "sneakPointer(i);",
        "sneakOn(i);", "unseen(i);", "pointer(&i);", "*&i = 1;",
        "int *q = &i; *q = 1;", "int *q[1] = {&i}; *q[0] = 1;",
        "Holder h{i}; h.x = 1;", "Holder h = {i}; h.x = 1;",
        "Setter h(i); h.x = 1;", "Setter{i}.x = 1;", "Guard g{i};",
        "auto &&r = moved(i); r = 1;", "asm(\"\" : \"+r\"(i));",
        "asm(\"\" : \"=r\"(i));", "asm(\"\" :: \"m\"(i));", "[&] { i = 1; }();",
        "auto l = [&i] { ++i; }; l();", "auto l = [&r = i] { r = 1; }; l();",
        "auto l = [=]() mutable { i = 1; }; l();",
        "auto l = [&](auto x) { i = x; }; l(1);",
        "auto l = [&] { auto m = [&] { i = 1; }; m(); }; l();",
        "new (&i) int(1);", "new (reinterpret_cast<void *>(&i)) int;",
        "int (&r)[1] = (int (&)[1])i; r[0] = 1;",
        "auto g = [](int &x) { x = 1; }; g(i);",
        "void (*g)(int &) = set; g(i);", "(c ? set : set)(i);",
        "__builtin_addressof(i)[0] = 1;", "({ int &r = i; r = 1; });",
        "__attribute__((cleanup(pointer))) int k = 0; pointer(&i);",
        "for (int &r : (int (&)[1])i) r = 1;", "__builtin_memcpy(&i, p, 4);",
        "__atomic_store_n(&i, 1, 0);", "__builtin_add_overflow(n, 1, &i);"));

TEST(VariableFacts, CleanupFunctionsGetTheVariable) {
  Uses U = inFunction("__attribute__((cleanup(reset))) int k = 0;",
                      "__device__ void reset(int *x) { *x = 1; }");
  EXPECT_FALSE(U.changesByNameOnly("k"));
}

TEST(VariableFacts, InheritedConstructorsPassOnWhatTheyAreGiven) {
  const std::string Types = "struct B { __device__ B(int &x) { x = 1; }\n"
                            "__device__ B(const int &x, int) {} };\n"
                            "struct D : B { using B::B; };";
  Uses U = inFunction("D d(i); B b(j, 1);", Types);
  EXPECT_FALSE(U.changesByNameOnly("i"));
  EXPECT_TRUE(U.isOnlyRead("j"));
}

TEST(VariableFacts, StructuredBindingsAreParts) {
  Uses U = inFunction("P s{1, 2}; auto &[x, y] = s; x = 1; "
                      "auto [a, b] = s; a = 2; const auto &[d, e] = s; n = e;",
                      "struct P { int x, y; };");
  EXPECT_FALSE(U.isOnlyRead("s"));
  EXPECT_THAT(U.of("s"), HasSubstr("bind"));
  Uses Reading =
      inFunction("P s{1, 2}; const auto &[d, e] = s; n = e; auto &[x, y] = s; "
                 "n = y;",
                 "struct P { int x, y; };");
  EXPECT_TRUE(Reading.isOnlyRead("s")) << Reading.of("s");
}

/// Near-misses of the above, which only read `i`.
class PlainRead : public testing::TestWithParam<const char *> {};

TEST_P(PlainRead, ChangesNothing) {
  Uses U = inFunction(GetParam(), R"(
struct S { int x; };
struct View { const int *p; int n; __device__ int size() const { return n; } };
__device__ int get(const int &x) { return x; }
__device__ int getOn(const int &x) { return get(x) + x; }
__device__ int through(int &x) { return x; }
__device__ int value(int x) { x = 1; return x; }
)");
  EXPECT_TRUE(U.isOnlyRead("i")) << GetParam() << ": " << U.of("i");
}

INSTANTIATE_TEST_SUITE_P(
    All, PlainRead,
    testing::Values(
        "j = c ? i : j;", "(c ? j : j) = i;", "j = (p[0], i);", "j = (int)i;",
        "j = (unsigned &)i;", "j = reinterpret_cast<unsigned &>(i);",
        "const int &r = i; j = r;", "int &r = i; j = r;",
        "const int &r = i; const int &q = r; j = q;", "j = get(i);",
        "j = getOn(i);", "j = through(i);", "j = value(i);", "p[i] = 1;",
        "(&p[i])[0] = 1;", "S s{i}; s.x = 1;",
        "auto l = [=] { return i; }; l();", "auto l = [&] { return i; }; l();",
        "auto l = [i = i]() mutable { ++i; }; l();", "asm(\"\" :: \"r\"(i));",
        "j = sizeof(++i);", "j = noexcept(++i);", "decltype(++i) k = j;",
        "for (int k = i; k < i; ++k) j = k;", "switch (i) {}",
        "int b[2] = {i, i}; b[i] = i;", "return (void)i;",
        "atomicAdd(p + i, i);", "j = __builtin_expect(i, 1);"));

TEST(VariableFacts, ConstMethodsOnlyRead) {
  const char *Classes =
      "struct View { int n; mutable int m; int k; "
      "__device__ int size() const { return n; } "
      "__device__ void grow() { ++n; } };"
      "struct Plain { int n; __device__ int size() const { return n; } "
      "__device__ int &sneak() const { return const_cast<int &>(n); } };";
  EXPECT_TRUE(inFunction("Plain s{1}; n = s.size();", Classes).isOnlyRead("s"));
  for (const char *Change :
       {"View s{}; n = s.size();", "View s{}; s.grow();",
        "Plain s{}; s.sneak() = 1;", "Plain s{}; n = s.sneak();"})
    EXPECT_FALSE(inFunction(Change, Classes).isOnlyRead("s")) << Change;
}

TEST(VariableFacts, ArraysAreReadByRangesOfCopies) {
  EXPECT_TRUE(
      inFunction("int b[2] = {}; for (int x : b) n = x;").isOnlyRead("b"));
  EXPECT_TRUE(inFunction("int b[2] = {}; for (const int &x : b) n = x;")
                  .isOnlyRead("b"));
  EXPECT_FALSE(
      inFunction("int b[2] = {}; for (int &x : b) x = n;").isOnlyRead("b"));
  EXPECT_FALSE(
      inFunction("int b[2] = {}; for (auto &&x : b) x = n;").isOnlyRead("b"));
  for (const char *Change :
       {"for (const int &x : b) const_cast<int &>(x) = n;",
        "for (const int &x : b) { const int &y = x; (int &)y = n; }",
        "for (const int &x : b) p = const_cast<int *>(&x);",
        "for (const Taker x : b) n = x.n;"})
    EXPECT_FALSE(inFunction(std::string("int b[2] = {}; ") + Change,
                            "struct Taker { int n; __device__ Taker(int &x) : "
                            "n(x) { x = 1; } };")
                     .isOnlyRead("b"))
        << Change;
}

TEST(VariableFacts, GenericLambdasMayDoAnythingToWhatTheyName) {
  EXPECT_TRUE(inFunction("int b = 1; auto f = [&](int x) { return b + x; }; "
                         "n = f(2);")
                  .isOnlyRead("b"));
  EXPECT_FALSE(inFunction("int b = 1; auto f = [&](auto x) { return b + x; }; "
                          "n = f(2);")
                   .isOnlyRead("b"));
}

} // namespace
