// Part of barricade. SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What decides which threads of a block come to a loop, and how often: the
// conditions around it and around calls of its function, and what gives the
// variables in them their values.

#ifndef BARRICADE_MATCHERS_ARTIFICIALBARRIER_DECIDERS_H
#define BARRICADE_MATCHERS_ARTIFICIALBARRIER_DECIDERS_H

#include "matchers/artificial-barrier/LoopBarrier.h"
#include "matchers/facts/VariableFacts.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringSet.h"
#include <map>
#include <utility>
#include <vector>

namespace clang {
class Expr;
class ValueDecl;
class VarDecl;
} // namespace clang

namespace barricade::artificial_barrier {

class Deciders {
public:
  /// \p Form: that \p C is rewritten to. What it votes on decides nothing.
  Deciders(const LoopCandidate &C, llvm::StringRef Form,
           clang::ASTContext &Context);

  /// Code that decides, an expression or the head of a statement: what it
  /// evaluates, and where it is spelled, to one past the end.
  struct Code {
    llvm::SmallVector<const clang::Stmt *, 1> Parts;
    clang::SourceLocation Begin, End;
  };
  std::vector<Code> All;
  /// How variables, functions and fields in it are called.
  llvm::StringSet<> Names;
  /// Variables of all functions that are no constants, with a use of each.
  std::vector<std::pair<const clang::VarDecl *, clang::SourceLocation>> Globals;
  /// It reads what another name may lead to.
  bool ReadsMemory = false;
  /// The loop's function and those that lead there, each with the places in it
  /// that do.
  llvm::MapVector<const clang::FunctionDecl *,
                  llvm::SmallVector<const clang::Stmt *, 2>>
      Ways;

private:
  using Function = clang::FunctionDecl;

  void addLoop(llvm::StringRef Form);
  void addWay(const clang::Stmt &To, const Function &In);
  void addAround(const clang::Stmt &S, const Function &In);
  void addHead(const clang::Stmt &S, const Function &In);
  void addJumpsOf(const clang::Stmt &Loop, const Function &In);
  bool holdsJump(const clang::Stmt &Branch);
  void addJumps(const Function &In, bool Returns);
  void addExpr(const clang::Stmt *S, const Function &In);
  void addNames(const clang::Stmt *S, const Function &In);
  void addName(const clang::ValueDecl &D, clang::SourceLocation Use,
               const Function &In);
  void addVariable(const clang::VarDecl &Var, const Function &In);
  void addParameter(const clang::VarDecl &Var, const Function &In);
  const facts::VariableFacts &factsOf(const Function &In);

  const LoopCandidate &C;
  clang::ASTContext &Context;
  bool ReturnsDecide;
  std::map<const Function *, facts::VariableFacts> Facts;
  llvm::SmallPtrSet<const clang::Stmt *, 16> SeenCode, SeenHeads, SeenAround;
  /// What was asked of branches: whether they hold a jump.
  llvm::DenseMap<const clang::Stmt *, bool> Jumping;
  llvm::SmallPtrSet<const clang::ValueDecl *, 16> SeenNames;
};

} // namespace barricade::artificial_barrier

#endif
