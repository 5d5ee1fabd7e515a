// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/grid-barrier/relaunch-loop/MovedChecks.h"
#include "matchers/source/NamedElse.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"

using namespace clang;

namespace barricade::grid_barrier::relaunch_loop {

void MovedChecks::add(const LoopAction &A, const host::ErrorCheck &Check,
                      llvm::ArrayRef<const Stmt *> Body, const Guards &Around) {
  const size_t Index = L.Result.Actions.size();
  if (A.isChecked())
    for (const Guard &G : Around)
      GuardedChecks.push_back({Index, G});
  for (const VarDecl *Var : Check.Assigned)
    AssignedInChecks.push_back({Var, Index});
  for (const Stmt *S : Body) {
    if (A.isHoisted())
      checkSunk(*S);
    else
      checkSunk(*S, A.Call);
    for (const auto &Variables : {Check.Declared, Check.Assigned})
      for (const VarDecl *Var : Variables)
        UsesInChecks[Var] += countUses(*Var, *S);
  }
  OfChecks.insert_range(Check.Declared);
}

static bool declaresStatic(const Stmt &S) {
  const auto *Declaration = dyn_cast<DeclStmt>(&S);
  return Declaration && llvm::any_of(Declaration->decls(), [](const Decl *D) {
           const auto *Var = dyn_cast<VarDecl>(D);
           return Var && Var->isStaticLocal();
         });
}

/// Behind the loop, its own variables are gone, and what another check
/// declares. A label or a static variable cannot be there twice. \p Left
/// stays where it is.
void MovedChecks::checkSunk(const Stmt &S, const Stmt *Left) {
  if (&S == Left)
    return;
  if (isa<GotoStmt, CXXThrowExpr, CallExpr, CXXConstructExpr, CXXNewExpr>(S))
    Jumps.push_back(&S);
  if (isa<LabelStmt, IndirectGotoStmt>(S) || declaresStatic(S))
    L.refuse(ReasonId::HostStatement, S.getBeginLoc());
  if (const auto *Ref = dyn_cast<DeclRefExpr>(&S)) {
    MovedReads.push_back(Ref);
    const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
    if (L.Locals.contains(Var) || OfChecks.contains(Var))
      L.refuse(ReasonId::HostStatement, S.getBeginLoc());
  }
  for (const Stmt *Child : S.children())
    if (Child)
      checkSunk(*Child, Left);
}

/// A handler of the function's may see what \p Loop leaves behind.
static bool isTried(const Stmt &Loop, ASTContext &Context) {
  const Stmt *Inner = &Loop;
  for (const Stmt *S = parentOf(Loop, Context); S; S = parentOf(*S, Context)) {
    if (const auto *Try = dyn_cast<CXXTryStmt>(S);
        Try && Try->getTryBlock() == Inner)
      return true;
    Inner = S;
  }
  return false;
}

/// Where an error leaves the loop, its variables have the values of another
/// iteration now.
void MovedChecks::checkJumps() const {
  const Stmt &Loop = *L.Result.Loop, &Body = *L.Result.Function->getBody();
  const bool IsTried =
      isTried(Loop, L.Context) || isWrittenElse("try", *L.Result.Function);
  for (const auto &[Var, Ref] : L.Writes) {
    if (L.Locals.contains(Var))
      continue;
    const bool IsSeenByHandler =
        IsTried && (countUses(*Var, Body) != countUses(*Var, Loop) ||
                    isNamedElse(*Var, *L.Result.Function));
    for (const Stmt *Jump : Jumps) {
      const auto *Goto = dyn_cast<GotoStmt>(Jump);
      if (Goto ? L.Variables.livesOn(*Var, *Goto) : IsSeenByHandler)
        L.refuse(ReasonId::HostStatement, Jump->getBeginLoc());
    }
  }
}

void MovedChecks::check() {
  checkJumps();
  for (const auto &[Var, Uses] : UsesInChecks)
    if (countUses(*Var, *L.Result.Loop) != Uses)
      L.refuse(ReasonId::HostStatement, Var->getLocation());
  // What the loop changes has another value behind it.
  for (const DeclRefExpr *Ref : MovedReads)
    if (const auto *Var = dyn_cast<VarDecl>(Ref->getDecl());
        Var && L.Writes.contains(Var))
      L.refuse(ReasonId::HostStatement, Ref->getBeginLoc());
  // Where the host never waits, the loop runs as it was.
  const bool WaitsOnce = llvm::count_if(L.Result.Actions, [](const auto &A) {
                           return A.waits();
                         }) == 1;
  for (const auto &[Index, G] : GuardedChecks)
    if (const LoopAction &A = L.Result.Actions[Index];
        !mayVary(G, L) && !(WaitsOnce && A.waits()))
      L.refuse(ReasonId::HostStatement, A.Call->getBeginLoc());
  for (const auto &[Var, Index] : AssignedInChecks) {
    LoopAction &A = L.Result.Actions[Index];
    if (L.Variables.isShared(*Var))
      L.refuse(ReasonId::SharedVariable, A.Statement->getBeginLoc());
    if (!L.livesOn(*Var))
      continue;
    A.OnlyOnEntry = true;
    if (!A.Certain || !A.isHoisted() || !L.asksEntry())
      L.refuse(ReasonId::HostStatement, A.Statement->getBeginLoc());
  }
}

} // namespace barricade::grid_barrier::relaunch_loop
