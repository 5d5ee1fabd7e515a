// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/host/Launch.h"
#include "matchers/facts/Constants.h"
#include "matchers/facts/DeviceFunctions.h"
#include "matchers/source/BuildVariants.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace barricade::host {

Launch launchOf(const CUDAKernelCallExpr &Call) {
  Launch L;
  L.Call = &Call;
  if (const FunctionDecl *Kernel = Call.getDirectCallee())
    L.Kernel = Kernel->getDefinition();
  L.Callee = dyn_cast<DeclRefExpr>(Call.getCallee()->IgnoreParenImpCasts());
  const CallExpr &Config = *Call.getConfig();
  const auto Written = [&](unsigned I) {
    return I < Config.getNumArgs() && !isa<CXXDefaultArgExpr>(Config.getArg(I))
               ? Config.getArg(I)
               : nullptr;
  };
  L.Grid = Written(0);
  L.Block = Written(1);
  L.SharedBytes = Written(2);
  L.Stream = Written(3);
  return L;
}

bool holdsLaunch(const Stmt &S) {
  return holds(
      &S, [](const Stmt &Inner) { return isa<CUDAKernelCallExpr>(Inner); });
}

std::vector<const Expr *> expressionsOf(const Launch &L) {
  std::vector<const Expr *> All(L.Call->arguments().begin(),
                                L.Call->arguments().end());
  for (const Expr *E : {L.Grid, L.Block, L.SharedBytes, L.Stream})
    if (E)
      All.push_back(E);
  return All;
}

bool isNamedAlone(const Launch &L) {
  if (L.Callee->hadMultipleCandidates())
    return false;
  const auto *Kernel = cast<FunctionDecl>(L.Callee->getDecl());
  const FunctionTemplateDecl *Template = Kernel->getPrimaryTemplate();
  return !Template || (!Template->getTemplateParameters()->hasParameterPack() &&
                       L.Callee->getNumTemplateArgs() ==
                           Template->getTemplateParameters()->size());
}

std::optional<llvm::APSInt> defaultInteger(const Expr &Argument,
                                           const ASTContext &Context) {
  const auto *Default = dyn_cast<CXXDefaultArgExpr>(&Argument);
  if (!Default || !Default->getType()->isIntegerType() ||
      Default->getType()->isEnumeralType())
    return std::nullopt;
  return facts::integerOf(*Default->getExpr(), Context);
}

static bool isSpelledAlike(const Expr &A, const Expr &B,
                           const ASTContext &Context) {
  const auto TextOf = [&](const Expr &E) {
    const SourceManager &SM = Context.getSourceManager();
    return Lexer::getSourceText(SM.getExpansionRange(E.getSourceRange()), SM,
                                Context.getLangOpts());
  };
  return !TextOf(A).empty() && TextOf(A) == TextOf(B);
}

/// Two that are the same now only, by numbers of macros, are not the same.
bool sameExpression(const Expr *A, const Expr *B, const ASTContext &Context) {
  if (!A || !B)
    return A == B;
  llvm::FoldingSetNodeID IdA, IdB;
  A->Profile(IdA, Context, /*Canonical=*/true);
  B->Profile(IdB, Context, /*Canonical=*/true);
  return IdA == IdB &&
         (A == B || isSpelledAlike(*A, *B, Context) ||
          (!spellingMayDiffer(*A, Context) && !spellingMayDiffer(*B, Context)));
}

void addOnce(const Expr &New, std::vector<const Expr *> &Into,
             const ASTContext &Context) {
  if (llvm::none_of(Into, [&](const Expr *Known) {
        return sameExpression(Known, &New, Context);
      }))
    Into.push_back(&New);
}

bool sameExtents(const Expr &A, const Expr &B, ASTContext &Context) {
  if (sameExpression(&A, &B, Context))
    return true;
  const Extents3 OfA = constantExtents(A, Context),
                 OfB = constantExtents(B, Context);
  const auto IsKnown = [](const std::optional<uint64_t> &E) {
    return E.has_value();
  };
  return OfA == OfB && llvm::all_of(OfA, IsKnown) &&
         !valueMayDiffer(A, A.getBeginLoc(), Context) &&
         !valueMayDiffer(B, B.getBeginLoc(), Context);
}

/// Left out, `0`, `NULL` or `nullptr`.
static bool isDefaultStream(const Expr *Stream, ASTContext &Context) {
  const Expr *Plain = Stream ? Stream->IgnoreParenCasts() : nullptr;
  if (const auto *Default = dyn_cast_or_null<CXXDefaultArgExpr>(Plain))
    Plain = Default->getExpr()->IgnoreParenCasts();
  return !Plain ||
         Plain->isNullPointerConstant(Context, Expr::NPC_NeverValueDependent);
}

bool sameStream(const Expr *A, const Expr *B, ASTContext &Context) {
  if (isDefaultStream(A, Context) || isDefaultStream(B, Context))
    return isDefaultStream(A, Context) && isDefaultStream(B, Context);
  return sameExpression(A->IgnoreParenImpCasts(), B->IgnoreParenImpCasts(),
                        Context);
}

} // namespace barricade::host
