// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What single expressions are and do.

#include "matchers/dumps/Dumps.h"
#include "matchers/facts/Constants.h"
#include "matchers/facts/PlaceDependence.h"
#include "matchers/facts/Purity.h"
#include "matchers/source/BuildVariants.h"
#include "matchers/source/Statements.h"
#include "llvm/ADT/StringExtras.h"

using namespace clang;

namespace barricade::dumps {

static std::string whatItDoes(const Expr &E, const ASTContext &Context) {
  using facts::PureReach;
  static constexpr std::pair<PureReach, const char *> Reaches[] = {
      {PureReach::Arithmetic, "only computes, from whole variables"},
      {PureReach::Parts, "only computes, from parts of variables"},
      {PureReach::Memory, "only computes, from memory"}};
  for (const auto &[Reach, Text] : Reaches)
    if (facts::isPure(E, {.Reach = Reach}))
      return Text;
  return facts::isPure(E, Context)
             ? "only computes, and calls what does no more"
             : "not seen to only compute";
}

void purity(const PassView &Pass, const Program &, Annotate Tell) {
  forEachFullExpression(*Pass.Context, [&](const Expr &E) {
    Tell(E.getBeginLoc(), whatItDoes(E, *Pass.Context));
  });
}

/// The largest parts of \p S that are integers for the compiler, literals
/// aside.
static void tellConstants(const Stmt &S, const ASTContext &Context,
                          Annotate Tell) {
  const auto *E = dyn_cast<Expr>(&S);
  if (const auto Value = E ? facts::integerOf(*E, Context) : std::nullopt) {
    if (!isa<IntegerLiteral, CharacterLiteral, CXXBoolLiteralExpr>(
            E->IgnoreParenImpCasts()))
      Tell(E->getBeginLoc(),
           "is " + llvm::toString(*Value, 10) +
               (valueMayDiffer(*E, E->getBeginLoc(), Context)
                    ? ", in another build maybe another number"
                    : ""));
    return;
  }
  for (const Stmt *Child : S.children())
    if (Child)
      tellConstants(*Child, Context, Tell);
}

void constants(const PassView &Pass, const Program &, Annotate Tell) {
  forEachFullExpression(*Pass.Context, [&](const Expr &E) {
    tellConstants(E, *Pass.Context, Tell);
  });
}

void buildVariants(const PassView &Pass, const Program &, Annotate Tell) {
  forEachFunction(*Pass.Context, [&](const FunctionDecl &Function) {
    if (codeMayDiffer(Function))
      Tell(Function.getLocation(), "another build may have other code here");
    if (typesMayDiffer(Function, /*FixedArguments=*/false))
      Tell(Function.getLocation(),
           "names types that may be others in another build");
    forEachLocal(Function, [&](const VarDecl &Var) {
      if (typeMayDiffer(Var, /*AsNamed=*/false))
        Tell(Var.getLocation(),
             quoted(&Var) + " may have another type in another build");
    });
  });
}

void placeDependence(const PassView &Pass, const Program &, Annotate Tell) {
  const SourceManager &SM = Pass.Context->getSourceManager();
  forEachFullExpression(*Pass.Context, [&](const Expr &E) {
    if (facts::dependsOnPlace(E, SM))
      Tell(E.getBeginLoc(), "a copy may mean something else");
    if (const SourceLocation Name = facts::findOwnName(E, SM); Name.isValid())
      Tell(Name, "asks for the name of the function around");
  });
  forEachFunction(*Pass.Context, [&](const FunctionDecl &Function) {
    forEachLocal(Function, [&](const VarDecl &Var) {
      if (facts::dependsOnPlace(Var, SM))
        Tell(Var.getLocation(),
             "a copy of " + quoted(&Var) + " may mean something else");
    });
  });
}

} // namespace barricade::dumps
