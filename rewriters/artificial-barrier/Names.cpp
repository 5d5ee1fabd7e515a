// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "rewriters/artificial-barrier/Names.h"
#include "matchers/source/Statements.h"
#include "matchers/source/UserDeclarations.h"
#include "matchers/source/WrittenMacros.h"
#include "rewriters/FirstFree.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/Expr.h"
#include "clang/Basic/SourceManager.h"

using namespace clang;

namespace barricade::artificial_barrier {
namespace {

class NameSearch : public ConstDynamicRecursiveASTVisitor {
public:
  NameSearch(const llvm::StringSet<> &Names, const Stmt *Except)
      : Names(Names), Except(Except) {}
  bool Found = false;

  bool TraverseStmt(const Stmt *S) override {
    return !S || S == Except ||
           ConstDynamicRecursiveASTVisitor::TraverseStmt(S);
  }
  bool VisitDeclRefExpr(const DeclRefExpr *Ref) override {
    return look(*Ref->getDecl());
  }
  bool VisitMemberExpr(const MemberExpr *Ref) override {
    return !Ref->isImplicitAccess() || look(*Ref->getMemberDecl());
  }
  bool VisitNamedDecl(const NamedDecl *D) override { return look(*D); }

private:
  bool look(const NamedDecl &D) {
    Found |= D.getDeclName().isIdentifier() && Names.contains(D.getName());
    return !Found;
  }
  const llvm::StringSet<> &Names;
  const Stmt *Except;
};

} // namespace

bool mentionsAny(const llvm::StringSet<> &Names, const FunctionDecl &Function,
                 const Stmt *Except) {
  NameSearch Search(Names, Except);
  for (const ParmVarDecl *Parameter : Function.parameters())
    Search.VisitNamedDecl(Parameter);
  Search.TraverseStmt(Function.getBody());
  return Search.Found;
}

/// The function around \p Function, a lambda's or a local class's, or itself.
static const FunctionDecl &outermost(const FunctionDecl &Function) {
  const FunctionDecl *Result = &Function;
  for (const DeclContext *Around = Function.getParent(); Around;
       Around = Around->getParent())
    if (const auto *Outer = dyn_cast<FunctionDecl>(Around))
      Result = Outer;
  return *Result;
}

FreshNames::FreshNames(ASTContext &Context)
    : Context(Context), Source(Context) {}

std::string FreshNames::get(llvm::StringRef Base, const FunctionDecl &Function,
                            const Stmt &Block) {
  std::string Name = firstFree(Base, [&](const std::string &Candidate) {
    return !isTaken(Candidate, Function, Block);
  });
  Names[&outermost(Function)].push_back({Name, &Block});
  return Name;
}

bool FreshNames::isTaken(llvm::StringRef Name, const FunctionDecl &Function,
                         const Stmt &Block) const {
  if (const auto Own = Names.find(&outermost(Function)); Own != Names.end())
    for (const Given &G : Own->second)
      if (G.Name == Name &&
          (contains(G.Block, &Block) || contains(&Block, G.Block)))
        return true;
  const SourceManager &SM = Context.getSourceManager();
  return mayBeMacro(Name, Context) || mentionsAny({Name}, Function) ||
         Source.hasNameBetween(
             Name, SM.getExpansionLoc(Function.getBeginLoc()),
             SM.getExpansionLoc(Function.getBody()->getEndLoc()));
}

} // namespace barricade::artificial_barrier
