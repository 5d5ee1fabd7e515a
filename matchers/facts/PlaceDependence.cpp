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

bool givesFunction(const SourceLocExpr &E) {
  switch (E.getIdentKind()) {
  case SourceLocIdentKind::Function:
  case SourceLocIdentKind::FuncSig:
  case SourceLocIdentKind::SourceLocStruct:
    return true;
  default:
    return false;
  }
}

class OwnNameFinder : public ConstDynamicRecursiveASTVisitor {
public:
  explicit OwnNameFinder(const SourceManager &SM) : SM(SM) {
    ShouldVisitImplicitCode = true;
  }

  SourceLocation Found;

  bool VisitExpr(const Expr *E) override {
    Found = ownNameAskedBy(*E, SM);
    return Found.isInvalid();
  }

private:
  const SourceManager &SM;
};

/// Whatever \p Default, of an argument or a member, asks for, it asks for at
/// \p Where.
SourceLocation ownNameAskedBy(const Expr &Default, SourceLocation Where,
                              const SourceManager &SM) {
  return findOwnName(Default, SM).isValid() ? Where : SourceLocation();
}

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

SourceLocation ownNameAskedBy(const Expr &E, const SourceManager &SM) {
  if (isa<PredefinedExpr>(E) && !SM.isInSystemMacro(E.getBeginLoc()))
    return E.getBeginLoc();
  if (const auto *Asked = dyn_cast<SourceLocExpr>(&E))
    return givesFunction(*Asked) ? E.getBeginLoc() : SourceLocation();
  if (const auto *Argument = dyn_cast<CXXDefaultArgExpr>(&E))
    return ownNameAskedBy(*Argument->getExpr(), Argument->getUsedLocation(),
                          SM);
  if (const auto *Member = dyn_cast<CXXDefaultInitExpr>(&E))
    return ownNameAskedBy(*Member->getExpr(), Member->getUsedLocation(), SM);
  return SourceLocation();
}

SourceLocation findOwnName(const Stmt &S, const SourceManager &SM) {
  OwnNameFinder F(SM);
  F.TraverseStmt(&S);
  return F.Found;
}

} // namespace barricade::facts
