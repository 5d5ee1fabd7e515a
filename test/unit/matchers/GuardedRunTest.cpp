// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of declarations that end up in an `if` of their own.

#include "matchers/artificial-barrier/GuardedRun.h"
#include "Snippet.h"
#include "clang/AST/ASTContext.h"

using namespace barricade;
using namespace barricade::artificial_barrier;

namespace {

/// `<free before> <guarded> <free after>` as numbers of statements, and what is
/// hoisted: `=` with its value. `;` parts the run from what follows.
std::string planOf(const std::string &Body, bool IsInFile = true) {
  test::Snippet S("struct Ends { int x; __device__ ~Ends(); };\n"
                  "__device__ int get(int); __device__ void see(const int &);\n"
                  "__device__ void f(int n, int *a) {\n" +
                  Body + "\n}\n");
  const auto *Block = llvm::cast<clang::CompoundStmt>(S.function().getBody());
  std::vector<clang::Stmt *> Run, Rest;
  bool IsRest = false;
  for (clang::Stmt *Each : const_cast<clang::CompoundStmt *>(Block)->body())
    if (llvm::isa<clang::NullStmt>(Each))
      IsRest = true;
    else
      (IsRest ? Rest : Run).push_back(Each);
  const GuardedRun Plan = planGuardedRun(
      Run, Rest, IndirectUses(*Block),
      [&](const clang::DeclStmt &) { return IsInFile; }, S.context());
  if (Plan.Obstacle.isValid())
    return "obstacle";
  std::string Text = std::to_string(Plan.FreeBefore.size()) + " " +
                     std::to_string(Plan.Guarded.size()) + " " +
                     std::to_string(Plan.FreeAfter.size());
  for (const HoistedDeclaration &H : Plan.Hoisted)
    for (const clang::Decl *D : H.Declaration->decls())
      Text += " " + llvm::cast<clang::VarDecl>(D)->getNameAsString() +
              (H.AsItIs ? "=" : "");
  return Text;
}

TEST(GuardedRun, LeavesFreeEnds) {
  EXPECT_EQ(planOf("int x = 3; a[0] = n; int y; ; a[0] = x + y;"), "1 1 1");
  EXPECT_EQ(planOf("int x = 3; float y[2]; ; a[0] = x;"), "2 0 0");
  EXPECT_EQ(planOf("int x = 3; a[0] = n; ; a[0] = x;", /*IsInFile=*/false),
            "0 2 0 x=");
  EXPECT_EQ(planOf("int x = n; a[0] = x;"), "0 2 0");
}

TEST(GuardedRun, HoistsWhatIsNeeded) {
  EXPECT_EQ(planOf("int x = a[n]; ; a[0] = x;"), "0 1 0 x");
  EXPECT_EQ(planOf("int x = a[n]; a[1] = x; ; a[0] = n;"), "0 2 0");
  EXPECT_EQ(planOf("a[1] = n; int x = 3; a[2] = x; ; a[0] = x;"), "0 3 0 x=");
  EXPECT_EQ(planOf("const int x = a[n]; ; a[0] = x;"), "0 1 0 x");
  EXPECT_EQ(planOf("int x{get(n)}, y(n); ; a[0] = y;"), "0 1 0 x y");
  // Another one of its name.
  EXPECT_EQ(planOf("int x = a[n]; ; { int x = 3; a[0] = x; }"), "0 1 0");
}

TEST(GuardedRun, LeavesWhatCannotMove) {
  EXPECT_EQ(planOf("int &x = a[n]; ; a[0] = x;"), "obstacle");
  EXPECT_EQ(planOf("Ends x; a[1] = n; ; a[0] = n;"), "obstacle");
  EXPECT_EQ(planOf("Ends x{n}; a[1] = n;"), "0 2 0");
  EXPECT_EQ(planOf("const int x = a[n]; see(x); ; a[0] = x;"), "obstacle");
  EXPECT_EQ(planOf("int x = a[n]; see(x); ; a[0] = x;"), "0 2 0 x");
  EXPECT_EQ(planOf("volatile int x = a[n]; ; a[0] = x;"), "obstacle");
  EXPECT_EQ(planOf("int x[2] = {a[n], n}; ; a[0] = x[1];"), "obstacle");
  EXPECT_EQ(planOf("alignas(8) int x = a[n]; ; a[0] = x;"), "obstacle");
  EXPECT_EQ(planOf("using T = int; a[1] = n; ; a[0] = n;"), "obstacle");
  // Somebody may know where it is, and ask there.
  EXPECT_EQ(planOf("int x = n; int *p = a; p = &x; ; a[0] = *p;"), "obstacle");
}

TEST(GuardedRun, NamesVariables) {
  test::Snippet S("__device__ void f(int n, int m) {\nint x; "
                  "{ int x = n; auto l = [&] { return m; }; } }\n");
  const auto *Block = llvm::cast<clang::CompoundStmt>(S.function().getBody());
  std::vector<clang::Stmt *> All(Block->body_begin(), Block->body_end());
  std::vector<std::string> Names;
  for (const clang::VarDecl *Var : variablesNamedIn(All))
    Names.push_back(Var->getNameAsString());
  llvm::sort(Names);
  EXPECT_EQ(Names, (std::vector<std::string>{"m", "n"}));
}

} // namespace
