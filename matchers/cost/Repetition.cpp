// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/cost/Repetition.h"
#include "matchers/source/HostCode.h"
#include "matchers/source/SourcePlaces.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace barricade {
namespace {

/// A template's instances and redeclarations are one function here.
const FunctionDecl *identity(const FunctionDecl &Function) {
  return spelledFunction(Function).getCanonicalDecl();
}

/// The function that \p S names, called or not.
const FunctionDecl *namedBy(const Stmt &S) {
  const ValueDecl *Named = nullptr;
  if (const auto *Ref = dyn_cast<DeclRefExpr>(&S))
    Named = Ref->getDecl();
  else if (const auto *Member = dyn_cast<MemberExpr>(&S))
    Named = Member->getMemberDecl();
  else if (const auto *Construct = dyn_cast<CXXConstructExpr>(&S))
    Named = Construct->getConstructor();
  const auto *Function = dyn_cast_or_null<FunctionDecl>(Named);
  return Function ? identity(*Function) : nullptr;
}

bool isRepeating(const Stmt &S, const ASTContext &Context) {
  return isLoop(S) && !isOnceLoop(S, Context);
}

class RepetitionSearch {
public:
  explicit RepetitionSearch(ASTContext &Context) : Context(Context) {}

  /// Looks for the loop from the inside: at each function that names one that
  /// is asked for.
  bool isRepeated(const FunctionDecl &Function) {
    if (!Seen.insert(identity(Function)).second)
      return false;
    bool Found = false;
    forEachHostCode(Context, [&](const HostCode &Code) {
      Found = Found || llvm::any_of(Code.Parts, [&](const Stmt *Part) {
                return repeats(*Part, Code.Function, Function, false);
              });
    });
    return Found;
  }

private:
  /// A part of \p S names \p Wanted where \p Caller, if any, runs it often.
  bool repeats(const Stmt &S, const FunctionDecl *Caller,
               const FunctionDecl &Wanted, bool InLoop) {
    if (namedBy(S) == identity(Wanted) &&
        (InLoop || (Caller && isRepeated(*Caller))))
      return true;
    InLoop |= isRepeating(S, Context);
    return llvm::any_of(S.children(), [&](const Stmt *Child) {
      return Child && repeats(*Child, Caller, Wanted, InLoop);
    });
  }

  ASTContext &Context;
  llvm::SmallPtrSet<const FunctionDecl *, 8> Seen;
};

} // namespace

CostOnly<bool> isSeenRepeated(const Stmt &S, const FunctionDecl &Function,
                              ASTContext &Context) {
  for (const Stmt *Around = parentOf(S, Context); Around;
       Around = parentOf(*Around, Context))
    if (isRepeating(*Around, Context))
      return true;
  return RepetitionSearch(Context).isRepeated(Function);
}

} // namespace barricade
