// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/facts/PlaceDependence.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace barricade::facts {
namespace {

class Finder : public ConstDynamicRecursiveASTVisitor {
public:
  explicit Finder(const SourceManager &SM) : SM(SM) {}

  bool Found = false;

  bool VisitIntegerLiteral(const IntegerLiteral *Number) override {
    // `__LINE__` and `__COUNTER__` are spelled in no file.
    return go(
        SM.isWrittenInScratchSpace(SM.getSpellingLoc(Number->getLocation())));
  }
  bool VisitSourceLocExpr(const SourceLocExpr *) override { return go(true); }
  bool VisitPredefinedExpr(const PredefinedExpr *) override { return go(true); }
  bool VisitLambdaExpr(const LambdaExpr *) override { return go(true); }

  // Written once, but evaluated where they are left out.
  bool VisitCXXDefaultArgExpr(const CXXDefaultArgExpr *E) override {
    return TraverseStmt(E->getExpr());
  }
  bool VisitCXXDefaultInitExpr(const CXXDefaultInitExpr *E) override {
    return TraverseStmt(E->getExpr());
  }

  /// The parameter's name is what is written.
  bool TraverseSubstNonTypeTemplateParmExpr(
      const SubstNonTypeTemplateParmExpr *) override {
    return true;
  }

private:
  bool go(bool Depends) {
    Found |= Depends;
    return !Found;
  }

  const SourceManager &SM;
};

} // namespace

bool dependsOnPlace(const Stmt &S, const SourceManager &SM) {
  Finder F(SM);
  F.TraverseStmt(&S);
  return F.Found;
}

bool dependsOnPlace(const Decl &D, const SourceManager &SM) {
  Finder F(SM);
  F.TraverseDecl(&D);
  return F.Found;
}

} // namespace barricade::facts
