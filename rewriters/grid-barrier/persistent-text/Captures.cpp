// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/grid-barrier/persistent-text/Captures.h"
#include "matchers/grid-barrier/LocalNames.h"
#include "matchers/source/Statements.h"
#include "rewriters/grid-barrier/KernelSite.h"
#include "rewriters/grid-barrier/TextPatch.h"
#include "rewriters/grid-barrier/persistent-text/Moved.h"
#include "rewriters/grid-barrier/persistent-text/Variables.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"

using namespace clang;

namespace barricade::grid_barrier::persistent {

/// What the loop leaves to be done before or behind it is the same wherever
/// the kernel begins.
static bool mayTakeOver(const Plan &P) {
  const bool WaitsAlways = llvm::any_of(
      P.L.Actions, [](const auto &A) { return A.waits() && A.Certain; });
  const bool MayWaitElsewhere = llvm::any_of(P.L.Actions, [](const auto &A) {
    return waitsElsewhere(A) && !A.Certain;
  });
  return !MayWaitElsewhere && (P.L.Waiting == WaitForm::OnEntry || WaitsAlways);
}

void chooseBeginning(Plan &P) {
  if (P.Names.Begins != Beginning::FromStart && mayTakeOver(P))
    P.Continued = continuationOf(P.L, P.Source);
  if (P.Continued && P.Names.Begins == Beginning::Uncounted)
    P.Continued->Remaining.clear();
}

/// A copy of \p Var, of an instance, can be declared by the type of
/// \p Spelled, of the template: that has a name, and hides neither a
/// reference nor an array.
static bool isCopiedAlike(const Plan &P, const VarDecl &Var,
                          const VarDecl &Spelled) {
  const QualType Type = Spelled.getType(), Copy = copyType(Spelled);
  return !Type->getContainedAutoType() &&
         !(Copy->isDependentType() && Copy.isCanonical()) &&
         !(Var.getType()->isReferenceType() && Type->isDependentType()) &&
         (Type->isPointerType() || !P.L.Elements.contains(&Var)) &&
         (P.Context.getAsConstantArrayType(Type) ||
          !P.Context.getAsConstantArrayType(Var.getType()));
}

void readTemplate(Plan &P) {
  const FunctionTemplateDecl *Template = spelledTemplate(*P.L.Function);
  if (!Template)
    return;
  P.OfTemplate = templateText(*Template, P.Source);
  // Other files have instances of what a header defines.
  const bool IsPlain =
      P.OfTemplate && P.SM.isInMainFile(P.Begin) &&
      Template->getLexicalDeclContext()->getRedeclContext()->Equals(
          Template->getDeclContext()->getRedeclContext());
  if (!IsPlain)
    return P.refuse(ReasonId::HostTemplate, P.Begin);
  llvm::DenseMap<SourceLocation, const VarDecl *> Written;
  const FunctionDecl &Pattern = *Template->getTemplatedDecl();
  for (const ParmVarDecl *Parameter : Pattern.parameters())
    Written[Parameter->getLocation()] = Parameter;
  (void)holds(Pattern.getBody(), [&](const Stmt &S) {
    if (const auto *Declaration = dyn_cast<DeclStmt>(&S))
      for (const Decl *D : Declaration->decls())
        if (const auto *Var = dyn_cast<VarDecl>(D))
          Written[Var->getLocation()] = Var;
    return false;
  });
  const auto Add = [&](const VarDecl *Var) {
    if (!Var->isLocalVarDeclOrParm())
      return;
    const VarDecl *Spelled = Written.lookup(Var->getLocation());
    if (Spelled && isCopiedAlike(P, *Var, *Spelled))
      P.SpelledVariables[Var] = Spelled;
    else
      P.refuse(ReasonId::HostTemplate, Var->getLocation());
  };
  llvm::for_each(P.L.Captures, Add);
  llvm::for_each(P.L.LiveOn, Add);
  llvm::for_each(P.L.Invariants, Add);
  if (P.Continued && llvm::any_of(P.Continued->Own, [&](const VarDecl *Var) {
        const VarDecl *Spelled = Written.lookup(Var->getLocation());
        return !Spelled || Spelled->getType()->isDependentType();
      }))
    P.Continued.reset();
}

void chooseCaptures(Plan &P) {
  P.Captures.assign(P.L.Captures.begin(), P.L.Captures.end());
  if (!P.Continued)
    return;
  llvm::erase_if(P.Captures, [&](const VarDecl *Var) {
    return !isNeededByRest(*Var, P.L);
  });
  llvm::SmallVector<const VarDecl *, 8> All;
  llvm::copy_if(
      P.Continued->Own, std::back_inserter(All),
      [&](const VarDecl *Var) { return !llvm::is_contained(P.Captures, Var); });
  llvm::append_range(All, P.Captures);
  llvm::StringSet<> Taken;
  for (const VarDecl *Var : P.Captures)
    forEachWord(typeText(P, *Var),
                [&](llvm::StringRef Word) { Taken.insert(Word); });
  if (llvm::all_of(All, [&](const VarDecl *Var) {
        return !isOwn(P, *Var) || (Taken.insert(Var->getName()).second &&
                                   !losesName(*Var, /*IsCanonical=*/true));
      }))
    P.Captures = std::move(All);
  else
    P.Continued.reset();
}

/// \p Var is a constant that is compared with a number without a sign: of a
/// parameter, whose value they do not know, compilers warn there.
static bool losesValue(const Plan &P, const VarDecl &Var) {
  if (!Var.getType().isConstQualified() ||
      !Var.getType()->isSignedIntegerOrEnumerationType() ||
      !Var.mightBeUsableInConstantExpressions(P.Context))
    return false;
  const auto LosesSign = [&](const Expr *E) {
    const auto *Cast = dyn_cast<ImplicitCastExpr>(E->IgnoreParens());
    return Cast && Cast->getCastKind() == CK_IntegralCast &&
           Cast->getType()->isUnsignedIntegerType() &&
           holds(Cast->getSubExpr(),
                 [&](const Stmt &S) { return variableNamedBy(S) == &Var; });
  };
  return holds(P.L.Loop, [&](const Stmt &S) {
    const auto *Op = dyn_cast<BinaryOperator>(&S);
    return Op && Op->isComparisonOp() &&
           (LosesSign(Op->getLHS()) || LosesSign(Op->getRHS()));
  });
}

void checkTypes(const Plan &P) {
  for (const VarDecl *Var : P.Captures) {
    const VarDecl *Spelled = P.SpelledVariables.lookup(Var);
    const VarDecl &Named = Spelled ? *Spelled : *Var;
    const llvm::StringRef Macro = macroOfType(Named);
    if (losesName(Named, /*IsCanonical=*/false) || losesValue(P, *Var) ||
        (!Macro.empty() && !P.Others.hasOneMeaning(Macro, P.Site.Place)))
      P.refuse(ReasonId::LocalName, Var->getLocation());
  }
}

} // namespace barricade::grid_barrier::persistent
