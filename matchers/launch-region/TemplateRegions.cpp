// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/launch-region/TemplateRegions.h"
#include "matchers/facts/LibraryCode.h"
#include "matchers/source/Specialisations.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Stmt.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace barricade::launch_region {
namespace {

bool haveSameText(const LaunchRegion &A, const LaunchRegion &B) {
  return A.First->getSourceRange() == B.First->getSourceRange() &&
         A.Last->getSourceRange() == B.Last->getSourceRange() &&
         llvm::equal(A.Launches, B.Launches,
                     [](const RegionLaunch &L, const RegionLaunch &M) {
                       return L.Call->getBeginLoc() == M.Call->getBeginLoc() &&
                              L.IsInLoop == M.IsInLoop;
                     }) &&
         llvm::equal(A.Transfers, B.Transfers,
                     [](const CallExpr *One, const CallExpr *Other) {
                       return One->getBeginLoc() == Other->getBeginLoc();
                     });
}

/// Some instance of \p R has \p Branch of the `if constexpr` at \p If.
bool isTaken(const LaunchRegion &R, SourceLocation If,
             const Stmt *(*Branch)(const IfStmt &)) {
  return llvm::any_of(R.Instances, [&](const LaunchRegion &Instance) {
    return codeHolds(*Instance.Function, [&](const Stmt &S) {
      const auto *Own = dyn_cast<IfStmt>(&S);
      if (!Own || Own->getIfLoc() != If)
        return false;
      const auto Taken =
          Own->getNondiscardedCase(Instance.Function->getASTContext());
      return Taken && *Taken == Branch(*Own);
    });
  });
}

const Stmt *thenOf(const IfStmt &If) { return If.getThen(); }
const Stmt *elseOf(const IfStmt &If) { return If.getElse(); }

/// What \p Callee, which depends on the template's parameters, calls for other
/// types may do what no call here does; what the library has is known.
bool mayChoose(const Expr &Callee) {
  const auto *Named = dyn_cast<OverloadExpr>(&Callee);
  return !Named || Named->getNumDecls() == 0 ||
         llvm::any_of(Named->decls(), [](const NamedDecl *D) {
           return !facts::isLibraryCode(*D->getUnderlyingDecl());
         });
}

/// \p S, of the template's own text in \p R, may be what no instance shows: a
/// branch that all leave out, or a call that they do not make.
bool isUnseen(const Stmt &S, const LaunchRegion &R) {
  if (const auto *If = dyn_cast<IfStmt>(&S))
    return If->isConstexpr() &&
           (!isTaken(R, If->getIfLoc(), thenOf) ||
            (If->getElse() && !isTaken(R, If->getIfLoc(), elseOf)));
  const auto *Call = dyn_cast<CallExpr>(&S);
  const Expr *Callee = Call && !isa<CUDAKernelCallExpr>(Call)
                           ? Call->getCallee()->IgnoreParens()
                           : nullptr;
  return Callee && (Callee->isTypeDependent() || isa<OverloadExpr>(Callee)) &&
         mayChoose(*Callee);
}

bool holdsUnseen(const FunctionDecl &Pattern, const LaunchRegion &R) {
  const SourceManager &SM = Pattern.getASTContext().getSourceManager();
  const SourceRange Text(R.First->getBeginLoc(), R.Last->getEndLoc());
  return codeHolds(Pattern, [&](const Stmt &S) {
    const SourceLocation Where = S.getBeginLoc();
    return Where.isValid() &&
           !SM.isBeforeInTranslationUnit(Where, Text.getBegin()) &&
           !SM.isBeforeInTranslationUnit(Text.getEnd(), Where) &&
           isUnseen(S, R);
  });
}

} // namespace

std::optional<std::vector<LaunchRegion>> regionsOfTemplate(
    const FunctionDecl &Pattern,
    llvm::function_ref<std::vector<LaunchRegion>(const FunctionDecl &)>
        Search) {
  ASTContext &Context = Pattern.getASTContext();
  const FunctionTemplateDecl *Template = Pattern.getDescribedFunctionTemplate();
  // Other files have instances of what a header defines.
  if (!Template ||
      !Context.getSourceManager().isInMainFile(Pattern.getLocation()) ||
      mayInstantiateElse(*Template))
    return std::nullopt;
  const auto Instances = instancesOf(*Template);
  if (Instances.empty())
    return std::nullopt;
  std::vector<LaunchRegion> Regions;
  for (const auto &[Index, Instance] : llvm::enumerate(Instances)) {
    std::vector<LaunchRegion> Found = Search(*Instance);
    if (Index == 0)
      Regions = Found;
    if (!llvm::equal(Regions, Found, haveSameText))
      return std::nullopt;
    for (const auto &[R, Own] : llvm::zip_equal(Regions, Found))
      R.Instances.push_back(std::move(Own));
  }
  for (LaunchRegion &R : Regions) {
    R.Function = &Pattern;
    if (holdsUnseen(Pattern, R))
      return std::nullopt;
  }
  return Regions;
}

} // namespace barricade::launch_region
