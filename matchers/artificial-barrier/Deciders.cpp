// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "matchers/artificial-barrier/Deciders.h"
#include "matchers/facts/KernelEffects.h"
#include "matchers/source/Statements.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

using namespace clang;

namespace barricade::artificial_barrier {
namespace {

/// What follows the head of \p S, if that comes first.
const Stmt *behindHead(const Stmt &S) {
  if (const auto *If = dyn_cast<IfStmt>(&S))
    return If->getThen();
  if (const auto *Switch = dyn_cast<SwitchStmt>(&S))
    return Switch->getBody();
  return isLoop(S) && !isa<DoStmt>(S) ? bodyOf(S) : nullptr;
}

bool branches(const Stmt &S) { return isa<IfStmt, SwitchStmt>(S) || isLoop(S); }

} // namespace

Deciders::Deciders(const LoopCandidate &C, llvm::StringRef Form,
                   ASTContext &Context)
    : C(C), Context(Context),
      ReturnsDecide(Form == "rounds" || !C.ExitsAreSafe) {
  addLoop(Form);
  addWay(*C.Loop, *C.Function);
}

void Deciders::addLoop(llvm::StringRef Form) {
  if (Form == "uniform" || Form == "rounds") {
    addHead(*C.Loop, *C.Function);
    addJumpsOf(*C.Loop, *C.Function);
  }
  for (const Stmt *S = parentOf(*C.Loop, Context); S; S = parentOf(*S, Context))
    if (branches(*S) && !llvm::is_contained(C.Guards, S) &&
        !llvm::is_contained(C.OuterLoops, S)) {
      addHead(*S, *C.Function);
      addJumpsOf(*S, *C.Function);
    }
}

/// A thread that comes to \p To, which stands in \p In, comes to the loop.
void Deciders::addWay(const Stmt &To, const Function &In) {
  auto &Places = Ways[&In];
  if (llvm::is_contained(Places, &To))
    return;
  const bool IsNew = Places.empty();
  Places.push_back(&To);
  if (&To != C.Loop)
    addAround(To, In);
  if (!IsNew)
    return;
  addJumps(In, ReturnsDecide || !In.hasAttr<CUDAGlobalAttr>());
  for (const KernelEffects::Site &Site : C.Effects->Sites)
    if (Site.Callee == &In)
      addWay(*Site.Call, *Site.Caller);
  for (const KernelEffects::SilentSite &Site : C.Effects->SilentSites)
    if (Site.Callee == &In)
      addWay(Site.At ? *Site.At : *Site.Caller->getBody(), *Site.Caller);
}

/// The conditions under which \p S runs.
void Deciders::addAround(const Stmt &S, const Function &In) {
  for (const Stmt *P = parentOf(S, Context); P; P = parentOf(*P, Context))
    if (branches(*P) && SeenAround.insert(P).second) {
      addHead(*P, In);
      addJumpsOf(*P, In);
    }
}

void Deciders::addHead(const Stmt &S, const Function &In) {
  if (!SeenHeads.insert(&S).second)
    return;
  const Stmt *Behind = behindHead(S);
  if (!Behind) // `do`, whose condition comes last.
    return addExpr(conditionOf(S), In);
  const SourceManager &SM = Context.getSourceManager();
  Code Head = {{},
               SM.getExpansionLoc(S.getBeginLoc()),
               SM.getExpansionLoc(Behind->getBeginLoc())};
  // A macro may spell the head and a part of the body.
  if (Head.Begin == Head.End)
    Head.End = Lexer::getLocForEndOfToken(
        SM.getExpansionRange(S.getBeginLoc()).getEnd(), 0, SM,
        Context.getLangOpts());
  const auto *If = dyn_cast<IfStmt>(&S);
  for (const Stmt *Part : S.children())
    if (Part && Part != Behind && !(If && Part == If->getElse()))
      Head.Parts.push_back(Part);
  All.push_back(Head);
  for (const Stmt *Part : Head.Parts)
    addNames(Part, In);
}

/// The conditions of jumps in \p Loop, which may be one of its own.
void Deciders::addJumpsOf(const Stmt &Loop, const Function &In) {
  if (!isLoop(Loop))
    return;
  holds(bodyOf(Loop), [&](const Stmt &S) {
    if (branches(S) && holdsJump(S))
      addHead(S, In);
    return false;
  });
}

bool Deciders::holdsJump(const Stmt &Branch) {
  auto [It, IsNew] = Jumping.try_emplace(&Branch);
  if (IsNew)
    It->second = holds(&Branch, isJump);
  return It->second;
}

void Deciders::addJumps(const Function &In, bool Returns) {
  codeHolds(In, [&](const Stmt &S) {
    if (branches(S) && holds(&S, [&](const Stmt &Part) {
          return isa<GotoStmt, IndirectGotoStmt>(Part) ||
                 (Returns && isa<ReturnStmt>(Part));
        }))
      addHead(S, In);
    return false;
  });
}

void Deciders::addExpr(const Stmt *S, const Function &In) {
  if (!S || !SeenCode.insert(S).second)
    return;
  const SourceManager &SM = Context.getSourceManager();
  const CharSourceRange Range = SM.getExpansionRange(S->getSourceRange());
  All.push_back({{S},
                 Range.getBegin(),
                 Lexer::getLocForEndOfToken(Range.getEnd(), 0, SM,
                                            Context.getLangOpts())});
  addNames(S, In);
}

void Deciders::addNames(const Stmt *S, const Function &In) {
  holds(S, [&](const Stmt &Part) {
    ReadsMemory |= isa<ArraySubscriptExpr>(Part);
    if (const auto *Op = dyn_cast<UnaryOperator>(&Part))
      ReadsMemory |= Op->getOpcode() == UO_Deref;
    if (const auto *Ref = dyn_cast<DeclRefExpr>(&Part))
      addName(*Ref->getDecl(), Ref->getBeginLoc(), In);
    if (const auto *Member = dyn_cast<MemberExpr>(&Part)) {
      ReadsMemory |= Member->isArrow();
      addName(*Member->getMemberDecl(), Member->getBeginLoc(), In);
    }
    if (const auto *Declaration = dyn_cast<DeclStmt>(&Part))
      for (const Decl *D : Declaration->decls())
        if (const auto *Var = dyn_cast<VarDecl>(D))
          addName(*Var, Var->getLocation(), In);
    return false;
  });
}

void Deciders::addName(const ValueDecl &D, SourceLocation Use,
                       const Function &In) {
  if (!SeenNames.insert(&D).second)
    return;
  if (D.getDeclName().isIdentifier() && !D.getName().empty())
    Names.insert(D.getName());
  if (const auto *Binding = dyn_cast<BindingDecl>(&D)) {
    addName(*Binding->getDecomposedDecl(), Use, In);
    if (const VarDecl *Holding = Binding->getHoldingVar())
      addName(*Holding, Use, In);
  }
  const auto *Var = dyn_cast<VarDecl>(&D);
  if (!Var)
    return;
  addVariable(*Var, In);
  if (Var->hasGlobalStorage() && !Var->isLocalVarDecl() &&
      !Var->getType().isConstQualified())
    Globals.push_back({Var, Use});
}

void Deciders::addVariable(const VarDecl &Var, const Function &In) {
  if (Var.hasGlobalStorage()) {
    ReadsMemory |= !Var.getType().isConstQualified();
    return;
  }
  if (isa<ParmVarDecl>(Var))
    addParameter(Var, In);
  else
    addExpr(Var.getInit(), In);
  const facts::VariableFacts &Known = factsOf(In);
  for (const facts::VariableUse &Use : Known.of(Var)) {
    if (!Known.mayChange(Use))
      continue;
    if (Use.By) {
      addExpr(Use.By, In);
      addAround(*Use.By, In);
    }
    if (Use.To)
      addName(*Use.To, Use.To->getLocation(), In);
  }
}

void Deciders::addParameter(const VarDecl &Var, const Function &In) {
  const unsigned Index = cast<ParmVarDecl>(Var).getFunctionScopeIndex();
  for (const KernelEffects::Site &Site : C.Effects->Sites) {
    if (Site.Callee != &In)
      continue;
    // The object is the first argument of an operator that is a member.
    const bool HasObject =
        isa<CXXOperatorCallExpr>(Site.Call) && isa<CXXMethodDecl>(Site.Callee);
    if (Index + HasObject < Site.Call->getNumArgs())
      addExpr(Site.Call->getArg(Index + HasObject), *Site.Caller);
  }
}

const facts::VariableFacts &Deciders::factsOf(const Function &In) {
  return Facts.try_emplace(&In, In).first->second;
}

} // namespace barricade::artificial_barrier
