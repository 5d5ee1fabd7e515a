// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where variables get their values, and in which loops.

#include "matchers/facts/Definitions.h"
#include "Snippet.h"
#include "matchers/source/Statements.h"

using namespace barricade;

namespace {

struct Read {
  explicit Read(const std::string &Body)
      : Code("__device__ void other(int *);\n"
             "__global__ void k(int *x, int n) { int v = 0;\n" +
             Body + "\n}"),
        Found(Code.function().getBody(), Code.context()) {}

  const clang::VarDecl &v() {
    const clang::VarDecl *Var = nullptr;
    for (const clang::Decl *D : Code.function().decls())
      if (const auto *Each = llvm::dyn_cast<clang::VarDecl>(D);
          Each && Each->getName() == "v")
        Var = Each;
    return *Var;
  }
  std::vector<Definition::KindTy> kinds() {
    std::vector<Definition::KindTy> Kinds;
    for (const Definition &D : Found.of(&v()))
      Kinds.push_back(D.Kind);
    return Kinds;
  }

  test::Snippet Code;
  Definitions Found;
};

using Kinds = std::vector<Definition::KindTy>;

TEST(Definitions, TellSetsStepsAndOthersApart) {
  EXPECT_EQ(Read("v = n;").kinds(), (Kinds{Definition::Set, Definition::Set}));
  EXPECT_EQ(Read("v += n; ++v; v = v - 1;").kinds(),
            (Kinds{Definition::Set, Definition::Step, Definition::Step,
                   Definition::Step}));
  // What else happens may happen more than once.
  for (const char *Body : {"v *= 2;", "other(&v);", "int &r = v; r = 1;"})
    EXPECT_EQ(Read(Body).kinds().back(), Definition::Unknown) << Body;
}

TEST(Definitions, KnowTheLoopAndTheBranch) {
  Read InLoop("for (int i = 0; i < n; ++i) { v += 2; }");
  const LoopScope *Scope = InLoop.Found.scopeOf(&InLoop.Code.loop());
  ASSERT_NE(Scope, nullptr);
  EXPECT_EQ(InLoop.Found.of(&InLoop.v()).back().At.Scope, Scope);
  EXPECT_FALSE(InLoop.Found.of(&InLoop.v()).back().Conditional);
  EXPECT_FALSE(Scope->HasExit || Scope->HasContinue);

  Read InBranch(
      "for (;;) { if (n == 3) break; if (n) continue; if (n > 4) v += 2; }");
  const LoopScope *Left = InBranch.Found.scopeOf(&InBranch.Code.loop());
  EXPECT_TRUE(Left->HasExit && Left->HasContinue);
  EXPECT_TRUE(InBranch.Found.of(&InBranch.v()).back().Conditional);
}

TEST(Definitions, KnowWhatMayWrap) {
  Read Signed("v += n;");
  EXPECT_FALSE(Signed.Found.of(&Signed.v()).back().MayWrap);
}

} // namespace
