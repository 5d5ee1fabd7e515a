// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How a kernel and one of its functions are analysed. Each question is a file
// of its own:
//
//   LocalParts.cpp  which part of which local variable does an lvalue name
//   Escapes.cpp     which local variables may others reach
//   Values.cpp      is a value the same for all threads, where it stands
//   Effects.cpp     what does a statement leave in variables
//   Control.cpp     which branches decide who comes to a place
//   Function.cpp    the fixed point of these over a function
//   Kernel.cpp      what do the functions of a kernel pass to each other
//
// For Divergence alone: what is asked from outside is there.

#ifndef BARRICADE_MATCHERS_DIVERGENCE_IMPL_H
#define BARRICADE_MATCHERS_DIVERGENCE_IMPL_H

#include "matchers/divergence/Divergence.h"
#include "matchers/facts/VariableFacts.h"
#include "clang/AST/ASTContext.h"
#include "clang/Analysis/CFG.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallPtrSet.h"
#include <deque>
#include <map>

namespace barricade {

namespace divergence {

/// A local variable, or one field of it; the field is null for the whole.
using Location = std::pair<const clang::VarDecl *, const clang::FieldDecl *>;
/// Tainted locations only: what is absent is block-uniform.
using State = std::map<Location, Taint>;

inline Taint join(Taint A, Taint B) { return A ? A : B; }

/// What a parameter is given.
struct Argument {
  Taint Why = nullptr;
  /// A reference to what others may write, too, so that the function's own
  /// assignments are not all that happens to it.
  bool IsShared = false;
};

inline Argument join(const Argument &A, const Argument &B) {
  return {join(A.Why, B.Why), A.IsShared || B.IsShared};
}

/// What a call does to its caller's values.
struct Summary {
  Taint Result = nullptr;
  /// By parameter: what a reference parameter refers to afterwards.
  llvm::SmallVector<Taint, 4> References;
};

} // namespace divergence

/// One kernel: what its functions share, and what calls of them do.
struct KernelDivergence::Impl {
  const KernelEffects &Effects;
  clang::ASTContext &Context;
  std::map<const clang::FunctionDecl *, std::unique_ptr<FunctionDivergence>>
      Functions;
  std::map<const clang::FunctionDecl *, EntryState> Entries;

  Impl(const KernelEffects &Effects, clang::ASTContext &Context)
      : Effects(Effects), Context(Context) {}

  /// The same taint is one object, so that fixed points end.
  Taint intern(TaintKind Kind, clang::SourceLocation Where,
               clang::SourceLocation Related = {}, unsigned Parameter = 0) {
    auto Key = std::make_tuple(Kind, Where.getRawEncoding(), Parameter);
    auto [It, New] = Interned.try_emplace(Key, nullptr);
    if (New) {
      Origins.push_back({Kind, Where, Related, Parameter});
      It->second = &Origins.back();
    }
    return It->second;
  }

  const divergence::Summary &
  summarize(const clang::FunctionDecl &Callee,
            llvm::ArrayRef<divergence::Argument> Arguments);

  const facts::VariableFacts &factsOf(const clang::FunctionDecl &Function) {
    return Facts.try_emplace(&Function, Function).first->second;
  }

private:
  std::deque<TaintOrigin> Origins;
  std::map<std::tuple<TaintKind, unsigned, unsigned>, Taint> Interned;
  /// By the function, and of each parameter whether it is tainted and shared.
  std::map<std::pair<const clang::FunctionDecl *, std::vector<bool>>,
           divergence::Summary>
      Summaries;
  std::map<const clang::FunctionDecl *, facts::VariableFacts> Facts;
  llvm::SmallPtrSet<const clang::FunctionDecl *, 8> InProgress;
};

/// One function.
struct FunctionDivergence::Impl {
  Impl(const clang::FunctionDecl &Function,
       llvm::ArrayRef<divergence::Argument> Params,
       KernelDivergence::Impl &Kernel);
  void solve();

