// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Are two parts of launches the same.

#include "matchers/facts/DeviceFunctions.h"
#include "matchers/grid-barrier/RelaunchLoop.h"
#include "matchers/source/BuildVariants.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace barricade::grid_barrier {

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

} // namespace barricade::grid_barrier
