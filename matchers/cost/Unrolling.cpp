// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/cost/Unrolling.h"
#include "matchers/cost/FunctionValues.h"
#include "matchers/source/Statements.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;
using namespace barricade;
using namespace barricade::cost;

/// `#pragma unroll 1` and `#pragma nounroll`.
bool cost::isKeptRolled(const AttributedStmt &S) {
  for (const Attr *A : S.getAttrs())
    if (const auto *Hint = dyn_cast<LoopHintAttr>(A)) {
      if (Hint->getState() == LoopHintAttr::Disable)
        return true;
      const auto *Value = dyn_cast_or_null<IntegerLiteral>(
          Hint->getValue() ? Hint->getValue()->IgnoreParenImpCasts() : nullptr);
      if (Value && Value->getValue() == 1)
        return true;
    }
  return false;
}

const Expr &cost::arrayOf(const ArraySubscriptExpr &E) {
  const Expr *Root = E.getBase()->IgnoreParenImpCasts();
  while (const auto *Inner = dyn_cast<ArraySubscriptExpr>(Root))
    Root = Inner->getBase()->IgnoreParenImpCasts();
  return *Root;
}

namespace {

/// The indices by which a function uses an array.
class Indices : public RecursiveASTVisitor<Indices> {
public:
  explicit Indices(const VarDecl &V) : V(V) {}
  bool VisitArraySubscriptExpr(ArraySubscriptExpr *E) {
    const Expr *Base = E->getBase()->IgnoreParenImpCasts();
    if (refersTo(Base)) {
      All.push_back(E->getIdx());
      ++Subscripts;
    } else if (isa<ArraySubscriptExpr>(Base) && refersTo(&arrayOf(*E))) {
      // `a[i][j]`: the outer index counts where the inner one does.
      All.push_back(E->getIdx());
    }
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *E) {
    References += E->getDecl() == &V;
    return true;
  }
  llvm::SmallVector<const Expr *, 8> All;
  unsigned Subscripts = 0, References = 0;

private:
  bool refersTo(const Expr *E) const { return variableNamedBy(*E) == &V; }
  const VarDecl &V;
};

} // namespace

static bool isUnrolledCounter(const Symbol &S, FunctionValues &Values) {
  const Stmt *Loop = Values.loopOf(S);
  auto Trips = Loop && S.Kind == Symbol::Induction ? Values.tripCount(*Loop)
                                                   : std::nullopt;
  return Trips && Trips->asConstant() &&
         *Trips->asConstant() <= MaxUnrolledTrips;
}

bool RegisterArrays::contain(const VarDecl &V, const FunctionDecl &Function,
                             FunctionValues &Values) {
  auto [It, IsNew] = Known.try_emplace(&V, false);
  if (!IsNew)
    return It->second;
  Indices Found(V);
  Found.TraverseStmt(Function.getBody());
  bool Escapes = Found.References != Found.Subscripts;
  return It->second =
             !Escapes && llvm::all_of(Found.All, [&](const Expr *Index) {
               AffineForm Form = Values.evaluate(*Index);
               return llvm::all_of(Form.symbols(), [&](const Symbol &S) {
                 return isUnrolledCounter(S, Values);
               });
             });
}