  // Expressions.
  Taint valueOf(const clang::Expr *E) const;
  Taint childrenOf(const clang::Stmt *S) const;
  Taint callOf(const clang::CallExpr &Call) const;
  Taint bindingOf(const clang::DeclRefExpr &Ref) const;
  Taint visibleCallOf(const clang::CallExpr &Call) const;
  Taint variableOf(const clang::VarDecl *Var, const clang::FieldDecl *Field,
                   clang::SourceLocation Where) const;
  Taint memoryOf(const clang::Expr &Access, clang::QualType Type) const;
  Taint addressOf(const clang::Expr &LValue) const;
  Taint addressIn(const clang::VarDecl &Reference) const;
  Taint pointerTo(const clang::Expr &LValue) const;
  std::optional<divergence::Location>
  fieldOf(const clang::MemberExpr &Member) const;
  std::optional<divergence::Location> locationOf(const clang::Expr &E) const;
  llvm::SmallVector<divergence::Argument, 8>
  argumentsOf(const clang::CallExpr &Call) const;
  divergence::Argument argumentAt(const clang::CallExpr &Call, unsigned I,
                                  Taint Value) const;
  bool isShared(const clang::CallExpr &Call, unsigned Arg) const;
  bool isPassedTwice(const clang::CallExpr &Call, unsigned Arg) const;

  // Statements.
  void evaluate(const clang::Stmt *S, bool Influenced);
  Taint initialValueOf(const clang::VarDecl &Var) const;
  void assign(const clang::Expr &Target, Taint Value, const clang::Expr &At);
  void taintNamed(const clang::Stmt &Target, Taint Value);
  void assignReferences(const clang::CallExpr &Call);
  void setLocation(const divergence::Location &L, Taint Value, bool Strong);

  // Control.
  void findDivergentBranches();
  void influence(const clang::CFGBlock &Branch, const DivergentBranch &D);
  bool isDeadEnd(const clang::CFGBlock &B) const;
  template <typename Fn>
  void forSuccessors(const clang::CFGBlock &B, Fn F) const;
  void computePostDominators();
  const clang::CFGBlock *immediatePostDominator(const clang::CFGBlock &B) const;
  const llvm::BitVector &reachableFrom(const clang::CFGBlock &From,
                                       const clang::CFGBlock *Barring) const;
  /// The returns that a thread may come to which \p Branch sends another way
  /// than others, before they meet again.
  llvm::ArrayRef<const clang::ReturnStmt *>
  exitsBehind(const clang::CFGBlock &Branch) const;
  const clang::CFGBlock *backEdgeBlock(const clang::Stmt &Loop) const;
  const clang::CFGBlock *blockOf(const clang::Stmt &S) const;

  const clang::FunctionDecl &Function;
  KernelDivergence::Impl &Kernel;
  bool IsKernel;
  std::unique_ptr<clang::CFG> Graph;
  /// What was asked: each branch is, for each loop.
  mutable std::map<std::pair<const clang::CFGBlock *, const clang::CFGBlock *>,
                   llvm::BitVector>
      Reachable;
  mutable std::map<const clang::CFGBlock *,
                   llvm::SmallVector<const clang::ReturnStmt *, 2>>
      Exits;
  llvm::DenseMap<const clang::VarDecl *, clang::SourceLocation> Escaped;
  llvm::SmallPtrSet<const clang::VarDecl *, 4>
      Shared; ///< Reference parameters.
  divergence::State EntryValues;

  llvm::DenseMap<const clang::Expr *, Taint> Values;
  std::vector<divergence::State> Out;
  std::vector<llvm::SmallVector<DivergentBranch, 2>> Over; ///< By block.
  llvm::DenseMap<const clang::CFGBlock *, DivergentBranch> Divergent;
  std::vector<llvm::BitVector> PostDominators;
  llvm::BitVector ReachesEnd;

  divergence::State Current; ///< While a block is being evaluated.
  clang::SourceLocation CurrentBranch;
  Taint Result = nullptr;
  bool Changed = false;
};

} // namespace barricade

#endif
